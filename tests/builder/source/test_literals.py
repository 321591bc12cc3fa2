"""Calls and assignments that authors write: what is read, and that nothing is run."""

from typing import Any

import pytest

from lessonbuild.errors import Fault
from lessonbuild.literals import assignments, parse_call


@pytest.mark.parametrize(
    ("text", "name", "args"),
    [
        ("kl_divergence([0.7, 0.3], q=(0.5, +0.5))", "kl_divergence", {"p": [0.7, 0.3], "q": [0.5, 0.5]}),
        ("softmax(logits=[-1e4, 0])[-1]", "softmax[-1]", {"logits": [-10000.0, 0]}),
        (
            "two_action_update(0.5, [1, 0], ref_prob=0.5, kl_coef=0, learning_rate=1, action=None).new_prob",
            "two_action_update.new_prob",
            {
                "prob": 0.5,
                "rewards": [1, 0],
                "ref_prob": 0.5,
                "kl_coef": 0,
                "learning_rate": 1,
                "action": None,
            },
        ),
        (" softmax(\n[0, -0.0] ) [0] ", "softmax[0]", {"logits": [0, 0.0]}),
    ],
)
def test_a_call_becomes_a_request(text: str, name: str, args: dict[str, Any]) -> None:
    call = parse_call(text)
    assert (call.name, call.args) == (name, args)
    assert call.function == name.partition(".")[0].partition("[")[0]


@pytest.mark.parametrize(
    "text",
    [
        *("softmax", "softmax[0]", "policygrad.softmax([0])", "softmax([0]).T.__class__", "softmax([0])()"),
        *("softmax([0])[0:1]", "softmax([0])['a']", "softmax([0])[True]", "softmax([0])[0.0]"),
        *(
            "softmax({0})",
            "softmax({'a': 1})",
            "softmax(b'0')",
            "softmax(1j)",
            "softmax(...)",
            "softmax(-True)",
        ),
        *("softmax(np.array([0]))", "softmax([x])", "softmax(f'{1}')", "softmax(1e999)", "softmax(10**7)"),
        *("softmax(**{'logits': [0]})", "softmax(*[[0]])", "softmax([0]) + 1", "softmax([0]); 1", "x = 1"),
        *(
            "",
            " ",
            "(" * 300,
            "ClipBounds(1, 2)",
            "softmax(" + "[" * 500 + "]" * 500 + ")",
            "softmax([0]" + " " * 1000,
        ),
    ],
)
def test_everything_else_is_refused(text: str) -> None:
    with pytest.raises(Fault) as caught:
        parse_call(text)
    assert caught.value.rule == "value-call"
    assert len(caught.value.message) < 300


def test_assignments() -> None:
    assert assignments("ratio=1.4, p=[0.5, 0.5]", "role-form") == {"ratio": 1.4, "p": [0.5, 0.5]}


@pytest.mark.parametrize(
    "text", ["", "1", "a", "a=b", "a=1, a=2", "**{}", "a=1) + _(b=2", "a=1), _(b=2", "a==1", "1a=2"]
)
def test_what_is_no_assignment(text: str) -> None:
    with pytest.raises(Fault):
        assignments(text, "role-form")

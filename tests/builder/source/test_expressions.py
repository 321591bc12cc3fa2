"""The calculator beside equations: what it computes, and that it computes nothing else."""

import contextlib
import time
from typing import Any

import numpy as np
import pytest

from lessonbuild.errors import Fault
from lessonbuild.expressions import CONSTANTS, NUMPY, Expression

SYMBOLS = {"r": 1.4, "A": -2, "eps": 0.2, "p": [0.7, 0.3], "q": [0.5, 0.5]}


def value(text: str, *, with_core: bool = False) -> Any:
    return Expression(text, with_core=with_core).value(SYMBOLS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("np.minimum(r * A, np.clip(r, 1 - eps, 1 + eps) * A)", -2.8),  # min(1.4·(−2), 1.2·(−2))
        ("np.sum(p * np.log(p / q))", 0.7 * np.log(1.4) + 0.3 * np.log(0.6)),
        ("-r ** 2", -1.96),  # the power binds closer than the sign
        ("np.where(r > 1 + eps, 0, A)", 0.0),
        ("p[0] + p[-1]", 1.0),
        ("np.outer(p, q)[0, 1]", 0.35),
        ("p[:, None] * q", [[0.35, 0.35], [0.15, 0.15]]),
        ("np.mean([r, 2 * r, 3 * r])", 2.8),
        ("np.std(p, ddof=1)", np.std([0.7, 0.3], ddof=1)),
        ("np.exp(0) + np.pi - np.pi", 1.0),
        ("1 / 0", np.inf),
        ("7 / 2", 3.5),
    ],
)
def test_numpy_arithmetic(text: str, expected: Any) -> None:
    np.testing.assert_allclose(value(text), expected, rtol=1e-12)


def test_the_core_is_called_on_one_side_only() -> None:
    text = "clipped_objective(r, A, clip_epsilon=eps)"
    assert value(text, with_core=True) == pytest.approx(-2.8)
    assert value("surrogate_terms(r, A, clip_epsilon=eps).clipped", with_core=True) == pytest.approx(-2.4)
    with pytest.raises(Fault, match=r'"clipped_objective" is a core function'):
        value(text)


def test_what_the_core_refuses_is_said_in_its_words() -> None:
    with pytest.raises(Fault, match=r"^kl_divergence: p sums to 2;") as caught:
        value("kl_divergence(2 * p, q)", with_core=True)
    assert caught.value.rule == "value-core"


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "().__class__.__bases__",
        "np.__dict__",
        "np.linalg.norm(p)",
        "np.load('x')",
        "np.sum.__globals__",
        "p.tofile('x')",
        "[x for x in p]",
        "{x: 1 for x in p}",
        "(lambda: 1)()",
        "(y := 3)",
        "p if r else q",
        "p and q",
        "not p",
        "f'{r}'",
        "'a' * 3",
        "r @ r",
        "r // 2",
        "r % 2",
        "r << 3",
        "~r",
        "1 < r < 2",
        "1j",
        "...",
        "None",
        "np",
        "np.sum",
        "np.sum(*p)",
        "np.sum(p, out=q)",
        "np.array(p, dtype=object)",
        "p[r]",
        "p['x']",
        "p[5]",
        "unknown + 1",
        "softmax",
        "eval(1)",
        "r.real",
        "r +",
        "",
        "r; r",
    ],
)
def test_everything_else_is_refused(text: str) -> None:
    with pytest.raises(Fault) as caught:
        value(text)
    assert caught.value.rule in {"equation-expression", "equation-core"}
    assert len(caught.value.message) < 300


@pytest.mark.parametrize(
    "text",
    [
        "9 ** 9 ** 9 ** 9 ** 9",
        "2 ** 99999999999999999999999",
        "np.power(9, 9 ** 99)",
        "np.outer(np.outer(q, q), np.outer(np.outer(q, q), np.outer(q, q)))",
        "+".join(
            ["np.outer(np.outer(np.outer(p, p), np.outer(p, p)), np.outer(np.outer(p, p), np.outer(p, p)))"]
            * 9
        ),
        "-" * 990 + "1",
        "(" * 400 + "1" + ")" * 400,
        "[" * 400 + "1" + "]" * 400,
    ],
    ids=range(8),
)
def test_no_expression_takes_long(text: str) -> None:
    start = time.perf_counter()
    with contextlib.suppress(Fault):
        value(text)
    assert time.perf_counter() - start < 1


def test_the_allowed_names_are_functions_of_numbers() -> None:
    assert all(callable(run) for run in NUMPY.values())
    assert not set(NUMPY) & {
        "load",
        "save",
        "fromfile",
        "vectorize",
        "apply_along_axis",
        "frompyfunc",
        "zeros",
        "ones",
    }
    assert set(CONSTANTS) == {"pi", "e"}

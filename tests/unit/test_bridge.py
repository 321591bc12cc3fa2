"""The bridge: requests in, answers out, and never an exception."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from expecting import refused

from policygrad import two_action_update
from policygrad.bridge import call, decoded, encoded, handle, plain

UPDATE = {"prob": 0.7, "rewards": [1, 0], "ref_prob": 0.5, "kl_coef": 0.5, "learning_rate": 1}


def ask(**request: Any) -> dict[str, Any]:
    """One request and its answer, both as data; the answer must be strict JSON."""

    def refuse(name: str) -> float:
        raise AssertionError(f"{name} is not JSON")

    answer: dict[str, Any] = json.loads(handle(json.dumps(request)), parse_constant=refuse)
    return answer


def test_a_view_answers_with_its_model() -> None:
    answer = ask(id=7, kind="view", view="ppo-clip", params={"ratio": 1.4, "advantage": -2})
    assert (answer["id"], answer["ok"]) == (7, True)
    assert answer["result"]["view"] == "ppo-clip"
    assert answer["result"]["outputs"][0]["value"] == -2.8


def test_a_call_answers_with_its_value() -> None:
    answer = ask(id="a", kind="call", call="kl_divergence", args={"p": [0.7, 0.3], "q": [0.5, 0.5]})
    assert answer["id"] == "a"
    assert answer["result"]["value"] == pytest.approx(0.082283, abs=5e-7)


def test_fields_and_entries_of_a_result() -> None:
    update = two_action_update(0.7, [1, 0], ref_prob=0.5, kl_coef=0.5, learning_rate=1)
    assert call("two_action_update.new_prob", UPDATE) == update.new_prob
    assert call("softmax[1]", {"logits": [0, 0]}) == 0.5
    assert call("softmax[-1][0]", {"logits": [[0, 0], [0, 0]]}) == 0.5
    run = {"epochs": 2, "learning_rate": 0.3, "clip_epsilon": 0.2, "rng": 19}
    assert call("reuse_batch.max_ratio[0]", run) == 1
    assert call("reuse_batch.batch.advantages[0]", run) == call("reuse_batch.batch.advantages", run)[0]


def test_a_whole_dataclass_becomes_an_object_of_its_fields() -> None:
    value = call("two_action_update", UPDATE)
    assert list(value) == ["reward_gradient", "kl_gradient", "gradient", "new_prob", "kl", "expected_reward"]
    batch = call("reuse_batch", {"epochs": 1, "learning_rate": 0.3, "clip_epsilon": 0.2, "rng": 1})["batch"]
    assert len(batch["actions"]) == 8
    assert type(batch["actions"][0]) is int


def test_infinity_and_nan_are_strings_both_ways() -> None:
    answer = ask(kind="call", call="kl_divergence", args={"p": [0.5, 0.5], "q": [1, 0]})
    assert answer["result"]["value"] == "Infinity"
    answer = ask(kind="call", call="softmax", args={"logits": [0, "-Infinity"]})
    assert answer["result"]["value"] == [1, 0]
    answer = ask(kind="call", call="explained_variance", args={"values": [1, 2], "targets": [3, 3]})
    assert answer["result"]["value"] == "NaN"
    answer = ask(kind="view", view="ppo-clip", params={"ratio": "Infinity"})
    assert answer["result"]["params"]["ratio"] == 2
    assert encoded({"a": [math.inf, -math.inf, 1.5]}) == {"a": ["Infinity", "-Infinity", 1.5]}
    assert decoded({"a": ["Infinity", "-Infinity", "x"]}) == {"a": [math.inf, -math.inf, "x"]}


def test_the_call_itself_keeps_infinity_as_a_number() -> None:
    assert call("kl_divergence", {"p": [0.5, 0.5], "q": [1, 0]}) == math.inf


def test_args_and_params_may_be_left_out() -> None:
    assert ask(kind="view", view="kl")["ok"]
    assert ask(kind="view", view="kl", params=None)["ok"]
    assert not ask(kind="call", call="softmax")["ok"]


@pytest.mark.parametrize(
    ("request_text", "message"),
    [
        ("nonsense", "the request is not JSON: Expecting value: line 1 column 1 (char 0)"),
        ("[1]", "the request is not a JSON object"),
        ('{"kind": NaN}', 'NaN is not JSON; write "NaN" in quotation marks'),
        ("{}", 'kind is None; it must be "view" or "call"'),
        ('{"kind": "run"}', 'kind is \'run\'; it must be "view" or "call"'),
        ('{"kind": "view", "view": "ppo-clp"}', 'there is no view "ppo-clp"; did you mean "ppo-clip"?'),
        ('{"kind": "view", "view": ["x"]}', "there is no view \"['x']\""),
        (
            '{"kind": "view", "view": "kl", "params": [1]}',
            "params is [1]; it must be an object of names and values",
        ),
        ('{"kind": "call", "call": "softmax", "args": {}}', "softmax: missing a required argument: 'logits'"),
    ],
)
def test_a_bad_request_is_answered_with_an_error(request_text: str, message: str) -> None:
    answer = json.loads(handle(request_text))
    assert answer == {"id": None, "ok": False, "error": {"type": "ValueError", "message": message}}


def test_an_error_carries_the_id_of_its_request() -> None:
    answer = ask(id=9, kind="call", call="softmax", args={"logits": ["NaN"]})
    message = "logits[0] is NaN; a logit must be finite or -infinity"
    assert answer == {"id": 9, "ok": False, "error": {"type": "ValueError", "message": message}}


def test_nothing_that_can_be_sent_raises() -> None:
    for text in ("", "null", "[" * 100_000, '{"id": {"a": 1}}', '"\\ud800"', '{"kind": "call", "call": {}}'):
        assert json.loads(handle(text))["ok"] is False
    assert json.loads(handle(None))["ok"] is False  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("kl_divergance", {}, 'there is no function "kl_divergance"; did you mean "kl_divergence"?'),
        ("os", {}, 'there is no function "os"'),
        ("TwoActionUpdate", {}, 'there is no function "TwoActionUpdate"; did you mean "two_action_update"?'),
        (
            "softmax(1)",
            {},
            "call is 'softmax(1)'; it must be a function's name, with .field or [index] after it",
        ),
        ("", {}, "call is ''; it must be a function's name, with .field or [index] after it"),
        ("softmax", {"logit": [1]}, "softmax: missing a required argument: 'logits'"),
        ("softmax", {"logits": [1], "axis": 0}, "softmax: got an unexpected keyword argument 'axis'"),
        (
            "two_action_update.new_prb",
            UPDATE,
            'two_action_update has no field "new_prb"; did you mean "new_prob"?',
        ),
        ("softmax.shape", {"logits": [1]}, 'softmax has no field "shape"'),
        ("softmax[2]", {"logits": [1, 2]}, "softmax has 2 entries; there is no [2]"),
        ("softmax[0][0]", {"logits": [1, 2]}, "softmax[0] has no entries; [0] cannot be taken"),
        (
            "draw_shared_batch",
            {"rng": -1},
            "rng is -1; it must be a whole number ≥ 0, the seed of a generator",
        ),
        (
            "draw_shared_batch",
            {"rng": True},
            "rng is True; it must be a whole number ≥ 0, the seed of a generator",
        ),
    ],
)
def test_errors_of_a_call(name: str, args: dict[str, Any], message: str) -> None:
    with refused(message):
        call(name, args)


def test_what_has_no_json_form_says_so() -> None:
    with refused("a complex has no JSON form; ask for one of its fields"):
        plain(1j)
    assert plain({"a": (1, None, "x", True)}) == {"a": [1, None, "x", True]}


@pytest.mark.parametrize("number", ["1e999", '{"a": [-1e999]}', "[" * 400 + "]" * 400])
def test_an_id_that_is_no_plain_number_is_answered_too(number: str) -> None:
    for rest in ("", ', "kind": "view", "view": "kl"'):
        reply = json.loads(handle(f'{{"id": {number}{rest}}}'), parse_constant=pytest.fail)
        assert reply["ok"] is bool(rest)
    assert json.loads(handle('{"id": 1e999}'))["id"] == "Infinity"

"""Laws of the bridge: numbers survive the way there and back, and everything gets an answer."""

from __future__ import annotations

import json
import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from policygrad.bridge import decoded, encoded, handle
from policygrad.views import VIEWS, rounded

NUMBERS = st.floats(allow_nan=True, allow_infinity=True)
DATA = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), NUMBERS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)
ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=10)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


def same(first: Any, second: Any) -> bool:
    if isinstance(first, float) and isinstance(second, float):
        return (math.isnan(first) and math.isnan(second)) or first == second
    if isinstance(first, dict):
        return list(first) == list(second) and all(same(first[key], second[key]) for key in first)
    if isinstance(first, list):
        return len(first) == len(second) and all(same(a, b) for a, b in zip(first, second, strict=True))
    return type(first) is type(second) and bool(first == second)


@given(DATA)
def test_every_number_comes_back(data: Any) -> None:
    assert same(decoded(json.loads(json.dumps(encoded(data), allow_nan=False))), data)


@given(st.one_of(st.text(), ANYTHING.map(json.dumps)))
def test_everything_gets_an_answer_that_is_json(request: str) -> None:
    answer = json.loads(handle(request))
    assert answer["ok"] is False
    assert set(answer["error"]) == {"type", "message"}


@given(st.sampled_from(list(VIEWS)), st.dictionaries(st.text(max_size=6), ANYTHING, max_size=3), st.data())
def test_a_view_answers_to_whatever_its_controls_are_set_to(
    view: str, params: dict[str, Any], data: st.DataObject
) -> None:
    wanted = st.one_of(st.floats(-100, 100), ANYTHING, st.sampled_from(["Infinity", "-Infinity", "NaN"]))
    for control in VIEWS[view].controls:
        if data.draw(st.booleans()):
            params[control.name] = data.draw(wanted)
    answer = json.loads(handle(json.dumps({"kind": "view", "view": view, "params": encoded(params)})))
    assert answer["ok"], answer
    model = answer["result"]
    for control in VIEWS[view].controls:
        assert control.min <= model["params"][control.name] <= control.max
    assert len(model["notices"]) <= len(params) + 2
    assert rounded(rounded(model)) == rounded(model)

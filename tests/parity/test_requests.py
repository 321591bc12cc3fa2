"""The same request gives the same answer in both engines, in each way to start the page's Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from agreement import differences, disagreements
from requests_to_compare import CALLS, MISTAKES, view_requests

import policygrad
from policygrad.views import VIEWS

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import PageEngine

LOCK = json.loads(Path("site/runtime.lock.json").read_text(encoding="utf-8"))


def test_the_versions_are_the_locked_ones(engine: PageEngine) -> None:
    assert engine.versions == {
        "python": LOCK["pyodide"]["python"],
        "platform": "emscripten",
        "numpy": np.__version__,
        "core": policygrad.__version__,
    }
    assert np.__version__ == LOCK["numpy"]["version"]


@pytest.mark.parametrize("view", VIEWS)
def test_views_agree(view: str, engine: PageEngine, here: Callable[[str], str]) -> None:
    assert disagreements(view_requests(view), here, engine.handle) == []


def test_calls_agree(engine: PageEngine, here: Callable[[str], str]) -> None:
    assert [call for call in CALLS if not json.loads(here(json.dumps(call)))["ok"]] == []
    assert disagreements(CALLS, here, engine.handle) == []


def test_mistakes_agree(engine: PageEngine, here: Callable[[str], str]) -> None:
    texts = [one if isinstance(one, str) else json.dumps(one) for one in MISTAKES]
    assert [text for text in texts if json.loads(here(text))["ok"]] == []
    assert disagreements(texts, here, engine.handle) == []


def test_an_engine_goes_on_after_mistakes(engine: PageEngine) -> None:
    for _ in range(200):
        engine.handle("nonsense")
    answer = json.loads(engine.handle(json.dumps(CALLS[0])))
    # KL([0.7, 0.3] ‖ [0.5, 0.5]) = 0.7 ln 1.4 + 0.3 ln 0.6 = 0.235531 − 0.153248
    assert answer["result"]["value"] == pytest.approx(0.082283, abs=5e-7)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(1, 1.0), (1.0, 1.0 + 3e-12), ({"a": 1}, {"b": 1}), ([1], [1, 2]), ("x", "y"), (True, 1), (None, 0)],
)
def test_a_difference_is_found(ours: Any, theirs: Any) -> None:
    assert list(differences({"deep": [ours]}, {"deep": [theirs]})) != []


def test_rounding_is_no_difference() -> None:
    assert list(differences([1.0, 1e-17, "a"], [1.0 + 2e-13, -2e-17, "a"])) == []

"""Every public function gives the same in both engines; draws of random numbers are exactly the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from agreement import AFTER_TRAINING, disagreements

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import PageEngine

CALLS = [
    {"id": number, "kind": "call", **call}
    for number, call in enumerate(
        json.loads((Path(__file__).parent / "every_function.json").read_text(encoding="utf-8"))
    )
]

TRAINING = {"ppo_run", "sequence_run"}
"""They make whole updates."""


def test_every_function_agrees(engine: PageEngine, here: Callable[[str], str]) -> None:
    assert [call for call in CALLS if not json.loads(here(json.dumps(call)))["ok"]] == []
    at_once = [call for call in CALLS if call["call"] not in TRAINING]
    assert disagreements(at_once, here, engine.handle) == []
    trained = [call for call in CALLS if call["call"] in TRAINING]
    assert disagreements(trained, here, engine.handle, relative=AFTER_TRAINING) == []

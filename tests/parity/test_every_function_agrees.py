"""Every public function gives the same in both engines; draws of random numbers are exactly the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from agreement import disagreements

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import PageEngine

CALLS = [
    {"id": number, "kind": "call", **call}
    for number, call in enumerate(
        json.loads((Path(__file__).parent / "every_function.json").read_text(encoding="utf-8"))
    )
]


def test_every_function_agrees(engine: PageEngine, here: Callable[[str], str]) -> None:
    assert [call for call in CALLS if not json.loads(here(json.dumps(call)))["ok"]] == []
    assert disagreements(CALLS, here, engine.handle) == []

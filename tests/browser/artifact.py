"""The published lesson that the tested page was made from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .hosting import LESSON

ROOT = Path(__file__).resolve().parents[2]


def _load() -> dict[str, Any]:
    found = sorted((ROOT / "lesson-data").glob(f"{LESSON}-*.json"))
    assert len(found) == 1, f"run `python build.py lessons`; found {[path.name for path in found]}"
    artifact: dict[str, Any] = json.loads(found[0].read_text(encoding="utf-8"))
    return artifact


ARTIFACT = _load()
FIXTURES: list[dict[str, Any]] = ARTIFACT["fixtures"]
WIDGETS: dict[str, dict[str, Any]] = {widget["id"]: widget for widget in ARTIFACT["widgets"]}
EXERCISES: dict[str, dict[str, Any]] = {exercise["id"]: exercise for exercise in ARTIFACT["exercises"]}


def plain_text(inline: list[dict[str, Any]]) -> str:
    """The words of inline nodes, up to the first that is not plain text."""
    words = []
    for node in inline:
        if node["t"] != "text":
            break
        words.append(node["text"])
    return "".join(words).strip()

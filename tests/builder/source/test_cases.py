"""Sources and what they become: Markdown beside the JSON of the artifact, in full."""

import json
from pathlib import Path
from typing import Any

import pytest
from lesson_cases import ROOT, Case, artifact_of, read_cases

CASES = read_cases(Path(__file__).parent / "cases")


def picked(artifact: dict[str, Any], keys: list[str]) -> dict[str, Any]:
    """The named parts of an artifact; `blocks` are those of a lesson's only section."""
    parts = {key: artifact[key] for key in keys if key != "blocks"}
    if "blocks" in keys:
        (section,) = artifact["sections"]
        parts["blocks"] = section["blocks"]
    return parts


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_source_becomes_this_json(case: Case, tmp_path: Path) -> None:
    expected = json.loads(case.expected)
    found = picked(artifact_of(tmp_path, case.source), list(expected))
    if found != expected:
        # For reading beside the case; it is never taken over by itself.
        changed = ROOT / "test-results" / f"{case}-changed.json".replace(": ", "-").replace("/", "-")
        changed.parent.mkdir(exist_ok=True)
        changed.write_text(json.dumps(found, ensure_ascii=False, indent=2), encoding="utf-8")
    assert found == expected

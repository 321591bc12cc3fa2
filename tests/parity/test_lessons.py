"""Every number that a lesson's text shows and every first frame, asked of both engines.

The lessons are compiled here from their sources, so no generated file has to be there, and none is believed.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from agreement import disagreements

from lessonbuild.hashing import ARTIFACT_NAME
from lessonbuild.project import load_project
from lessonbuild.rendering import LessonRenderer

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import PageEngine

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def artifacts() -> list[dict[str, Any]]:
    """Every lesson of the project, as its sources give it now."""
    project = load_project(ROOT)
    with LessonRenderer(project) as renderer:
        rendered = [renderer.render(lesson) for lesson in project.lessons]
    assert [error for lesson in rendered for error in lesson.errors] == []
    files = {name: data for lesson in rendered for name, data in lesson.files.items()}
    return [json.loads(data) for name, data in files.items() if ARTIFACT_NAME.fullmatch(name)]


def fixture_request(fixture: dict[str, Any]) -> dict[str, Any]:
    return {"id": fixture["id"], "kind": "call", "call": fixture["call"], "args": fixture["args"]}


def frame_request(widget: dict[str, Any]) -> dict[str, Any]:
    return {"id": widget["id"], "kind": "view", "view": widget["view"], "params": widget["params"]}


def far_apart(shown: Any, computed: Any, tolerance: float) -> bool:
    """Whether a number that the lesson holds is not the computed one, within the lesson's own tolerance."""
    if isinstance(shown, list):
        pairs = zip(shown, computed, strict=True)
        return any(far_apart(one, other, tolerance) for one, other in pairs)
    if isinstance(shown, float) and isinstance(computed, float):
        return not math.isclose(shown, computed, rel_tol=tolerance, abs_tol=tolerance)
    return bool(shown != computed)


def test_there_are_lessons(artifacts: list[dict[str, Any]]) -> None:
    assert all(artifact["fixtures"] and artifact["widgets"] for artifact in artifacts)
    assert artifacts


def test_the_numbers_in_the_text_agree(
    artifacts: list[dict[str, Any]], engine: PageEngine, here: Callable[[str], str]
) -> None:
    requests = [fixture_request(fixture) for artifact in artifacts for fixture in artifact["fixtures"]]
    assert disagreements(requests, here, engine.handle) == []


def test_the_numbers_in_the_text_are_what_each_engine_computes(
    artifacts: list[dict[str, Any]], engine: PageEngine, here: Callable[[str], str]
) -> None:
    wrong = []
    for fixture in [fixture for artifact in artifacts for fixture in artifact["fixtures"]]:
        for ask in (here, engine.handle):
            answer = json.loads(ask(json.dumps(fixture_request(fixture))))
            if far_apart(fixture["value"], answer["result"]["value"], fixture["tolerance"]):
                wrong.append((fixture["id"], fixture["value"], answer["result"]["value"]))
    assert wrong == []


def test_the_first_frames_agree(
    artifacts: list[dict[str, Any]], engine: PageEngine, here: Callable[[str], str]
) -> None:
    requests = [frame_request(widget) for artifact in artifacts for widget in artifact["widgets"]]
    assert disagreements(requests, here, engine.handle) == []


def test_the_wrong_answers_of_exercises_agree(
    artifacts: list[dict[str, Any]], engine: PageEngine, here: Callable[[str], str]
) -> None:
    runs = [
        option["run"]
        for artifact in artifacts
        for exercise in artifact["exercises"]
        for option in exercise["options"]
        if option.get("run")
    ]
    requests = [{"id": 1, "kind": "call", "call": run["call"], "args": run["args"]} for run in runs]
    assert disagreements(requests, here, engine.handle) == []

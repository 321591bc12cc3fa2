"""Foundations that lead back to their own lesson are an error, in a build and in a check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from store_workspace import run, workspace

from lessonbuild.foundations import RULES, cycle_errors
from lessonbuild.project import load_project


def entries(**foundations: str) -> list[dict[str, Any]]:
    """Entries of an index: lesson id → the ids of its foundations."""
    return [
        {"id": lesson, "foundations": [{"id": one} for one in names.split()]}
        for lesson, names in foundations.items()
    ]


@pytest.mark.parametrize(
    ("foundations", "circles"),
    [
        ({"a": "b", "b": "c", "c": ""}, []),
        ({"a": "b c", "b": "c d", "c": "d", "d": "elsewhere"}, []),
        ({"a": "b", "b": "a"}, ["a → b → a"]),
        ({"a": "b", "b": "c", "c": "b"}, ["b → c → b"]),
        ({"a": "x b", "b": "c", "c": "a", "d": "e", "e": "d"}, ["a → b → c → a", "d → e → d"]),
        ({f"l{n}": f"l{n + 1} l{n + 2}" for n in range(300)}, []),
    ],
)
def test_every_circle_is_found_once(tmp_path: Path, foundations: dict[str, str], circles: list[str]) -> None:
    project = load_project(workspace(tmp_path, lessons=False))
    for lesson in foundations:
        project.lesson_path(lesson).parent.mkdir(parents=True, exist_ok=True)
        project.lesson_path(lesson).write_text("---\n---\n")
    found = [error.message for error in cycle_errors(project, entries(**foundations))]
    assert found == [
        f"the foundations lead back to the lesson itself: {one}; remove one of them" for one in circles
    ]
    assert len(RULES) == 1


def test_two_lessons_that_are_each_other_s_foundation(tmp_path: Path) -> None:
    root = workspace(tmp_path, lessons=False)
    for lesson in ("first", "second"):
        assert run(root, "new", lesson)[0] == 0
    assert run(root, "lessons")[0] == 0
    before = {path: path.read_bytes() for path in (root / "lesson-data").rglob("*.json")}
    for lesson, other in (("first", "second"), ("second", "first")):
        path = root / "lesson-data/lessons" / lesson / "lesson.md"
        path.write_text(path.read_text().replace("foundations: []", f"foundations: [{other}]"))
    said = "first → second → first; remove one of them [lesson-cycle]"
    for command in ("lessons", "check"):
        code, _, err = run(root, command)
        assert code == 1
        assert said in err
    assert before == {path: path.read_bytes() for path in (root / "lesson-data").rglob("*.json")}

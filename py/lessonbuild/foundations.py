"""Foundations come before a lesson, so a lesson cannot be, through others, a foundation of itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from lessonbuild.errors import AuthorError
from lessonbuild.project import DATA, Project

RULES: Final[dict[str, str]] = {
    "lesson-cycle": "No lesson is a foundation of itself, also not through other lessons.",
}


def cycle_errors(project: Project, entries: Iterable[dict[str, Any]]) -> list[AuthorError]:
    """One error per circle of foundations among the entries of an index."""
    before = {entry["id"]: {lesson["id"] for lesson in entry["foundations"]} for entry in entries}
    errors = []
    while left := _without_ends(before):
        circle = _circle(left)
        errors.append(_error(project, circle))
        before = {lesson: found for lesson, found in left.items() if lesson not in circle}
    return errors


def _without_ends(before: dict[str, set[str]]) -> dict[str, set[str]]:
    """The lessons from which one can go on to foundations for ever, with the foundations that allow it."""
    left = before
    while True:
        kept = {lesson: found & left.keys() for lesson, found in left.items()}
        kept = {lesson: found for lesson, found in kept.items() if found}
        if len(kept) == len(left):
            return kept
        left = kept


def _circle(left: dict[str, set[str]]) -> list[str]:
    """A circle among lessons that all have a foundation among them, as the ids along it."""
    path = [next(iter(left))]
    while (following := min(left[path[-1]])) not in path:
        path.append(following)
    return path[path.index(following) :]


def _error(project: Project, circle: list[str]) -> AuthorError:
    first = circle[0]
    text = project.lesson_path(first).read_text(encoding="utf-8", errors="replace")
    line = next((n for n, row in enumerate(text.splitlines(), 1) if re.match(r"foundations\s*:", row)), 1)
    way = " → ".join([*circle, first])
    message = f"the foundations lead back to the lesson itself: {way}; remove one of them"
    return AuthorError(f"{DATA}/lessons/{first}/lesson.md", line, message, "lesson-cycle")

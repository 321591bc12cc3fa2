"""A lesson while it is being read: what has been found so far, and what can only be settled at the end."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from lessonbuild.errors import MathRenderer
from lessonbuild.source.front_matter import ID, FrontMatter
from lessonbuild.source.reporter import Reporter
from lessonbuild.values import ValueBook

if TYPE_CHECKING:
    from lessonbuild.project import Project
    from lessonbuild.source.directives import Directive

PAGE_ANCHORS: Final = ("main",)
"""Ids that every page has already."""

Node = dict[str, Any]
"""A block or an inline node of the artifact."""


class Draft:
    """Everything that blocks, roles and directives of one lesson share."""

    def __init__(
        self,
        project: Project,
        renderer: MathRenderer,
        reporter: Reporter,
        front: FrontMatter,
        directives: Mapping[str, Directive],
    ) -> None:
        self.project = project
        self.renderer = renderer
        self.reporter = reporter
        self.front = front
        self.directives = directives
        self.values = ValueBook()
        self.widgets: dict[str, Node] = {}
        self.equations: list[Node] = []
        self.exercises: list[Node] = []
        self.notes: list[str] = []
        """Lines for the build's report: what is not checked, and why."""
        self.anchors: dict[str, int] = dict.fromkeys(PAGE_ANCHORS, 0)
        """Where a link may lead on the lesson's page, with the line that makes each."""
        self._ids: dict[str, int] = {}
        self._later: list[tuple[int, Callable[[], None]]] = []

    def claim(self, name: str, line: int, *, what: str, prefix: str = "") -> None:
        """Register an id, whose anchor on the page has a prefix; report one that is malformed or taken."""
        anchor = prefix + name
        if not ID.fullmatch(name):
            message = f'"{name}" is no id for {what}; use lower-case words joined by hyphens'
            self.reporter.error(line, "id-form", message)
        elif name in self._ids or anchor in self.anchors:
            first = self._ids.get(name) or self.anchors[anchor]
            since = f"taken since line {first}" if first else "used by every page"
            self.reporter.error(line, "id-unique", f'the id "{name}" of {what} is {since}')
        else:
            self._ids[name] = self.anchors[anchor] = line

    def later(self, line: int, run: Callable[[], None]) -> None:
        """Run this when the whole lesson is known; a `Fault` it raises is reported at the line."""
        self._later.append((line, run))

    def settle(self) -> None:
        """Run everything that waited for the end of the lesson."""
        for line, run in self._later:
            with self.reporter.faults_at(line):
                run()
        self._later.clear()

    def lesson(self, lesson_id: str) -> Node | None:
        """A lesson's id and title, and whether it is in this folder; None when it is unknown."""
        if lesson_id in self.project.lessons:
            return {"id": lesson_id, "title": self.project.lessons[lesson_id], "here": True}
        if lesson_id in self.project.course.elsewhere:
            return {"id": lesson_id, "title": self.project.course.elsewhere[lesson_id], "here": False}
        return None

    def lesson_ids(self) -> list[str]:
        """The ids of all lessons that may be named."""
        return [*self.project.lessons, *self.project.course.elsewhere]


def slug(title: str) -> str:
    """Return the id that a heading gets from its title: `Trade-offs & limits` → `trade-offs-limits`."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")

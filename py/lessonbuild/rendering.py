"""Builds one lesson from its source, noting what it was made from.

This module brings in the compiler and with it NumPy and the core, so it is imported only when a lesson has
to be built.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import TracebackType

from lessonbuild.errors import AuthorError
from lessonbuild.index import Entry
from lessonbuild.outputs import lesson_files
from lessonbuild.project import Project
from lessonbuild.site.node_renderer import NodeRenderer
from lessonbuild.source.compile import compile_lesson


@dataclass(frozen=True, slots=True)
class Rendered:
    """A lesson built from its source, or what is wrong with it."""

    errors: list[AuthorError] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    entry: Entry = field(default_factory=dict)
    used: list[str] = field(default_factory=list)
    """Addresses of what the lesson depends on, besides what every lesson does; see `cache.Inputs`."""
    unchecked: list[str] = field(default_factory=list)


class LessonRenderer:
    """Renders lessons of a project; use it in `with`, so that its typesetter is stopped at the end."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._typesetter = NodeRenderer(project.root)

    def render(self, lesson_id: str) -> Rendered:
        """Build a lesson. Raises OutputError or SiteError when the fault is not in its source."""
        looked_up: set[str] = set()
        project = self._project.noting(looked_up.add)
        result = compile_lesson(project.lesson_path(lesson_id), project, self._typesetter)
        if result.errors or result.artifact is None:
            return Rendered(errors=list(result.errors))
        made = lesson_files(result.artifact, project)
        views = {f"core:view:{widget['view']}" for widget in result.artifact["widgets"]}
        used = looked_up | views | {f"core:{name}" for name in result.used_core}
        return Rendered([], made.files, made.entry, sorted(used), list(result.report_lines))

    def __enter__(self) -> LessonRenderer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._typesetter.close()

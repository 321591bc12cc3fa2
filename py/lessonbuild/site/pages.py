"""An artifact as pages.

The content of a page is drawn once and can be kept; the shell around it, which names scripts and styles, is
put on anew each time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jinja2 import Environment
from markupsafe import Markup

from lessonbuild.site.cover import facts
from lessonbuild.site.outline import outline
from lessonbuild.site.page_data import lesson_data

Artifact = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LessonFiles:
    """The generated files of a lesson, by their paths inside lesson-data/."""

    artifact: str
    record: str
    markdown: str

    def all(self) -> tuple[str, str, str]:
        """All three."""
        return self.artifact, self.record, self.markdown


@dataclass(frozen=True, slots=True)
class LessonParts:
    """What a lesson's pages consist of, whatever the scripts and styles are called."""

    main: str
    solutions: str
    data: str
    """JSON object with everything that scripts need except the addresses of assets."""
    cover: str
    """The picture on the lesson's card, SVG."""
    facts: str
    """What there is to do in it, in a few words."""


@dataclass(frozen=True, slots=True)
class Shell:
    """What a page needs besides its content."""

    page: str
    title: str
    description: str
    root: str
    scripts: Sequence[str] = ()
    lesson_id: str | None = None


class PageMaker:
    """Fills the templates."""

    def __init__(self, environment: Environment, site_title: str) -> None:
        self._environment = environment
        self._site_title: Final = site_title

    def lesson_parts(self, artifact: Artifact, files: LessonFiles, topic: str) -> LessonParts:
        """Draw everything of a lesson that its artifact and the words for its topic decide."""
        context = self._lesson_context(artifact) | {"files": files, "topic": topic}
        return LessonParts(
            main=self._fill("lesson.html", context),
            solutions=self._fill("solutions.html", context),
            data=lesson_data(artifact, files.artifact, self._fragments(context)),
            cover=self._fill("cover.html", context).strip(),
            facts=facts(artifact),
        )

    def atlas(self, course: object, lessons: Sequence[object]) -> str:
        """The content of the index page; lessons with `entry` and `parts`, in the order of the course."""
        return self._fill("atlas.html", {"course": course, "lessons": lessons})

    def licences(self, components: Sequence[object]) -> str:
        """The content of the licences page."""
        return self._fill("licences.html", {"components": components})

    def wrap(self, main: str, shell: Shell, assets: Mapping[str, str]) -> str:
        """A complete page around its content, which is markup already."""
        return self._fill(
            "base.html",
            {
                "main": Markup(main),
                "page": shell.page,
                "title": shell.title,
                "description": shell.description,
                "root": shell.root,
                "scripts": shell.scripts,
                "lesson_id": shell.lesson_id,
                "assets": assets,
                "site_title": self._site_title,
            },
        )

    def _fragments(self, context: Mapping[str, Any]) -> Fragments:
        return Fragments(self._environment, context)

    def _fill(self, template: str, context: Mapping[str, Any]) -> str:
        return self._environment.get_template(template).render(context)

    @staticmethod
    def _lesson_context(artifact: Artifact) -> dict[str, Any]:
        return {
            "lesson": artifact,
            "outline": outline(artifact["sections"]),
            "facts": facts(artifact),
            "widgets": {widget["id"]: widget for widget in artifact["widgets"]},
            "exercises": {exercise["id"]: exercise for exercise in artifact["exercises"]},
            "source_numbers": {each["key"]: n for n, each in enumerate(artifact["sources"], start=1)},
            "source_titles": {each["key"]: each["title"] for each in artifact["sources"]},
        }


class Fragments:
    """Pieces of HTML that scripts insert later: feedback, solutions and hints."""

    def __init__(self, environment: Environment, context: Mapping[str, Any]) -> None:
        self._template = environment.get_template("fragment.html")
        self._context = context

    def blocks(self, nodes: Sequence[Mapping[str, Any]]) -> str:
        """Blocks as HTML."""
        return self._template.render({**self._context, "nodes": nodes, "inline_nodes": None}).strip()

    def inlines(self, nodes: Sequence[Mapping[str, Any]]) -> str:
        """Inline nodes as HTML."""
        return self._template.render({**self._context, "nodes": None, "inline_nodes": nodes}).strip()

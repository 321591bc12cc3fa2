"""One lesson source in, one artifact out, or every mistake of the source."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lessonbuild import core, exercises, schemas
from lessonbuild.errors import AuthorError, Fault, MathRenderer, did_you_mean
from lessonbuild.source.draft import Draft, Node
from lessonbuild.source.front_matter import FrontMatter, read_front_matter
from lessonbuild.source.registry import DIRECTIVES
from lessonbuild.source.reporter import Reporter
from lessonbuild.source.roles import known_lesson
from lessonbuild.source.sections import read_sections
from lessonbuild.source.text import read_source

if TYPE_CHECKING:
    from lessonbuild.project import Project

SCHEMA_VERSION: Final = 1
_SOURCE_FIELDS: Final = ("title", "authors", "year", "url", "kind", "scope")


@dataclass(frozen=True, slots=True)
class CompileResult:
    """What compiling a lesson gives."""

    artifact: dict[str, Any] | None
    """The lesson's data; None when there are errors."""
    errors: list[AuthorError]
    """All mistakes of the source, by line."""
    used_core: frozenset[str]
    """Public functions of the core that were called, and ``view:<id>`` of views that were shown."""
    report_lines: list[str]
    """What is not checked, and why."""


def compile_lesson(path: Path, project: Project, renderer: MathRenderer) -> CompileResult:
    """Read, check and compute one lesson."""
    reporter = Reporter(_shown_path(path, project.root))
    text = read_source(path, reporter)
    front = read_front_matter(text, reporter) if text is not None else None
    if front is None:
        return CompileResult(None, reporter.errors, frozenset(), [])
    draft = Draft(project, renderer, reporter, front, DIRECTIVES)
    artifact = _artifact(draft, path.parent.name)
    if not reporter.errors:
        for violation in schemas.violations(project.root, "lesson", artifact):
            reporter.error(1, "artifact-schema", schemas.described(violation))
    used = frozenset(draft.values.used)
    return CompileResult(None if reporter.errors else artifact, reporter.errors, used, draft.notes)


def _artifact(draft: Draft, folder: str) -> dict[str, Any]:
    front = draft.front
    _check_id(draft, folder)
    _check_topic(draft)
    sources = _sources(draft)
    foundations, related = _lessons(draft, "foundations"), _lessons(draft, "related")
    sections = read_sections(draft)
    draft.settle()
    fixtures = draft.values.fixtures()
    for exercise in draft.exercises:
        exercises.seal(exercise)
    return {
        "schemaVersion": SCHEMA_VERSION,
        **_head(front),
        "sections": sections,
        "widgets": list(draft.widgets.values()),
        "equations": draft.equations,
        "exercises": draft.exercises,
        "fixtures": fixtures,
        "sources": sources,
        "foundations": foundations,
        "related": related,
        "core": core.versions(frozenset(name for name in draft.values.used if ":" not in name)),
    }


def _head(front: FrontMatter) -> Node:
    keys = (
        "id",
        "title",
        "description",
        "objective",
        "topic",
        "version",
        "status",
        "published",
        "revised",
        "author",
    )
    return {key: front.texts.get(key) for key in keys} | {"evidenceScope": front.texts.get("evidence_scope")}


def _check_id(draft: Draft, folder: str) -> None:
    lesson_id = draft.front.texts.get("id")
    if lesson_id is not None and lesson_id != folder:
        message = f'the id is "{lesson_id}", but the folder is "{folder}"; the two must be the same'
        draft.reporter.error(draft.front.lines["id"], "front-matter-value", message)


def _check_topic(draft: Draft) -> None:
    topic, known = draft.front.texts.get("topic"), draft.project.course.topics
    if topic is not None and topic not in known:
        message = f'"{topic}" is not under [topics] in course.toml{did_you_mean(topic, known)}'
        draft.reporter.error(draft.front.lines["topic"], "topic-known", message)


def _sources(draft: Draft) -> list[Node]:
    known = draft.project.sources
    found = []
    for key, line in draft.front.lists.get("sources", []):
        if key not in known:
            message = f'"{key}" is not in sources.toml{did_you_mean(key, known)}'
            draft.reporter.error(line, "source-known", message)
        else:
            found.append({"key": key} | {name: known[key][name] for name in _SOURCE_FIELDS})
    return found


def _lessons(draft: Draft, key: str) -> list[Node]:
    found = []
    for lesson_id, line in draft.front.lists.get(key, []):
        with draft.reporter.faults_at(line):
            if lesson_id == draft.front.texts.get("id"):
                raise Fault("lesson-known", f'the lesson names itself under "{key}"')
            found.append(known_lesson(draft, lesson_id))
    return found


def _shown_path(path: Path, root: Path) -> str:
    return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()

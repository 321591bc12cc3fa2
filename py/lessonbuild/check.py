"""`build.py check`: are the committed files exactly what the sources give?

Everything is built again in memory, without the cache, and compared byte for byte. Nothing is written, except
that an interrupted build is finished first: only then is there one set of files to compare.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from lessonbuild.artifact_store import INDEX, PUBLICATIONS, ArtifactStore
from lessonbuild.foundations import cycle_errors
from lessonbuild.hashing import ARTIFACT_NAME, canonical_hash, record_bytes, sha256_hex
from lessonbuild.index import Entry
from lessonbuild.lessons import note_recovery
from lessonbuild.outputs import index_file
from lessonbuild.project import DATA, Project, ProjectError, load_project
from lessonbuild.rendering import LessonRenderer, Rendered
from lessonbuild.report import Report
from lessonbuild.study.verify import study_problems

REBUILD: Final = "`python build.py lessons` writes it again"
STUDIES: Final = "studies"


def check(root: Path, report: Report) -> None:
    """Compare every generated file below `root` with its sources and report each difference."""
    store = ArtifactStore(root)
    with store.open() as moved:
        note_recovery(moved, report)
        try:
            project = load_project(root)
        except ProjectError as error:
            report.author_errors(error.errors)
            return
        lessons = _render_all(project)
        report.author_errors(sorted(error for lesson in lessons.values() for error in lesson.errors))
        expected = {file: data for lesson in lessons.values() for file, data in lesson.files.items()}
        if not report.errors:
            report.author_errors(cycle_errors(project, [one.entry for one in lessons.values()]))
        if not report.errors:
            _, expected[INDEX] = index_file(root, project.course, [one.entry for one in lessons.values()])
        for problem in [*differences(store, expected), *study_problems(root, store.folder / STUDIES)]:
            report.problem(problem)
        report.rendered += len(lessons)
        report.compared(len(expected))


def _render_all(project: Project) -> dict[str, Rendered]:
    with LessonRenderer(project) as renderer:
        return {lesson_id: renderer.render(lesson_id) for lesson_id in project.lessons}


def differences(store: ArtifactStore, expected: dict[str, bytes]) -> Iterator[str]:
    """One sentence per file that is not what it should be.

    The index on disk says what was written last. A file that is still as written, and not as expected now, is
    stale; one that is neither has been changed by something else than a build.
    """
    written = _written_last(store)
    artifacts = {_lesson_of(file): file for file in written if ARTIFACT_NAME.match(file)}
    replaced = {artifacts.get(_lesson_of(file)) for file in expected if file not in written}
    for file, data in expected.items():
        found, before = store.read(file), artifacts.get(_lesson_of(file), file)
        if found is None and before != file and store.read(before) is not None:
            found, file = store.read(before), before  # noqa: PLW2901 - an artifact has another name when it changes
        if found is None:
            yield f"{DATA}/{file}: missing; {REBUILD}"
        elif found != data and sha256_hex(found) == written.get(file):
            yield f"{DATA}/{file}: stale, its sources have changed; {REBUILD}"
        elif found != data:
            place = _first_difference(found, data)
            yield f"{DATA}/{file}: altered, not what a build wrote, from byte {place} on; {REBUILD}"
    for file in store.generated() if INDEX in expected else []:
        if file not in expected and file not in replaced:
            yield f"{DATA}/{file}: {_stray(file)}"


def _stray(file: str) -> str:
    if ARTIFACT_NAME.match(file):
        return "stray, nothing names it; `python build.py lessons` removes it"
    if file.startswith(f"{PUBLICATIONS}/"):
        return "stray, no lesson of this folder has this record; delete it, or bring its lesson back"
    return "stray, no file that a build writes has this name; delete or move it"


def _lesson_of(file: str) -> str:
    """The lesson of an artifact; of any other file its own name."""
    return ARTIFACT_NAME.sub(r"\g<id>", file)


def _written_last(store: ArtifactStore) -> dict[str, str]:
    """Path → SHA-256 as the last build wrote it, from an index that is itself as written; else nothing."""
    data = store.read(INDEX) or b""
    try:
        index: dict[str, Any] = json.loads(data)
        rest = {key: value for key, value in index.items() if key != "indexHash"}
        if canonical_hash(rest) != index["indexHash"] or record_bytes(index) != data:
            return {}
        entries: list[Entry] = index["lessons"]
        files = {file["path"]: file["sha256"] for entry in entries for file in entry["files"].values()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}
    return {**files, INDEX: sha256_hex(data)}


def _first_difference(found: bytes, expected: bytes) -> int:
    pairs = enumerate(zip(found, expected, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(found), len(expected)))

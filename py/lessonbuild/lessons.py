"""`build.py lessons`: bring lesson-data/ up to date with the sources, building only what has changed.

With a mistake in any source nothing is written: the files on disk stay the last good set.
"""

from __future__ import annotations

import contextlib
import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lessonbuild.artifact_store import INDEX, ArtifactStore
from lessonbuild.cache import BuildCache, Inputs, Trace
from lessonbuild.foundations import cycle_errors
from lessonbuild.hashing import ARTIFACT_NAME
from lessonbuild.outputs import index_file
from lessonbuild.project import DATA, Project, ProjectError, load_project
from lessonbuild.report import Report

if TYPE_CHECKING:
    from lessonbuild.rendering import LessonRenderer, Rendered


@dataclass(frozen=True, slots=True)
class Built:
    """What lesson-data/ holds after a build without errors."""

    project: Project
    index: dict[str, Any]


def build_lessons(root: Path, report: Report) -> Built | None:
    """Build all lessons below `root` and report on them; None when there were errors."""
    store = ArtifactStore(root)
    with store.open() as moved:
        note_recovery(moved, report)
        try:
            project = load_project(root)
        except ProjectError as error:
            report.author_errors(error.errors)
            return None
        return _build(project, store, report)


def note_recovery(moved: int, report: Report) -> None:
    """Tell when an interrupted build had to be finished."""
    if moved:
        report.note(f"finished an interrupted build: {moved} of its files were still to be put in place")


def _build(project: Project, store: ArtifactStore, report: Report) -> Built | None:
    cache = BuildCache(project.root)
    cache.clean()
    inputs = Inputs(project)
    fresh: dict[str, Rendered] = {}
    traces: list[Trace] = []
    with contextlib.ExitStack() as stack:
        renderer = functools.cache(lambda: stack.enter_context(_new_renderer(project)))
        for lesson_id in project.lessons:
            trace = cache.unchanged(lesson_id, inputs, store)
            if trace is None:
                # Hashed before it is read: an edit during the build then only costs another build.
                before = {address: inputs.fingerprint(address) for address in inputs.common(lesson_id)}
                fresh[lesson_id] = rendered = renderer().render(lesson_id)
                used = {address: inputs.fingerprint(address) for address in rendered.used}
                trace = Trace(before | used, rendered.entry, rendered.unchecked)
            traces.append(trace)
    report.rendered += len(fresh)
    report.cached += len(traces) - len(fresh)
    errors = [error for rendered in fresh.values() for error in rendered.errors]
    if errors:
        report.author_errors(sorted(errors))
        return None
    if circles := cycle_errors(project, [trace.entry for trace in traces]):
        report.author_errors(circles)
        return None
    index, index_bytes = index_file(project.root, project.course, [trace.entry for trace in traces])
    files = {file: (lesson, data) for lesson, one in fresh.items() for file, data in one.files.items()}
    _write(store, {**files, INDEX: ("index", index_bytes)}, index, report)
    for lesson_id, trace in zip(project.lessons, traces, strict=True):
        report.unchecked += trace.unchecked
        if lesson_id in fresh:
            cache.keep(lesson_id, trace)
    return Built(project, index)


def _write(
    store: ArtifactStore, files: dict[str, tuple[str, bytes]], index: dict[str, Any], report: Report
) -> None:
    changed = {file: (what, data) for file, (what, data) in files.items() if store.read(file) != data}
    named = [file["path"] for entry in index["lessons"] for file in entry["files"].values()]
    surplus = store.unnamed_artifacts(named)
    store.commit({file: data for file, (_, data) in changed.items()}, surplus)
    report.unchanged += len(named) + 1 - len(changed)
    for file, (what, data) in changed.items():
        report.wrote(what, f"{DATA}/{file}", len(data))
    for file in surplus:
        report.removed_file(ARTIFACT_NAME.sub(r"\g<id>", file), f"{DATA}/{file}")


def _new_renderer(project: Project) -> LessonRenderer:
    from lessonbuild.rendering import LessonRenderer  # noqa: PLC0415 - brings in NumPy and the core, 0.3 s

    return LessonRenderer(project)

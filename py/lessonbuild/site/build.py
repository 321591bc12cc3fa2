"""`build_site`: artifacts in, dist/ out. This file only says in which order the others work."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lessonbuild.atomic import locked
from lessonbuild.index import Entry
from lessonbuild.project import Project
from lessonbuild.report import Report
from lessonbuild.site.assets import build_assets
from lessonbuild.site.environment import make_environment
from lessonbuild.site.licences import components
from lessonbuild.site.node_renderer import NodeRenderer
from lessonbuild.site.output import Staging, replacing
from lessonbuild.site.page_cache import PageCache
from lessonbuild.site.page_writer import DrawnLesson, PageWriter
from lessonbuild.site.pages import LessonFiles, LessonParts, PageMaker
from lessonbuild.site.runtime_files import runtime_files, runtime_folder

INDEX = "index.json"


def build_site(project: Project, index: Mapping[str, Any], out: Path, report: Report) -> None:
    """Make the site of the lessons that `index` names and put it at `out` in one step.

    Raises SiteError, and leaves `out` as it was, when something is missing, when a figure cannot be drawn, or
    when `out` holds files that are not ours.
    """
    root = project.root
    with locked(root / ".cache" / "site" / "lock"), replacing(out) as site:
        cache = PageCache(root)
        with NodeRenderer(root) as renderer:
            maker = PageMaker(make_environment(root, renderer), project.course.title)
            lessons = [_draw(project, entry, maker, cache) for entry in index["lessons"]]
        assets = build_assets(root, (text for lesson in lessons for text in _contents(lesson.parts)))
        runtime = runtime_folder(root)
        shipped = components(root, runtime, assets.packages)

        site.write_all(assets.files, under="assets/")
        site.write_all(dict(runtime_files(runtime)), under="runtime/")
        _write_lesson_data(site, project, lessons)
        pages = PageWriter(site, maker, assets.names)
        for lesson in lessons:
            pages.lesson(lesson)
        pages.index(project.course, lessons)
        pages.licences(project.course, shipped)
        files = site.finish()
        cache.forget_unused()
    shown = out.relative_to(root) if out.is_relative_to(root) else out
    report.note(f"site: {cache.counts()}, {files} files in {shown}")


def _draw(project: Project, entry: Entry, maker: PageMaker, cache: PageCache) -> DrawnLesson:
    files = LessonFiles(**{kind: each["path"] for kind, each in entry["files"].items()})
    data = (project.data_dir / files.artifact).read_bytes()
    topic = entry["topicTitle"]
    decides = data + topic.encode()
    parts = cache.load(entry["id"], decides)
    if parts is None:
        parts = maker.lesson_parts(json.loads(data), files, topic)
        cache.store(entry["id"], decides, parts)
    return DrawnLesson(entry, files, parts)


def _contents(parts: LessonParts) -> Iterator[str]:
    """All HTML of a lesson in which formulas may occur; inside its data, quotes are escaped."""
    yield parts.main
    yield parts.solutions
    yield parts.data.replace('\\"', '"')


def _write_lesson_data(site: Staging, project: Project, lessons: list[DrawnLesson]) -> None:
    names = [INDEX, *(file for lesson in lessons for file in lesson.files.all())]
    for name in names:
        site.write(f"lesson-data/{name}", (project.data_dir / name).read_bytes())

"""Pages are valid HTML by html-validate's standard rules: ours, and those of the lessons in this folder."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from sample_lesson import sample_artifact

from lessonbuild.project import Course
from lessonbuild.site.environment import make_environment
from lessonbuild.site.node_renderer import NodeRenderer
from lessonbuild.site.output import Staging
from lessonbuild.site.page_writer import DrawnLesson, PageWriter
from lessonbuild.site.pages import LessonFiles, PageMaker

ROOT = Path(__file__).parents[3]
NAMES = {name: f"{name}.x" for name in ("early", "page", "atlas", "style", "icon", "worker", "plotly")}
TOPIC = "Topic & more"
COURSE = Course("Course & title", "About <it>.", "https://example.org/", ("sample-lesson",), {})


def real_artifacts() -> list[dict[str, object]]:
    """The artifacts that are committed in this folder."""
    index = json.loads((ROOT / "lesson-data/index.json").read_bytes())
    files = [entry["files"]["artifact"]["path"] for entry in index["lessons"]]
    return [json.loads((ROOT / "lesson-data" / file).read_bytes()) for file in files]


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Lesson, solutions and index pages, with real formulas and pictures."""
    files = LessonFiles("a.json", "publications/a.json", "publications/a.md")
    with NodeRenderer(ROOT) as renderer:
        maker = PageMaker(make_environment(ROOT, renderer), COURSE.title)
        writer = PageWriter(Staging(tmp_path), maker, NAMES)
        lessons = [
            DrawnLesson({**artifact, "topicTitle": TOPIC}, files, maker.lesson_parts(artifact, files, TOPIC))
            for artifact in [sample_artifact(), *real_artifacts()]
        ]
        for lesson in lessons:
            writer.lesson(lesson)
        writer.index(COURSE, lessons)
        writer.licences(COURSE, [])
    return tmp_path


def test_html_validate_finds_nothing(pages: Path) -> None:
    node = shutil.which("node")
    assert node is not None
    done = subprocess.run(
        [
            node,
            str(ROOT / "node_modules/html-validate/bin/html-validate.mjs"),
            "--config",
            str(ROOT / ".htmlvalidate.json"),
            *sorted(str(page) for page in pages.rglob("*.html")),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr

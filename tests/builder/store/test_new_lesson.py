"""`new` starts a lesson that builds, and changes nothing else than the course's list."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from store_workspace import here, run, workspace

from lessonbuild.check import check
from lessonbuild.lessons import build_lessons
from lessonbuild.new import NewLessonError, new_lesson


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project without lessons."""
    return workspace(tmp_path_factory.mktemp("new"), lessons=False)


@pytest.fixture
def project(shared: Path) -> Iterator[Path]:
    """The project, with the files around the lessons and no lesson."""
    course = shared / "lesson-data/course.toml"
    kept = course.read_bytes()
    yield shared
    course.write_bytes(kept)
    for path in shared.glob("lesson-data/lessons/*/lesson.md"):
        path.unlink()


def course_of(root: Path, order: str) -> Path:
    """Write the course's order in a layout of its own; returns the file."""
    path = root / "lesson-data/course.toml"
    path.write_text(path.read_text().replace("order = []", order))
    return path


def add_lesson(root: Path, name: str) -> None:
    """Make a lesson's file, so that the order may name it."""
    path = root / "lesson-data/lessons" / name / "lesson.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")


def test_a_new_lesson_builds_at_once_and_has_every_part(project: Path) -> None:
    code, out, err = run(project, "new", "advantage-first")
    assert (code, err) == (0, "")
    assert out.startswith("wrote    advantage-first  lesson-data/lessons/advantage-first/lesson.md\n")
    report, said = here(build_lessons, project)
    assert report.exit_code == 0, said
    assert here(check, project)[0].exit_code == 0
    index = json.loads((project / "lesson-data/index.json").read_text())
    assert [(entry["id"], entry["title"]) for entry in index["lessons"]] == [
        ("advantage-first", "Advantage first")
    ]
    artifact = json.loads(
        (project / "lesson-data" / index["lessons"][0]["files"]["artifact"]["path"]).read_text()
    )
    assert len(artifact["widgets"]) == 1
    assert len(artifact["exercises"]) == 1
    assert [equation["check"] for equation in artifact["equations"]] == ["core"]
    assert len(artifact["fixtures"]) >= 4


def test_a_number_typed_into_a_new_lesson_is_an_error(project: Path) -> None:
    path = new_lesson(project, "with-a-number")
    path.write_text(path.read_text().replace("Begin with a case", "Begin with 1 case"))
    line = path.read_text().split("Begin with")[0].count("\n") + 1
    _, said = here(build_lessons, project)
    assert f"lesson-data/lessons/with-a-number/lesson.md:{line}: error: " in said
    assert "[number-typed]" in said


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("order = []", 'order = ["new-one"]'),
        ('order = ["a"]', 'order = ["a", "new-one"]'),
        ('order = ["a", "b",]', 'order = ["a", "b", "new-one"]'),
        ("order = ['a'] # why", "order = ['a', \"new-one\"] # why"),
        ('order = [\n  "a",\n  "b", # ] "no"\n]', 'order = [\n  "a",\n  "b",\n  "new-one", # ] "no"\n]'),
        ('order = [\n    "a",\n    "b"\n]', 'order = [\n    "a",\n    "b",\n    "new-one"\n]'),
        ("order = [ # first\n]", 'order = ["new-one" # first\n]'),
        ('order = ["new-one"]', 'order = ["new-one"]'),
    ],
)
def test_only_the_order_of_the_course_changes(project: Path, order: str, expected: str) -> None:
    add_lesson(project, "a")
    add_lesson(project, "b")
    path = course_of(project, order)
    before = path.read_text()
    others = {
        file: file.read_bytes()
        for file in project.glob("lesson-data/**/*")
        if file.is_file() and file != path
    }
    new_lesson(project, "new-one")
    after = path.read_text()
    listed = [name for name in tomllib.loads(before)["order"] if name != "new-one"]
    assert tomllib.loads(after)["order"] == [*listed, "new-one"]
    assert after == before.replace(order, expected), after
    assert {file: file.read_bytes() for file in others} == others


def test_a_lesson_that_was_elsewhere_takes_its_title_and_leaves_the_list(project: Path) -> None:
    path = project / "lesson-data/course.toml"
    before = path.read_text()
    source = new_lesson(project, "output-head")
    assert "\ntitle: Output head and decoding\n" in source.read_text()
    assert path.read_text() == before.replace('output-head = "Output head and decoding"\n', "").replace(
        "order = []", 'order = ["output-head"]'
    )
    assert here(build_lessons, project)[0].exit_code == 0


@pytest.mark.parametrize(
    ("lesson_id", "message"),
    [
        ("Policy Gradients", 'use lower-case words joined by hyphens; "policy-gradients" would do'),
        ("a_b", '"a-b" would do'),
        ("-a", '"a" would do'),
        ("a--b", '"a-b" would do'),
        ("../up", '"up" would do'),
        ("", '"" is no lesson id'),
        ("é", '"é" is no lesson id: use lower-case words joined by hyphens'),
        ("a" * 81, "the id has 81 characters; file names allow 80"),
    ],
)
def test_an_id_that_cannot_be_used_is_refused_with_one_that_can(
    project: Path, lesson_id: str, message: str
) -> None:
    before = (project / "lesson-data/course.toml").read_bytes()
    with pytest.raises(NewLessonError) as caught:
        new_lesson(project, lesson_id)
    assert message in str(caught.value)
    assert (project / "lesson-data/course.toml").read_bytes() == before
    assert not list(project.glob("lesson-data/lessons/*/lesson.md"))


def test_an_existing_lesson_is_kept(project: Path) -> None:
    path = new_lesson(project, "twice")
    path.write_text("mine")
    code, _, err = run(project, "new", "twice")
    assert code == 2
    assert "lesson-data/lessons/twice/lesson.md is there already; edit it, or choose another id" in err
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("lesson_id", "title"), [("step-2-gae", "Step gae"), ("42", "Untitled"), ("ppo", "Ppo")]
)
def test_the_title_made_from_an_id_holds_no_digit(project: Path, lesson_id: str, title: str) -> None:
    new_lesson(project, lesson_id)
    report, said = here(build_lessons, project)
    assert report.exit_code == 0, said
    index = json.loads((project / "lesson-data/index.json").read_text())
    assert index["lessons"][-1]["title"] == title


def test_an_order_in_an_unusual_layout_is_left_to_the_author(project: Path) -> None:
    path = project / "lesson-data/course.toml"
    path.write_text(path.read_text().replace("order = []", '"order" = []'))
    before = path.read_bytes()
    with pytest.raises(NewLessonError, match='add "by-hand" to its order'):
        new_lesson(project, "by-hand")
    assert path.read_bytes() == before
    assert not list(project.glob("lesson-data/lessons/*/lesson.md"))

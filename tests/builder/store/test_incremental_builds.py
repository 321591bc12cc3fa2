"""Only lessons whose inputs have changed are built again, and nothing is ever taken for built that is not."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from many_lessons import FAMILIES, family_of, lesson_id, write_lessons
from store_workspace import built, edit, generated, here, kept, run, workspace

from lessonbuild.check import check
from lessonbuild.lessons import build_lessons
from lessonbuild.rendering import LessonRenderer, Rendered

COUNT = 2 * len(FAMILIES)
IDS = [lesson_id(number) for number in range(COUNT)]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with two lessons of each family, built."""
    root = workspace(tmp_path_factory.mktemp("incremental"), lessons=False)
    write_lessons(root, COUNT)
    assert built(root).startswith(f"{COUNT} lessons rendered, 0 from cache, {3 * COUNT + 1} files written")
    return root


@pytest.fixture(autouse=True)
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the lessons that a build in this process renders."""
    names: list[str] = []
    render = LessonRenderer.render

    def noted(renderer: LessonRenderer, name: str) -> Rendered:
        names.append(name)
        return render(renderer, name)

    monkeypatch.setattr(LessonRenderer, "render", noted)
    return names


@pytest.fixture
def restored(project: Path) -> Iterator[Path]:
    """The project, put back as it was afterwards."""
    with kept(project):
        yield project


def of_family(*families: str) -> list[str]:
    """The lessons of some families."""
    return [lesson_id(number) for number in range(COUNT) if family_of(number) in families]


def lesson(root: Path, name: str) -> Path:
    """The source of a lesson."""
    return root / "lesson-data" / "lessons" / name / "lesson.md"


def change_function(root: Path, name: str) -> None:
    """Let a function of the core do the same in one step more."""
    module, _, function = name.rpartition(".")
    path = root / "py" / "policygrad" / f"{module.replace('.', '/')}.py"
    text = path.read_text()
    body = next(
        node.body
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef) and node.name == function
    )
    lines = text.split("\n")
    lines.insert(body[1].lineno - 1, " " * body[1].col_offset + "_ = 0")
    path.write_text("\n".join(lines))


def test_a_second_build_renders_nothing_and_writes_nothing(project: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (project / "lesson-data").rglob("*")}
    assert built(project) == (
        f"0 lessons rendered, {COUNT} from cache, 0 files written, {3 * COUNT + 1} unchanged, 0 errors"
    )
    assert {path: path.stat().st_mtime_ns for path in (project / "lesson-data").rglob("*")} == before


def test_one_changed_lesson_renders_one(restored: Path) -> None:
    edit(lesson(restored, IDS[3]), "goes on for a while", "goes on for a long while")
    assert built(restored) == (
        f"1 lesson rendered, {COUNT - 1} from cache, 4 files written, {3 * COUNT - 3} unchanged, 1 removed, "
        "0 errors"
    )


def test_a_new_title_renders_the_lessons_that_name_it(restored: Path, rendered: list[str]) -> None:
    path = lesson(restored, IDS[3])
    path.write_text(path.read_text().replace("Generated lesson D", "Another title"))
    here(build_lessons, restored)
    assert rendered == [IDS[3], IDS[4]]  # the second one names the first as its foundation


@pytest.mark.parametrize(
    ("function", "families"),
    [
        pytest.param("distributions.entropy", ["slope"], id="one-family"),
        pytest.param("surrogate.clipped_objective_slope", ["slope"], id="called-in-an-exercise"),
        pytest.param("distributions.kl_terms", ["kl"], id="used-by-another-function"),
        pytest.param("_checks.shown", list(FAMILIES), id="helper-of-all"),
        pytest.param("returns.rewards_to_go", [], id="used-by-none"),
        pytest.param("views.kl.draw", ["kl"], id="view"),
        pytest.param("bridge.plain", list(FAMILIES), id="bridge"),
    ],
)
def test_a_changed_function_of_the_core_renders_exactly_its_users(
    restored: Path, rendered: list[str], function: str, families: list[str]
) -> None:
    change_function(restored, function)
    here(build_lessons, restored)
    assert rendered == of_family(*families)


def test_comments_and_docstrings_of_the_core_render_nothing(restored: Path, rendered: list[str]) -> None:
    for path in (restored / "py" / "policygrad").rglob("*.py"):
        path.write_text(path.read_text().replace('    """', '    """In other words. ', 1) + "\n# the end\n")
    here(build_lessons, restored)
    assert rendered == []


def test_a_source_entry_renders_the_lessons_that_cite_it(restored: Path, rendered: list[str]) -> None:
    edit(lesson(restored, IDS[0]), "sources: [ppo]", "sources: [ppo, trpo]")
    here(build_lessons, restored)
    rendered.clear()
    edit(restored / "lesson-data/sources.toml", "Trust Region Policy Optimization", "Trust regions")
    here(build_lessons, restored)
    assert rendered == [IDS[0]]


def test_entries_that_no_lesson_uses_render_nothing(restored: Path, rendered: list[str]) -> None:
    edit(restored / "lesson-data/sources.toml", "Approximating KL Divergence", "Approximating KL")
    edit(restored / "lesson-data/course.toml", "Learn a reward from", "Learn rewards from")
    edit(restored / "lesson-data/glossary.toml", "How much better", "By how much better")
    here(build_lessons, restored)
    assert rendered == []


def test_a_title_elsewhere_renders_the_lessons_that_name_it(restored: Path, rendered: list[str]) -> None:
    edit(restored / "lesson-data/course.toml", "Output head and decoding", "Output head")
    here(build_lessons, restored)
    assert rendered == IDS


def test_the_builder_the_base_url_and_a_schema_concern_every_lesson(
    restored: Path, rendered: list[str]
) -> None:
    for file, old, new in [
        ("py/lessonbuild/record.py", '"learning"', '"learning" + ""'),
        ("lesson-data/course.toml", "https://example.org/", "https://example.com/"),
        ("lesson-data/schema/record.schema.json", "a published lesson", "one published lesson"),
    ]:
        rendered.clear()
        edit(restored / file, old, new)
        here(build_lessons, restored)
        assert rendered == IDS, file


def test_pages_of_the_builder_concern_no_lesson(restored: Path, rendered: list[str]) -> None:
    path = restored / "py/lessonbuild/site/errors.py"
    path.write_text(path.read_text() + "\nMORE = 1\n")
    here(build_lessons, restored)
    assert rendered == []


@pytest.mark.parametrize("suffix", [".json", ".md"])
def test_an_altered_or_missing_file_is_written_again(
    restored: Path, rendered: list[str], suffix: str
) -> None:
    whole = generated(restored)
    path = restored / "lesson-data/publications" / f"atlas-lesson-{IDS[1]}{suffix}"
    for damage in (path.unlink, lambda: path.write_bytes(path.read_bytes()[:-1])):
        rendered.clear()
        damage()
        here(build_lessons, restored)
        assert rendered == [IDS[1]]
        assert generated(restored) == whole


def test_a_damaged_or_foreign_cache_entry_is_ignored(restored: Path, rendered: list[str]) -> None:
    cache = restored / ".cache/build/lessons"
    entries = [cache / f"{name}.json" for name in IDS]
    text = entries[0].read_bytes()
    entries[0].write_bytes(text[:-10] + b"x" + text[-9:])
    entries[1].write_bytes(b"")
    entries[2].unlink()
    entries[3].write_bytes(text)  # another lesson's
    entries[4].write_bytes(b"[]")
    (cache / ".left.json.1.tmp").write_bytes(b"half")
    here(build_lessons, restored)
    assert rendered == IDS[:5]
    assert not list(cache.glob(".*"))


def test_a_cache_that_cannot_be_written_costs_time_only(restored: Path, rendered: list[str]) -> None:
    entry = restored / ".cache/build/lessons" / f"{IDS[0]}.json"
    text = entry.read_bytes()
    entry.unlink()
    (entry / "inside").mkdir(parents=True)
    for _ in range(2):
        report, _ = here(build_lessons, restored)
        assert report.exit_code == 0
    assert rendered == [IDS[0], IDS[0]]
    shutil.rmtree(entry)
    entry.write_bytes(text)


def test_a_mistake_is_reported_in_every_run_and_leaves_the_last_good_files(restored: Path) -> None:
    whole = generated(restored)
    path = lesson(restored, IDS[2])
    edit(path, "goes on for a while", "goes on for 3 whiles")
    line = path.read_text().split(" 3 whiles")[0].count("\n") + 1
    edit(lesson(restored, IDS[5]), "goes on for a while", "goes on and on")
    for _ in range(2):
        code, out, err = run(restored, "lessons")
        assert code == 1
        assert f"{path.relative_to(restored).as_posix()}:{line}: error: " in err
        assert "[number-typed]" in err
        assert out.splitlines()[-1].endswith("0 files written, 0 unchanged, 1 error")
        assert generated(restored) == whole
    edit(path, "goes on for 3 whiles", "goes on for a while")
    report, _ = here(build_lessons, restored)
    assert report.exit_code == 0
    assert generated(restored) != whole


def test_a_lesson_that_is_gone_takes_its_artifact_with_it_and_leaves_its_record(restored: Path) -> None:
    name = IDS[-1]
    lesson(restored, name).unlink()
    report, said = here(build_lessons, restored)
    assert report.exit_code == 0
    assert f"removed  {name}  lesson-data/{name}-" in said
    report, said = here(check, restored)
    record = f"lesson-data/publications/atlas-lesson-{name}"
    assert report.exit_code == 1
    assert f"error: {record}.json: stray, no lesson of this folder has this record" in said
    assert f"error: {record}.md: stray" in said

"""Mistakes in the files around the lessons are reported together, each at its line and with what is meant."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from store_workspace import ROOT, edit

from lessonbuild import errors as error_rules
from lessonbuild import project as project_rules
from lessonbuild import toml_source as toml_rules
from lessonbuild.project import Project, ProjectError, load_project
from lessonbuild.toml_source import line_of

DATA = "lesson-data"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Our own files around the lessons, and our lessons."""
    shutil.copytree(ROOT / DATA, tmp_path / DATA)
    return tmp_path


def errors_of(root: Path) -> list[str]:
    """What loading the project says, line by line."""
    with pytest.raises(ProjectError) as caught:
        load_project(root)
    return str(caught.value).splitlines()


def test_our_own_files_are_right() -> None:
    project = load_project(ROOT)
    assert project.course.base_url.endswith("/")
    assert next(iter(project.lessons)) == project.course.order[0] == "policy-gradient-kl-control"
    assert project.lessons["policy-gradient-kl-control"] == "Rollouts, advantages and PPO constraints"
    assert project.sources["ppo"]["url"] == "https://arxiv.org/abs/1707.06347"
    assert project.sources["instructgpt"]["url"] == "https://arxiv.org/abs/2203.02155"


CASES = [
    pytest.param(
        "course.toml",
        'base_url = "https://example.org/policy-gradients/"',
        'base_url = "https://example.org/policy-gradients"',
        "\"base_url\": 'https://example.org/policy-gradients' does not match '^https?://[^\\\\s?#]+/$'; "
        "expected an absolute http or https address that ends in a slash [toml-schema]",
        id="value",
    ),
    pytest.param(
        "course.toml", "order = [", "ordr = [", '"order" is missing [toml-schema]', id="missing-key"
    ),
    pytest.param(
        "course.toml",
        "order = [",
        "ordr = [",
        'unknown key "ordr"; did you mean "order"? [toml-schema]',
        id="unknown-key",
    ),
    pytest.param(
        "course.toml",
        '["policy-gradient-kl-control"]',
        '["policy-gradients-kl-control"]',
        'the order names "policy-gradients-kl-control", but there is no '
        "lesson-data/lessons/policy-gradients-kl-control/lesson.md; "
        'did you mean "policy-gradient-kl-control"? [course-order]',
        id="order",
    ),
    pytest.param(
        "course.toml",
        'output-head = "Output head',
        'policy-gradient-kl-control = "Output head',
        '"policy-gradient-kl-control" is in this folder now; remove it from [elsewhere] [course-elsewhere]',
        id="elsewhere",
    ),
    pytest.param(
        "course.toml",
        "[topics]",
        "[topicz]",
        '"topics" is missing [toml-schema]',
        id="topics",
    ),
    pytest.param(
        "sources.toml", "year = 2017", "", '"year" is missing in "ppo" [toml-schema]', id="in-a-table"
    ),
    pytest.param(
        "sources.toml",
        "year = 2017",
        'year = "2017"',
        "\"ppo.year\": '2017' is not of type 'integer'; expected a year with four digits [toml-schema]",
        id="type",
    ),
    pytest.param(
        "glossary.toml",
        "unit = ",
        "units = ",
        'unknown key "units" in "advantage"; did you mean "unit"? [toml-schema]',
        id="glossary",
    ),
    pytest.param(
        "sources.toml", "year = 2017", "year = ", "not valid TOML: Invalid value [toml-syntax]", id="syntax"
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "message"), CASES)
def test_a_mistake_is_reported_at_its_line(root: Path, file: str, old: str, new: str, message: str) -> None:
    path = root / DATA / file
    line = path.read_text().split(old)[0].count("\n") + 1
    if new == "" or "is missing [" in message:  # what is missing is reported at its table, or at the top
        line = 1 if file == "course.toml" else path.read_text().split("[ppo]")[0].count("\n") + 1
    edit(path, old, new)
    assert f"{DATA}/{file}:{line}: error: {message}" in errors_of(root)


def test_all_mistakes_of_all_files_are_reported_in_one_run(root: Path) -> None:
    edit(root / DATA / "course.toml", "title = ", "titel = ")
    edit(root / DATA / "sources.toml", "year = 2017", "")
    edit(root / DATA / "glossary.toml", "[advantage]", "[advantage")
    (root / DATA / "lessons" / "Bad_Name").mkdir()
    (root / DATA / "lessons" / "Bad_Name" / "lesson.md").write_text("")
    said = errors_of(root)
    assert len(said) == 5
    assert {line.rsplit("[", 1)[1] for line in said} == {"toml-schema]", "toml-syntax]", "lesson-folder]"}
    assert said == sorted(said)


def test_a_folder_that_holds_no_lesson_is_reported_and_an_empty_one_is_not(root: Path) -> None:
    lessons = root / DATA / "lessons"
    for name in ("empty", "folder/lesson.md", "broken", "misnamed", "kl-solutions", "a" * 81):
        (lessons / name).mkdir(parents=True)
    (lessons / "broken" / "lesson.md").symlink_to("nowhere")
    for file in ("misnamed/Lesson.md", "kl-solutions/lesson.md", "a" * 81 + "/lesson.md"):
        (lessons / file).write_text("")
    reserved = '"kl-solutions" would be the page of worked solutions of another lesson; choose another id'
    expected = {
        "a" * 81: "the id has 81 characters; file names allow 80",
        "broken": "this is a link that leads nowhere; put the file itself here",
        "folder": "this is not a file; a lesson's source is one",
        "kl-solutions": reserved,
        "misnamed": "the folder has no lesson.md; rename Lesson.md",
    }
    assert errors_of(root) == [
        f"{DATA}/lessons/{name}/lesson.md:1: error: {fault} [lesson-folder]"
        for name, fault in expected.items()
    ]


@pytest.mark.parametrize("change", [("\ufeff", "\n"), ("", "\r\n")], ids=["mark", "line-ends"])
def test_a_byte_order_mark_and_windows_line_ends_are_no_mistakes(root: Path, change: tuple[str, ...]) -> None:
    before = load_project(root)
    for name in ("course.toml", "sources.toml", "glossary.toml"):
        text = (root / DATA / name).read_text(encoding="utf-8")
        (root / DATA / name).write_bytes((change[0] + text.replace("\n", change[1])).encode())
    after = load_project(root)
    assert (after.course, after.sources) == (before.course, before.sources)


@pytest.mark.parametrize("name", ["course.toml", "sources.toml", "glossary.toml"])
def test_a_missing_file_and_one_that_is_not_text_are_named(root: Path, name: str) -> None:
    path = root / DATA / name
    path.write_bytes(b"title = '\xff'\n")
    assert f"{DATA}/{name}:1: error: the file is not UTF-8 text (byte 9) [toml-syntax]" in errors_of(root)
    path.unlink()
    assert (
        f"{DATA}/{name}:1: error: the file is missing; restore it from version control [toml-syntax]"
        in errors_of(root)
    )


def test_lessons_that_are_not_in_the_order_follow_it(root: Path) -> None:
    for name in ("zeta", "alpha"):
        (root / DATA / "lessons" / name).mkdir()
        (root / DATA / "lessons" / name / "lesson.md").write_text(f"---\ntitle: '{name} title'\n---\n")
    project = load_project(root)
    assert list(project.lessons) == ["policy-gradient-kl-control", "alpha", "zeta"]
    assert project.lessons["zeta"] == "zeta title"


def test_a_lesson_without_a_readable_title_is_called_by_its_id(root: Path) -> None:
    (root / DATA / "lessons" / "torn").mkdir()
    (root / DATA / "lessons" / "torn" / "lesson.md").write_bytes(b"---\ntitle: [\xff\n---\n")
    assert load_project(root).lessons["torn"] == "torn"


def test_what_is_looked_up_is_noted_and_has_a_fingerprint(root: Path) -> None:
    seen: set[str] = set()
    project = load_project(root)
    noting = project.noting(seen.add)
    assert "ppo" in noting.sources
    assert noting.sources["ppo"] == project.sources["ppo"]
    assert noting.course.elsewhere.get("nothing") is None
    assert noting.lessons["policy-gradient-kl-control"]
    assert list(noting.glossary) == list(project.glossary)
    assert len(noting.glossary) > 0
    assert seen == {"sources/ppo", "elsewhere/nothing", "lessons/policy-gradient-kl-control", "glossary/*"}
    before = {address: project.fingerprint(address) for address in seen}
    for address, file, old, new in [
        ("sources/ppo", "sources.toml", "year = 2017", "year = 2018"),
        ("elsewhere/nothing", "course.toml", "[elsewhere]", '[elsewhere]\nnothing = "Something"'),
        ("glossary/*", "glossary.toml", "How much better", "By how much better"),
    ]:
        edit(root / DATA / file, old, new)
        after: Project = load_project(root)
        changed = {one for one in seen if after.fingerprint(one) != before[one]}
        assert address in changed
        before = {one: after.fingerprint(one) for one in seen}
        assert changed == {address}


def test_a_line_is_found_for_every_kind_of_place() -> None:
    text = 'a = 1\n[t]\nb = 2\n"c d" = 3\n[t.u] # more\ne = 4\n'
    assert line_of(text, ["a"]) == 1
    assert line_of(text, ["t"]) == 2
    assert line_of(text, ["t", "c d"]) == 4
    assert line_of(text, ["t", "u", "e"]) == 6
    assert line_of(text, ["t", "u", "missing"]) == 5
    assert line_of(text, ["missing"]) == 1


def test_every_rule_of_these_files_has_a_case_here() -> None:
    rules = {**toml_rules.RULES, **project_rules.RULES}
    shown = {str(case.values[3]).rsplit("[", 1)[1].rstrip("]") for case in CASES} | {"lesson-folder"}
    assert set(rules) == shown
    assert set(rules).isdisjoint(error_rules.RULES)

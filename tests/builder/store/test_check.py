"""`check` accepts exactly what the sources give and names every file that is anything else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from many_lessons import lesson_id, write_lessons
from store_workspace import built, edit, generated, here, kept, run, workspace

from lessonbuild.artifact_store import ArtifactStore
from lessonbuild.check import check, differences
from lessonbuild.lessons import build_lessons

NAME = lesson_id(0)
RECORD = f"publications/atlas-lesson-{NAME}.json"
MARKDOWN = f"publications/atlas-lesson-{NAME}.md"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with one small lesson, built."""
    root = workspace(tmp_path_factory.mktemp("check"), lessons=False)
    write_lessons(root, 1)
    built(root)
    return root


@pytest.fixture
def restored(project: Path) -> Iterator[Path]:
    """The project, put back as it was afterwards."""
    with kept(project):
        yield project


def path_of(root: Path, kind: str) -> Path:
    """A generated file by what it is."""
    data = root / "lesson-data"
    (artifact,) = data.glob(f"{NAME}-*.json")
    return {
        "artifact": artifact,
        "record": data / RECORD,
        "markdown": data / MARKDOWN,
        "index": data / "index.json",
    }[kind]


def flipped(place: float) -> Callable[[bytes], bytes]:
    """Change one bit of the byte at this share of the file."""

    def change(data: bytes) -> bytes:
        at = min(int(len(data) * place), len(data) - 1)
        return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]

    return change


ALTERATIONS = {
    "first-byte": flipped(0),
    "early-byte": flipped(0.21),
    "middle-byte": flipped(0.5),
    "late-byte": flipped(0.87),
    "last-byte": flipped(1),
    "one-more": lambda data: data + b"\n",
    "one-less": lambda data: data[:-1],
    "windows-lines": lambda data: data.replace(b"\n", b"\r\n"),
    "empty": lambda _: b"",
}


def test_what_was_built_is_accepted(project: Path) -> None:
    code, out, err = run(project, "check")
    assert (code, err) == (0, "")
    assert out == "1 lesson built in memory, 4 files compared, 0 errors\n"


@pytest.mark.parametrize("kind", ["artifact", "record", "markdown", "index"])
def test_any_altered_byte_is_found_and_the_file_is_named(restored: Path, kind: str) -> None:
    path = path_of(restored, kind)
    shown = path.relative_to(restored).as_posix()
    whole = path.read_bytes()
    expected = generated(restored)
    for name, change in ALTERATIONS.items():
        path.write_bytes(change(whole))
        (said,) = differences(ArtifactStore(restored), expected)
        assert said.startswith(f"{shown}: altered, not what a build wrote, from byte "), name
    path.write_bytes(flipped(0.4)(whole))
    code, out, err = run(restored, "check")
    assert code == 1
    assert err.startswith(
        f"error: {shown}: altered, not what a build wrote, from byte {int(len(whole) * 0.4)} on; "
    )
    assert err.endswith("`python build.py lessons` writes it again\n")
    assert out.endswith("4 files compared, 1 error\n")


@pytest.mark.parametrize("kind", ["artifact", "record", "markdown", "index"])
def test_a_missing_file_is_named(restored: Path, kind: str) -> None:
    path = path_of(restored, kind)
    path.unlink()
    report, said = here(check, restored)
    assert report.exit_code == 1
    assert f"error: {path.relative_to(restored).as_posix()}: missing; `python build.py lessons`" in said


def test_after_a_change_of_the_source_the_files_are_stale_and_not_altered(restored: Path) -> None:
    edit(restored / f"lesson-data/lessons/{NAME}/lesson.md", "for a while", "for a long while")
    old = path_of(restored, "artifact").name
    report, said = here(check, restored)
    assert report.exit_code == 1
    assert f"error: lesson-data/{old}: stale, its sources have changed; " in said
    for file in (MARKDOWN, RECORD, "index.json"):
        assert f"error: lesson-data/{file}: stale, its sources have changed; " in said
    assert "altered" not in said


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (f"{NAME}-0123456789abcdef.json", "stray, nothing names it; `python build.py lessons` removes it"),
        ("publications/atlas-lesson-gone.md", "stray, no lesson of this folder has this record; delete it"),
        ("publications/.hidden", "stray, no lesson of this folder has this record; delete it"),
        ("copy of index.json", "stray, no file that a build writes has this name; delete or move it"),
    ],
)
def test_a_stray_file_is_named_with_what_to_do(restored: Path, file: str, message: str) -> None:
    (restored / "lesson-data" / file).write_text("{}")
    report, said = here(check, restored)
    assert report.exit_code == 1
    assert f"error: lesson-data/{file}: {message}" in said


def test_check_writes_nothing_and_does_not_trust_the_cache(restored: Path) -> None:
    path = path_of(restored, "markdown")
    path.write_bytes(path.read_bytes() + b"more\n")
    before = generated(restored)
    cache = restored / ".cache/build/lessons" / f"{NAME}.json"
    entry = cache.read_bytes()
    assert here(check, restored)[0].exit_code == 1
    assert generated(restored) == before
    assert cache.read_bytes() == entry
    cache.unlink()
    here(build_lessons, restored)
    assert here(check, restored)[0].exit_code == 0


def test_check_finishes_an_interrupted_build_before_it_looks(restored: Path) -> None:
    path = path_of(restored, "markdown")
    pending = restored / "lesson-data/.pending"
    pending.mkdir()
    path.rename(pending / "0")
    (pending / "journal.json").write_text(json.dumps({"files": [MARKDOWN], "remove": []}))
    code, out, err = run(restored, "check")
    assert (code, err) == (0, "")
    assert out.startswith("finished an interrupted build: 1 of its files were still to be put in place\n")
    assert path.exists()
    assert not pending.exists()


def test_a_typed_digit_is_an_error_of_check_too(restored: Path) -> None:
    edit(restored / f"lesson-data/lessons/{NAME}/lesson.md", "for a while", "for 2 whiles")
    report, said = here(check, restored)
    assert report.exit_code == 1
    assert "[number-typed]" in said
    assert "stray" not in said


def test_a_study_is_checked_by_the_hash_in_its_name(restored: Path) -> None:
    folder = restored / "lesson-data/studies"
    folder.mkdir(exist_ok=True)
    altered = folder / "cartpole-smoke-ca3d163bab055381.json"
    altered.write_text("{ }\n")  # the name is that of "{}\n"
    report, said = here(check, restored)
    altered.unlink()
    assert report.exit_code == 1
    assert f"error: lesson-data/studies/{altered.name}: altered, its name holds another hash" in said

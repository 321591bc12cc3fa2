"""Generated files change together: whatever step a run is stopped at, one whole generation is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lessonbuild import artifact_store, atomic
from lessonbuild.artifact_store import ArtifactStore

OLD = {
    "a-0000000000000001.json": b"old artifact",
    "publications/atlas-lesson-a.md": b"old text",
    "publications/atlas-lesson-a.json": b"old record",
    "index.json": b"old index",
}
NEW = {
    "a-0000000000000002.json": b"new artifact",
    "publications/atlas-lesson-a.md": b"new text",
    "publications/atlas-lesson-a.json": b"new record",
    "index.json": b"new index",
}
UNNAMED = ["a-0000000000000001.json"]


class Killed(BaseException):
    """Stands for the process ending here: nothing of it runs any more."""


def make_store(folder: Path, files: dict[str, bytes]) -> ArtifactStore:
    """A store that holds the given generation."""
    (folder / "lesson-data").mkdir()
    store = ArtifactStore(folder)
    with store.open():
        store.commit(files, [])
    return store


def content(store: ArtifactStore) -> dict[str, bytes | None]:
    """Every generated file with its bytes."""
    return {file: store.read(file) for file in store.generated()}


def killed_at(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the process end before its file operation number `step`."""
    count = 0

    def counted(operation: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **options: Any) -> Any:
            nonlocal count
            count += 1
            if count >= step:  # every later operation too: a cleanup of a dead process does not happen
                raise Killed
            return operation(*arguments, **options)

        return run

    for owner, name in [
        (Path, "replace"),
        (Path, "unlink"),
        (Path, "mkdir"),
        (artifact_store, "write_durably"),
        (atomic, "write_durably"),
        (artifact_store.shutil, "rmtree"),
    ]:
        monkeypatch.setattr(owner, name, counted(getattr(owner, name)))


def test_a_generation_replaces_the_one_before_it(tmp_path: Path) -> None:
    store = make_store(tmp_path, OLD)
    assert content(store) == OLD
    with store.open() as moved:
        store.commit(NEW, UNNAMED)
    assert moved == 0
    assert content(store) == NEW
    assert sorted(path.name for path in store.folder.iterdir()) == [
        "a-0000000000000002.json",
        "index.json",
        "publications",
    ]


@pytest.mark.parametrize("second_kill", [None, 1, 2, 3, 5, 8])
def test_a_run_that_is_killed_at_any_step_leaves_one_whole_generation(
    tmp_path: Path, second_kill: int | None
) -> None:
    found = []
    for step in range(1, 40):
        folder = tmp_path / str(step)
        folder.mkdir()
        store = make_store(folder, OLD)
        with pytest.MonkeyPatch.context() as patch, store.open():
            killed_at(step, patch)
            try:
                store.commit(NEW, UNNAMED)
                ended = True
            except Killed:
                ended = False
        if second_kill:  # and killed again while it is being put right
            with pytest.MonkeyPatch.context() as patch:
                killed_at(second_kill, patch)
                try:
                    with store.open():
                        pass
                except Killed:
                    pass
        with store.open():
            found.append(content(store))
        assert found[-1] in (OLD, NEW), f"killed at step {step}"
        assert not list(folder.rglob("*.tmp"))
        assert not (store.folder / ".pending").exists()
        if ended:
            break
    else:
        pytest.fail("the commit never came to its end")
    assert found[0] == OLD
    assert found[-1] == NEW
    switch = found.index(NEW)
    assert all(generation == OLD for generation in found[:switch])
    assert all(generation == NEW for generation in found[switch:])
    assert switch < len(found) - 5, "several steps follow after the one that counts"


def test_files_are_put_in_place_before_what_names_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = make_store(tmp_path, OLD)
    order: list[str] = []
    replace, unlink = Path.replace, Path.unlink
    monkeypatch.setattr(Path, "replace", lambda path, to: (order.append(to.name), replace(path, to))[1])
    monkeypatch.setattr(
        Path, "unlink", lambda path, **kw: (order.append(f"- {path.name}"), unlink(path, **kw))[1]
    )
    with store.open():
        store.commit(NEW, UNNAMED)
    assert order == [
        "journal.json",
        "a-0000000000000002.json",
        "atlas-lesson-a.md",
        "atlas-lesson-a.json",
        "index.json",
        "- a-0000000000000001.json",
        "- journal.json",
    ]


def test_a_reader_hears_about_an_interrupted_build(tmp_path: Path) -> None:
    store = make_store(tmp_path, OLD)
    with pytest.MonkeyPatch.context() as patch, store.open():
        killed_at(9, patch)
        with pytest.raises(Killed):
            store.commit(NEW, UNNAMED)
    with store.open() as moved:
        assert moved > 0
    assert content(store) == NEW


def test_a_journal_that_cannot_be_read_is_thrown_away(tmp_path: Path) -> None:
    store = make_store(tmp_path, OLD)
    pending = store.folder / ".pending"
    pending.mkdir()
    (pending / "journal.json").write_text("{")
    with store.open() as moved:
        assert moved == 0
    assert not pending.exists()
    assert content(store) == OLD


@pytest.mark.parametrize(
    "journal",
    [
        "null",
        "[]",
        '{"files": 3, "remove": []}',
        '{"files": ["index.json"]}',
        '{"files": [7], "remove": []}',
        '{"files": ["../outside.txt"], "remove": []}',
        '{"files": ["lessons/a/lesson.md"], "remove": []}',
        '{"files": [], "remove": ["../build.py"]}',
        '{"files": [], "remove": ["publications/../../build.py"]}',
    ],
)
def test_a_journal_that_no_build_wrote_is_thrown_away(tmp_path: Path, journal: str) -> None:
    store = make_store(tmp_path, OLD)
    (tmp_path / "build.py").write_text("kept")
    pending = store.folder / ".pending"
    pending.mkdir()
    (pending / "0").write_bytes(b"from somewhere else")
    (pending / "journal.json").write_text(journal)
    with store.open() as moved:
        assert moved == 0
    assert content(store) == OLD
    assert not pending.exists()
    assert (tmp_path / "build.py").read_text() == "kept"
    assert not (tmp_path / "outside.txt").exists()


def test_nothing_to_do_touches_nothing(tmp_path: Path) -> None:
    store = make_store(tmp_path, OLD)
    before = {path: path.stat().st_mtime_ns for path in store.folder.rglob("*")}
    with store.open():
        store.commit({}, [])
    assert {path: path.stat().st_mtime_ns for path in store.folder.rglob("*")} == before


def test_only_artifacts_that_nothing_names_are_unnamed(tmp_path: Path) -> None:
    store = make_store(tmp_path, {**OLD, "b-0123456789abcdef.json": b"", "notes.json": b"", "c-12.json": b""})
    assert store.unnamed_artifacts(["a-0000000000000001.json"]) == ["b-0123456789abcdef.json"]


def test_an_atomic_write_replaces_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def full_disk(_path: Path, _data: bytes) -> None:
        raise OSError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(atomic, "write_durably", full_disk)
        with pytest.raises(OSError, match="no space left"):
            atomic.write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    atomic.write_atomic(path, b"new")
    assert path.read_bytes() == b"new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]

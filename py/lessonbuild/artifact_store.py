"""The store boundary: the generated files of all lessons change together, or not at all.

A build that changes anything is one *generation* of files. It is written in three steps:

1. every new file goes into `lesson-data/.pending/`, flushed, under a number;
2. `journal.json` is put beside them in one rename. It says which number becomes which file and what is
   removed afterwards. This rename is the moment at which the new generation counts;
3. the files are moved to their places: artifacts, then Markdown and records, then the index. Artifacts that
   nothing names any more are removed last, and then the journal.

A run killed before step 2 has changed nothing; its leftovers are thrown away. A run killed during step 3 has
left a journal, and whoever opens the store next carries the moves to their end before reading a single file.
Moves and removals can be repeated, so a kill during that is harmless too.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from lessonbuild.atomic import locked, remove_temporaries, sync_folder, write_atomic, write_durably
from lessonbuild.hashing import ARTIFACT_NAME
from lessonbuild.project import DATA

PENDING: Final = ".pending"
JOURNAL: Final = "journal.json"
PUBLICATIONS: Final = "publications"
INDEX: Final = "index.json"
_GENERATED: Final = re.compile(r"[a-z0-9-]+\.json|publications/[a-z0-9-]+\.(?:json|md)")
"""The files that a build writes or removes; a journal that names another was not written by a build."""


class ArtifactStore:
    """The generated files under lesson-data/. Paths are relative to that folder, with forward slashes."""

    def __init__(self, root: Path) -> None:
        self.folder = root / DATA
        self._pending = self.folder / PENDING
        self._lock = root / ".cache" / "build" / "lock"

    @contextlib.contextmanager
    def open(self) -> Iterator[int]:
        """Hold the folder alone, after finishing or clearing away what a killed run left.

        Gives the number of files that had to be moved to their places for an interrupted build.
        """
        with locked(self._lock):
            remove_temporaries(self.folder)
            yield self._recover()

    def read(self, file: str) -> bytes | None:
        """The bytes of a file, or None where there is none."""
        try:
            return (self.folder / file).read_bytes()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            return None

    def generated(self) -> Iterator[str]:
        """The files that only a build writes: artifacts, everything in publications/, the index."""
        for path in sorted(self.folder.glob("*.json")):
            yield path.name
        for path in sorted((self.folder / PUBLICATIONS).rglob("*")):
            if not path.is_dir():
                yield path.relative_to(self.folder).as_posix()

    def unnamed_artifacts(self, named: Sequence[str]) -> list[str]:
        """Artifacts in the folder that are not among `named`."""
        return [file for file in self.generated() if ARTIFACT_NAME.match(file) and file not in set(named)]

    def commit(self, files: Mapping[str, bytes], remove: Sequence[str]) -> None:
        """Replace the given files and remove others, as one step. Open the store first."""
        if not files and not remove:
            return
        self._pending.mkdir(exist_ok=True)
        ordered = sorted(files, key=_rank)
        for number, file in enumerate(ordered):
            write_durably(self._pending / str(number), files[file])
        sync_folder(self._pending)
        journal = {"files": ordered, "remove": list(remove)}
        write_atomic(self._pending / JOURNAL, json.dumps(journal).encode())
        self._carry_out(journal)

    def _recover(self) -> int:
        if not self._pending.is_dir():
            return 0
        journal = self._journal()
        if journal is None:  # killed before it counted; a journal is never half written
            shutil.rmtree(self._pending)
            return 0
        return self._carry_out(journal)

    def _journal(self) -> dict[str, Any] | None:
        """What a killed run left to do; None where there is nothing that one of our runs can have written."""
        try:
            journal = json.loads((self._pending / JOURNAL).read_bytes())
            files = [*journal["files"], *journal["remove"]]
            return journal if all(_GENERATED.fullmatch(file) for file in files) else None
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def _carry_out(self, journal: dict[str, Any]) -> int:
        moved = 0
        touched = {self.folder}
        for number, file in enumerate(journal["files"]):
            waiting, target = self._pending / str(number), self.folder / file
            if waiting.exists():
                target.parent.mkdir(exist_ok=True)
                waiting.replace(target)
                touched.add(target.parent)
                moved += 1
        for file in journal["remove"]:
            (self.folder / file).unlink(missing_ok=True)
        for folder in touched:
            sync_folder(folder)
        (self._pending / JOURNAL).unlink()
        shutil.rmtree(self._pending)
        return moved


def _rank(file: str) -> tuple[int, str]:
    """Artifacts first, because records name them; the index last, because it names everything."""
    if file == INDEX:
        return 3, file
    if ARTIFACT_NAME.match(file):
        return 0, file
    return (1 if file.endswith(".md") else 2), file

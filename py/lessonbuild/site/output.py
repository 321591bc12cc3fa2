"""The finished folder, put in place in one step.

A build writes into a folder beside the real one and then exchanges the two, so a build that is killed leaves
the last good site. The folder lists its own files with their hashes: anyone can check a copy of the site with
it, and the build recognises by it a folder that it may replace. One build at a time: callers lock.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from lessonbuild.site.errors import SiteError
from lessonbuild.site.exchange import exchange, restore

MANIFEST: Final = "site-files.json"
MADE_BY: Final = "policygrad lessonbuild"
IGNORED: Final = frozenset({".DS_Store", "Thumbs.db"})


def check_target(out: Path) -> None:
    """Refuse a place that holds something we did not write. Raises SiteError with what was found."""
    if not out.exists():
        return
    if not out.is_dir():
        raise SiteError(f"{out} is a file; the site needs a folder. Name another one with --out.")
    present = {path.relative_to(out).as_posix() for path in out.rglob("*") if not path.is_dir()}
    present = {name for name in present if Path(name).name not in IGNORED}
    if not present:
        return
    listed = _listed(out)
    if listed is None:
        raise SiteError(
            f"{out} is not empty and was not made by this build ({MANIFEST} is missing), so nothing in it is "
            "touched. Name an empty or a new folder with --out."
        )
    foreign = sorted(present - listed - {MANIFEST})
    if foreign:
        raise SiteError(
            f"{out} holds {foreign[0]}"
            + (f" and {len(foreign) - 1} more files" if len(foreign) > 1 else "")
            + ", which this build did not write and would lose. Move it elsewhere, or name another --out."
        )


class Staging:
    """The folder beside the real one in which a site grows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._hashes: dict[str, str] = {}

    def write(self, name: str, data: bytes) -> None:
        """Write one file; `name` is its path inside the site, with forward slashes."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self._hashes[name] = hashlib.sha256(data).hexdigest()

    def write_all(self, files: Mapping[str, bytes], *, under: str = "") -> None:
        """Write several files."""
        for name, data in files.items():
            self.write(under + name, data)

    def finish(self) -> int:
        """Write the list of files and return their number."""
        content = {"madeBy": MADE_BY, "sha256": dict(sorted(self._hashes.items()))}
        text = json.dumps(content, ensure_ascii=False, indent=1)
        (self.folder / MANIFEST).write_text(text + "\n", encoding="utf-8", newline="\n")
        return len(self._hashes) + 1


@contextlib.contextmanager
def replacing(out: Path) -> Iterator[Staging]:
    """Give a folder to fill; when the block ends without an error it takes the place of `out`.

    Where `out` is a link, of what it leads to.
    """
    out = out.resolve()
    if not out.name:
        raise SiteError(f"{out} is the root of a file system; the site needs a folder. Name one with --out.")
    out.parent.mkdir(parents=True, exist_ok=True)
    restore(out)
    check_target(out)
    _clear_leftovers(out)
    fresh = out.with_name(f".{out.name}.new-{os.getpid()}")
    fresh.mkdir()
    try:
        yield Staging(fresh)
        exchange(fresh, out)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _clear_leftovers(out: Path) -> None:
    """Remove the staging folders of builds that were killed. The caller's lock says that none is at work."""
    for left in out.parent.glob(f".{out.name}.new-*"):
        shutil.rmtree(left, ignore_errors=True)


def _listed(out: Path) -> set[str] | None:
    try:
        content = json.loads((out / MANIFEST).read_text(encoding="utf-8"))
        return set(content["sha256"]) if content["madeBy"] == MADE_BY else None
    except (OSError, ValueError, KeyError, TypeError):
        return None

"""Writing files so that a reader, whenever a run is killed, finds the old bytes or the new, never a part."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has no flock; there, two builds at once are the author's business
    fcntl = None  # type: ignore[assignment]

TEMPORARY = ".tmp"


def write_durably(path: Path, data: bytes) -> None:
    """Write a file that nobody reads yet, and wait until the disk has it."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def write_atomic(path: Path, data: bytes) -> None:
    """Put `data` at `path` in one step: a temporary file in the same folder, flushed, then renamed."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}{TEMPORARY}")
    try:
        write_durably(temporary, data)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make renames in `folder` survive a power cut. Systems that cannot open a folder do without."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def remove_temporaries(folder: Path) -> None:
    """Delete what killed runs left behind in `folder`; under the lock, so that nobody is writing there."""
    for left in folder.glob(f".*{TEMPORARY}"):
        left.unlink(missing_ok=True)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Let one process at a time into the block; the system frees the lock when its holder dies.

    On a file system where nothing can be written nobody else is writing either, so the block just runs.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("ab")
    except OSError:
        yield
        return
    with file:
        if fcntl is not None:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX)
        yield

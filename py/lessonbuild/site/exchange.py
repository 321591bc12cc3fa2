"""Two folders trade places.

Linux and macOS can do that in one step, so there is no moment without a site. Elsewhere it takes two renames,
and a build that is killed between them leaves the old site under a name that the next build moves back.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import sys
from pathlib import Path
from typing import Final

from lessonbuild.site.errors import SiteError

_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2  # Linux: renameat2(2)
_RENAME_SWAP: Final = 2  # macOS: renamex_np(2)


def exchange(fresh: Path, place: Path) -> None:
    """Put `fresh` at `place`. What was at `place` is at `fresh` afterwards, or gone."""
    try:
        if not place.exists():
            fresh.rename(place)
        elif not _exchange_in_one_step(fresh, place):
            _exchange_in_two_steps(fresh, place)
    except OSError as error:
        raise SiteError(
            f"{place} cannot be replaced ({error.strerror}). Its last good content is untouched. "
            "Is it open in another program, or a mounted folder?"
        ) from None


def restore(place: Path) -> None:
    """Finish what a build began that was killed between its two renames."""
    old = _old_name(place)
    if old.exists():
        if place.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.rename(place)


def _exchange_in_two_steps(fresh: Path, place: Path) -> None:
    old = _old_name(place)
    shutil.rmtree(old, ignore_errors=True)
    place.rename(old)
    try:
        fresh.rename(place)
    except OSError:
        old.rename(place)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _exchange_in_one_step(fresh: Path, place: Path) -> bool:
    one, two = os.fsencode(fresh.absolute()), os.fsencode(place.absolute())
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform.startswith("linux"):
            return bool(library.renameat2(_AT_FDCWD, one, _AT_FDCWD, two, _RENAME_EXCHANGE) == 0)
        if sys.platform == "darwin":
            return bool(library.renamex_np(one, two, _RENAME_SWAP) == 0)
    return False


def _old_name(place: Path) -> Path:
    return place.with_name(f".{place.name}.old")

"""Drawn lessons, kept between builds: with a hundred lessons, a change in one draws one.

The key of an entry is a hash of everything that decides its bytes: the artifact with the words for its topic,
the templates, our code, the figure code and the versions of the packages that draw. An entry carries its own
hash, so a damaged one counts as absent.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Final

from lessonbuild.atomic import write_atomic
from lessonbuild.site.pages import LessonParts

FOLDER: Final = Path(".cache/site/pages")
DRAWN_BY: Final = (
    "py/lessonbuild/site/**/*.py",
    "site/templates/**/*.html",
    "site/js/build/**/*",
    "site/js/figures/**/*",
    "node_modules/katex/package.json",
)


def drawing_fingerprint(root: Path) -> str:
    """Hash of all code and packages that take part in drawing pages."""
    total = hashlib.sha256()
    for path in sorted({path for pattern in DRAWN_BY for path in root.glob(pattern) if path.is_file()}):
        total.update(f"{path.relative_to(root).as_posix()}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


class PageCache:
    """Entries on disk. Nothing in it is needed: deleting the folder costs one slow build."""

    def __init__(self, root: Path) -> None:
        self._folder = root / FOLDER
        self._fingerprint = drawing_fingerprint(root)
        self._used: set[str] = set()
        self._drawn = 0

    def load(self, lesson_id: str, source: bytes) -> LessonParts | None:
        """The parts drawn earlier from the same artifact and topic by the same code, or None."""
        name = self._name(lesson_id, source)
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            entry = json.loads((self._folder / name).read_bytes())
            if entry["hash"] == _hash(entry["parts"]):
                self._used.add(name)
                return LessonParts(**entry["parts"])
        return None

    def store(self, lesson_id: str, source: bytes, parts: LessonParts) -> None:
        """Keep what was just drawn. A cache that cannot be written is no reason to fail."""
        name = self._name(lesson_id, source)
        self._used.add(name)
        self._drawn += 1
        fields = asdict(parts)
        entry = json.dumps({"hash": _hash(fields), "parts": fields}, ensure_ascii=False)
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            write_atomic(self._folder / name, entry.encode())

    def counts(self) -> str:
        """How many lessons were drawn and how many came from here, for the report."""
        noun = "lesson" if self._drawn == 1 else "lessons"
        return f"{self._drawn} {noun} drawn, {len(self._used) - self._drawn} from cache"

    def forget_unused(self) -> None:
        """Remove entries that this build had no use for."""
        with contextlib.suppress(OSError):
            for path in self._folder.glob("*.json"):
                if path.name not in self._used:
                    path.unlink()

    def _name(self, lesson_id: str, source: bytes) -> str:
        key = hashlib.sha256(source + self._fingerprint.encode()).hexdigest()
        return f"{lesson_id}-{key[:20]}.json"


def _hash(fields: dict[str, str]) -> str:
    return hashlib.sha256("\0".join(_flat(fields)).encode()).hexdigest()


def _flat(fields: dict[str, str]) -> Iterable[str]:
    for name in sorted(fields):
        yield name
        yield fields[name]

"""Finished seeds, each in a file of its own that is there whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from lessonbuild.atomic import remove_temporaries, write_atomic
from lessonbuild.hashing import json_bytes

STUDY_CACHE: Final = ".cache/studies"


class FinishedSeeds:
    """The results of one study under one configuration and one set of versions."""

    def __init__(self, root: Path, identity: str) -> None:
        self.folder = root / STUDY_CACHE / identity

    @property
    def lock(self) -> Path:
        """Held while the study runs: a second start of it waits and then finds the work done."""
        return self.folder / "lock"

    def clear_leftovers(self) -> None:
        """Delete half-written files of a killed run; hold the lock."""
        remove_temporaries(self.folder)

    def read(self, seed: int) -> dict[str, Any] | None:
        """A finished seed's result; None when it has to be run, also where a file has been damaged."""
        try:
            found = json.loads(self._path(seed).read_bytes())
        except (FileNotFoundError, ValueError):
            return None
        return found if isinstance(found, dict) and found.get("seed") == seed else None

    def write(self, result: dict[str, Any]) -> None:
        """Keep a result."""
        write_atomic(self._path(result["seed"]), json_bytes(result, indent=1))

    def missing(self, seeds: Iterable[int]) -> list[int]:
        """The seeds that have to be run."""
        return [seed for seed in seeds if self.read(seed) is None]

    def _path(self, seed: int) -> Path:
        return self.folder / f"seed-{seed}.json"

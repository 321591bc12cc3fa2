"""The two engines that every parity test asks at the same time: this CPython, and the page's Python.

The page's Python is started both ways that the page knows: from the memory image (`quick`) and as Pyodide
documents it (`plain`). Nothing here is a recorded answer.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from policygrad.bridge import handle

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
WAYS = ("quick", "plain")


class PageEngine:
    """The prepared runtime, one process for all tests of a worker."""

    def __init__(self, way: str) -> None:
        self._process = subprocess.Popen(
            ["node", str(ROOT / "tools" / "runtime" / "engine.mjs"), way],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            cwd=ROOT,
        )
        self.versions: dict[str, str] = json.loads(self._read())

    def handle(self, request: str) -> str:
        """What `policygrad.bridge.handle` answers there."""
        assert self._process.stdin is not None
        self._process.stdin.write(request.replace("\n", " ") + "\n")
        self._process.stdin.flush()
        return self._read()

    def close(self) -> None:
        self._process.communicate(timeout=60)

    def _read(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"the page's Python ended with exit code {self._process.wait(timeout=60)}"
        return line


@pytest.fixture(scope="session", params=WAYS)
def engine(request: pytest.FixtureRequest) -> Iterator[PageEngine]:
    """The page's Python, started in each way."""
    started = PageEngine(request.param)
    yield started
    started.close()


@pytest.fixture(scope="session")
def here() -> Any:
    """The same door in this process."""
    return handle

"""Building lessons: all, and one that changed; those of this project, and up to a hundred generated ones.

Every time is that of a whole `python build.py lessons`, start of Python included, in a copy of the project.
A full build starts without any cache. Before a build of "one changed" a sentence of one lesson is edited; the
count that the build reports is checked, so that a build which does too much or too little is not timed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "builder" / "store"))

from many_lessons import write_lessons  # noqa: E402 — found through the path above
from store_workspace import workspace  # noqa: E402

REPEATS = int(os.environ.get("BENCH_REPEATS", "3"))
SIZES = (25, 50, 100)
FIRST_SENTENCE = re.compile(r"(?<=\n)(# .+\n\n)(?=[A-Z])")
"""The title of a lesson, where a paragraph follows it."""


@dataclass
class Times:
    """Seconds of each run, and the number of lessons in the copy."""

    lessons: int
    full: list[float]
    changed: list[float]
    unchanged: list[float]


def build(root: Path, rendered: int) -> float:
    """Seconds of one build, which must render as many lessons as it should."""
    start = time.perf_counter()
    result = subprocess.run(
        [str(root / ".venv" / "bin" / "python"), str(root / "build.py"), "lessons"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.perf_counter() - start
    summary = result.stdout.strip().splitlines()[-1] if result.stdout.strip() else result.stderr
    found = re.search(r"(\d+) lessons? rendered", summary)
    if result.returncode != 0 or found is None or int(found[1]) != rendered:
        raise SystemExit(f"build: {rendered} lessons should have been rendered: {summary}{result.stderr}")
    return seconds


def change_one(root: Path) -> None:
    """Another sentence at the beginning of the first lesson."""
    file = sorted((root / "lesson-data" / "lessons").glob("*/lesson.md"))[0]
    text = file.read_text(encoding="utf-8")
    changed = FIRST_SENTENCE.sub(r"\1Once more. ", text, count=1)
    if changed == text:
        raise SystemExit(f"build: {file} has no paragraph after its title")
    file.write_text(changed, encoding="utf-8")


def measure(root: Path) -> Times:
    lessons = len(list((root / "lesson-data" / "lessons").glob("*/lesson.md")))
    times = Times(lessons, [], [], [])
    for _ in range(REPEATS):
        shutil.rmtree(root / ".cache", ignore_errors=True)
        times.full.append(build(root, lessons))
        times.unchanged.append(build(root, 0))
        change_one(root)
        times.changed.append(build(root, 1))
    return times


def seconds(times: list[float]) -> str:
    return f"{statistics.median(times):.2f} s ({min(times):.2f}–{max(times):.2f})"


def row(name: str, times: Times, bare: float) -> list[str]:
    full, changed = statistics.median(times.full), statistics.median(times.changed)
    return [
        name,
        seconds(times.full),
        f"{1000 * (full - bare) / times.lessons:.0f} ms",
        seconds(times.changed),
        seconds(times.unchanged),
        f"{changed / full:.2f}",
    ]


def main() -> None:
    measured: dict[str, Times] = {}
    with tempfile.TemporaryDirectory() as folder:

        def copy(name: str, lessons: bool, fill: Callable[[Path], object]) -> None:
            place = Path(folder) / name.replace(" ", "-")
            place.mkdir()
            root = workspace(place, lessons=lessons)
            fill(root)
            measured[name] = measure(root)
            print(f"build: {name}: {measured[name]}", file=sys.stderr)

        copy("this project", True, lambda root: None)
        for size in SIZES:
            copy(f"{size} generated", False, lambda root, size=size: write_lessons(root, size))  # type: ignore[misc]
    bare = statistics.median(measured["25 generated"].unchanged)
    rows = [row(name, times, bare) for name, times in measured.items()]
    cost = {size: statistics.median(measured[f"{size} generated"].full) for size in SIZES}
    per_lesson = [(cost[50] - cost[25]) / 25, (cost[100] - cost[50]) / 50]
    settings = [
        f"Median and range of {REPEATS} runs each; {os.cpu_count()} processors. “A lesson”: the full build,",
        f"without the {bare:.2f} s of a build that has nothing to do, over the number of lessons.",
        f"Growth: {1000 * per_lesson[0]:.0f} ms for each lesson from 25 to 50, "
        f"{1000 * per_lesson[1]:.0f} ms from 50 to 100, a ratio of {per_lesson[1] / per_lesson[0]:.2f}.",
    ]
    columns = ["lessons", "full build", "a lesson", "one changed", "none changed", "one changed / full"]
    print(json.dumps({"name": "build", "columns": columns, "rows": rows, "settings": settings}))


if __name__ == "__main__":
    main()

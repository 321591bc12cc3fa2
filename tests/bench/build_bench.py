"""Seconds of `python build.py lessons`: all lessons, one changed, and how both grow with their number.

Each row is a copy of this project with that many generated lessons beside its own. Times are of whole
processes, from the command to its end; a changed lesson is timed several times and the median stands.
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
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "builder" / "store"))

from many_lessons import lesson_id, write_lessons  # noqa: E402 - the generator that the tests use

COUNTS = (0, 25, 50, 100)
CHANGES = 5
COPIED = ("build.py", "py", "site", "lesson-data", "package.json", "requirements")
LINKED = (".venv", "node_modules")


def copy_of_the_project(folder: Path, lessons: int) -> Path:
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    for name in LINKED:
        (folder / name).symlink_to(ROOT / name)
    write_lessons(folder, lessons)
    return folder


def build(project: Path) -> tuple[float, int]:
    """Seconds of one build, and how many lessons it rendered by its own count."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "build.py", "lessons"], cwd=project, check=True, capture_output=True, text=True
    )
    seconds = time.perf_counter() - start
    counted = re.search(r"(\d+) lessons? rendered", done.stdout + done.stderr)
    if counted is None:
        raise SystemExit(
            f"build.py lessons did not say how many lessons it rendered:\n{done.stdout}{done.stderr}"
        )
    return seconds, int(counted[1])


def measure(lessons: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        project = copy_of_the_project(Path(folder), lessons)
        full, rendered = build(project)
        assert rendered == lessons + 1, (rendered, lessons)
        unchanged, _ = build(project)
        changed = (
            project / "lesson-data" / "lessons" / (lesson_id(0) if lessons else "policy-gradient-kl-control")
        )
        source = changed / "lesson.md"
        times = []
        for number in range(CHANGES):
            text = source.read_text(encoding="utf-8").rstrip("\n")
            marker = "abcde"[number]
            source.write_text(
                text.replace("\n## Sources", f"\nOne more sentence, {marker}.\n\n## Sources"), "utf-8"
            )
            seconds, rendered = build(project)
            assert rendered == 1, rendered
            times.append(seconds)
    return {"full": full, "unchanged": unchanged, "one": statistics.median(times)}


def main() -> None:
    results = {count: measure(count) for count in COUNTS}
    per_lesson = {count: (results[count]["full"] - results[0]["full"]) / count for count in COUNTS if count}
    first = per_lesson[COUNTS[1]]
    rows = [
        [
            f"{count + 1} lesson{'s' if count else ''}",
            f"{result['full']:.2f} s",
            f"{result['one']:.2f} s",
            f"{result['unchanged']:.2f} s",
            f"{result['one'] / result['full']:.2f}",
            f"{per_lesson[count] / first:.2f}" if count else "",
        ]
        for count, result in results.items()
    ]
    report = {
        "name": "build",
        "columns": [
            "project",
            "all, without a cache",
            "one changed",
            "nothing changed",
            "one / all",
            f"time per further lesson, against {COUNTS[1]}",
        ],
        "rows": rows,
        "settings": [
            f"Whole processes, {os.cpu_count()} processors. One changed: median of {CHANGES}, "
            "and each time one lesson was rendered."
        ],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()

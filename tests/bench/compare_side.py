"""Running the side of a benchmark that needs PyTorch, in its environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
NODE = os.environ.get("NODE", "node")
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def compare_python() -> Path:
    """The Python of `.venv-compare`, made when it is not there."""
    subprocess.run([NODE, "tools/compare.mjs", "--set-up"], cwd=ROOT, check=True, stdout=sys.stderr)
    folder = ROOT / ".venv-compare"
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def run_of(python: Path | str, script: str, *words: object) -> Any:
    """What a script of this folder printed, as JSON, in a process of its own with one thread."""
    environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(ROOT / "py")}
    finished = subprocess.run(
        [str(python), str(HERE / script), *map(str, words)],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(finished.stdout)

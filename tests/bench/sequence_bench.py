"""Tokens per second of the sequence trainer in CPython and in a tab, beside a small PyTorch program.

Whole runs of the profile `full`: sampling, rewards and all epochs; tokens are those that were sampled. Time
counts from before the trainer is made; imports do not count. One thread each; every run has a process or
worker of its own; the sides take turns, so that a busy moment meets all of them.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
from dataclasses import asdict
from typing import Any

import numpy as np
from compare_side import compare_python, run_of
from tab_side import run_in, tab

from policygrad import SequenceConfig

SEEDS = range(3)
TURNS = int(os.environ.get("BENCH_TURNS", "3"))
OURS, TAB, THEIRS = "CPython", "in the tab", "PyTorch"


def measure() -> dict[str, list[dict[str, Any]]]:
    """All runs: side → results, every seed in every turn."""
    python = compare_python()
    results: dict[str, list[dict[str, Any]]] = {OURS: [], TAB: [], THEIRS: []}
    with tab("sequence_ours.py") as page:
        for seed in [*SEEDS] * TURNS:
            results[OURS].append(run_of(sys.executable, "sequence_ours.py", seed))
            results[TAB].append(run_in(page, seed))
            results[THEIRS].append(run_of(python, "sequence_torch.py", seed))
            seconds = {side: round(runs[-1]["seconds"], 2) for side, runs in results.items()}
            print(f"sequence: seed {seed}: {seconds}", file=sys.stderr)
    return results


def speed(run: dict[str, Any]) -> float:
    """Tokens per second."""
    return float(run["tokens"] / run["seconds"])


def row(side: str, runs: list[dict[str, Any]], reference: float) -> list[str]:
    """Median speed and time with their ranges, the reward at the end, and the ratio of speeds."""
    speeds, seconds = [speed(run) for run in runs], [run["seconds"] for run in runs]
    rewards = [run["reward"] for run in runs[: len(SEEDS)]]
    middle = statistics.median(speeds)
    return [
        side,
        f"{middle:,.0f} ({min(speeds):,.0f}–{max(speeds):,.0f})",
        f"{statistics.median(seconds):.2f} s ({min(seconds):.2f}–{max(seconds):.2f})",
        f"{np.mean(rewards):.3f} (lowest seed {min(rewards):.3f})",
        f"{middle / reference:.2f}",
    ]


def main() -> None:
    results = measure()
    reference = statistics.median(speed(run) for run in results[THEIRS])
    settings = ", ".join(f"{k} {v}" for k, v in asdict(SequenceConfig.profile("full")).items())
    report = {
        "name": "sequence",
        "columns": [
            "a whole run",
            "tokens per second",
            "time",
            "mean reward at the end",
            "of PyTorch's speed",
        ],
        "rows": [row(side, runs, reference) for side, runs in results.items()],
        "settings": [
            f"Median and range of {TURNS} turns with the seeds 0, 1 and 2, one thread each, "
            f"imports not counted; the reward is the mean of the last 20 updates, of 1 at most; "
            f"NumPy {np.__version__}, torch {results[THEIRS][0]['versions']['torch']}, "
            f"{os.cpu_count()} processors.  ",
            f"All sides: {settings}.  ",
            "PyTorch in float32 and without diagnostics, ours in float64 and with those of every update.",
        ],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()

"""CartPole to a mean return of 475: this project's PPO in CPython and in a tab, beside Stable-Baselines3's.

All sides stop when the mean over the last 100 finished training episodes, with sampled actions, is 475; ours
looks after every rollout, theirs after every episode. Time counts from before the trainer is made; imports do
not count. One thread each; every run has a process or worker of its own; the sides take turns, so that a busy
moment meets all of them.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
from dataclasses import asdict
from typing import Any

import numpy as np
from cartpole_ours import finish
from compare_side import compare_python, run_of
from sb3_settings import BUDGET, NUM_ENVS
from sb3_settings import SETTINGS as THEIR_SETTINGS
from tab_side import run_in, tab

from policygrad import PPOConfig, bootstrap_interval

SEEDS = range(int(os.environ.get("BENCH_SEEDS", "5")))
FULL_SEEDS = range(int(os.environ.get("BENCH_FULL_SEEDS", "20")))
OURS, TAB, THEIRS = "CPython", "in the tab", "Stable-Baselines3"


def measure() -> dict[str, list[dict[str, Any]]]:
    """All runs: side → one result per seed."""
    theirs = compare_python()
    results: dict[str, list[dict[str, Any]]] = {OURS: [], TAB: [], THEIRS: []}
    with tab("cartpole_ours.py") as page:
        for seed in SEEDS:
            results[OURS].append(run_of(sys.executable, "cartpole_ours.py", seed))
            results[TAB].append(run_in(page, seed))
            results[THEIRS].append(run_of(theirs, "cartpole_sb3.py", seed))
            seconds = {side: round(runs[-1]["seconds"], 2) for side, runs in results.items()}
            print(f"cartpole: seed {seed}: {seconds}", file=sys.stderr)
    return results


def row(side: str, runs: list[dict[str, Any]], reference: float) -> list[str]:
    """Median and range of the times, of the steps, and the share of their time."""
    seconds = [run["seconds"] for run in runs]
    steps = [run["steps"] for run in runs]
    middle = statistics.median(seconds)
    return [
        side,
        f"{middle:.2f} s ({min(seconds):.2f}–{max(seconds):.2f})",
        f"{statistics.median(steps):,.0f} ({min(steps):,}–{max(steps):,})",
        f"{sum(run['reached'] for run in runs)} of {len(runs)}",
        f"{middle / reference:.3f}",
    ]


def full_profile() -> str:
    """How whole runs end, in one sentence."""
    ends = [finish(seed) for seed in FULL_SEEDS]
    greedy, sampled = (np.array([end[name] for end in ends]) for name in ("greedy", "sampled"))
    interval = bootstrap_interval(greedy, statistic="mean", rng=np.random.default_rng(0))
    return (
        f"Whole runs of the profile `full`, {len(ends)} seeds, 100 new episodes each: "
        f"greedy mean {greedy.mean():.1f} (95 % bootstrap interval {interval.low:.1f}–{interval.high:.1f}; "
        f"lowest seed {greedy.min():.1f}; {(greedy >= 495).sum()} of {len(ends)} at 495 or more), "
        f"sampled mean {sampled.mean():.1f} (lowest seed {sampled.min():.1f})."
    )


def settings_in_words(versions: dict[str, str]) -> list[str]:
    """What was compared, for the reader of the table."""
    numbers = ", ".join(f"{name} {number}" for name, number in versions.items())
    ours = ", ".join(f"{name} {value}" for name, value in asdict(PPOConfig.profile("full")).items())
    theirs = ", ".join(f"{name} {value}" for name, value in THEIR_SETTINGS.items())
    return [
        f"Median and range over {len(SEEDS)} seeds, sides taking turns, one thread each, imports not "
        f"counted; NumPy {np.__version__}, {numbers}, {os.cpu_count()} processors.  ",
        f"Ours, in both engines: {ours}.  ",
        f"Stable-Baselines3 with rl-zoo3's settings: {NUM_ENVS} environments, {theirs}, learning_rate 0.001 "
        f"and clip_range 0.2 falling to 0 over {BUDGET:,} steps; two networks of 64 and 64 tanh units.  ",
    ]


def main() -> None:
    results = measure()
    reference = statistics.median(run["seconds"] for run in results[THEIRS])
    report = {
        "name": "cartpole",
        "columns": ["to a sampled 100-episode mean of 475", "time", "steps", "reached", "of SB3's time"],
        "rows": [row(side, runs, reference) for side, runs in results.items()],
        "settings": [*settings_in_words(results[THEIRS][0]["versions"]), full_profile()],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()

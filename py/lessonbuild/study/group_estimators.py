"""The study `group-estimators`: mean and variance of three estimators of one gradient.

Means are compared with exact values. Variances are reported for several settings and not ranked: which
estimator is less noisy depends on the policy, the rewards and the group's size.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from lessonbuild.study.kinds import Config, SeedRun, Study
from policygrad import group_gradient_estimates

ARMS: Final = ("none", "group_mean", "leave_one_out")
SETTINGS: Final = [
    {"prob": 0.35, "rewards": [-0.2, 1.0], "group_size": 8},
    {"prob": 0.35, "rewards": [-0.2, 1.0], "group_size": 2},
    {"prob": 0.5, "rewards": [-1.0, 1.0], "group_size": 2},
    {"prob": 0.5, "rewards": [0.0, 1.0], "group_size": 2},
    {"prob": 0.1, "rewards": [5.0, 6.0], "group_size": 4},
    {"prob": 0.9, "rewards": [-3.0, 1.0], "group_size": 16},
]
"""The first has means 0.273, 0.238875 and 0.273; the others move policy, rewards and size about."""


def label(setting: dict[str, Any]) -> str:
    """The setting as the beginning of its measures' names."""
    low, high = setting["rewards"]
    return f"p={setting['prob']:g} R=({low:g},{high:g}) G={setting['group_size']}"


def _names(config: Config, kind: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    for setting in config["settings"]:
        for arm in ARMS:
            yield f"{label(setting)} {arm} {kind}", setting, arm


def _run(config: Config, seed: int) -> SeedRun:
    """Every setting has draws of its own. The curve follows the first setting's means, group by group."""
    measures: dict[str, float] = {}
    curve: dict[str, list[float]] = {}
    count = config["num_groups"]
    marks = np.unique(np.geomspace(min(10, count), count, 25).astype(int))
    for place, setting in enumerate(config["settings"]):
        rng = np.random.default_rng([seed, place])
        estimates = group_gradient_estimates(**setting, num_groups=count, rng=rng)
        for arm in ARMS:
            values = getattr(estimates, arm)
            measures[f"{label(setting)} {arm} mean"] = float(values.mean())
            measures[f"{label(setting)} {arm} variance"] = float(values.var(ddof=1))
            if place == 0:
                curve.setdefault("groups", marks.astype(float).tolist())
                curve[arm] = (np.cumsum(values)[marks - 1] / marks).tolist()
    return SeedRun(curve, measures)


def _exact(config: Config) -> dict[str, float]:
    """E = p(1 − p)(R(1) − R(0)); times 1 − 1/G where the own sample is part of the mean."""
    found = {}
    for name, setting, arm in _names(config, "mean"):
        p, (low, high), size = setting["prob"], setting["rewards"], setting["group_size"]
        found[name] = p * (1 - p) * (high - low) * (1 - 1 / size if arm == "group_mean" else 1)
    return found


def _units(config: Config) -> dict[str, str]:
    units = {"mean": "reward per logit", "variance": "(reward per logit)²"}
    return {name: units[kind] for kind in units for name, _, _ in _names(config, kind)}


GROUP_ESTIMATORS: Final = Study(
    name="group-estimators",
    title="Mean and variance of three estimators of one gradient in several settings; no ranking follows",
    profiles={
        "smoke": {"settings": SETTINGS, "num_groups": 2_000},
        "full": {"settings": SETTINGS, "num_groups": 100_000},
    },
    run=_run,
    core=("group_gradient_estimates",),
    units=_units,
    exact=_exact,
)

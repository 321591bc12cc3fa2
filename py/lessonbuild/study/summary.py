"""Statistics over the seeds of a study, all by `policygrad.evaluation`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from lessonbuild.study.kinds import Config, Study
from policygrad import bootstrap_interval, interquartile_mean, median_and_iqr
from policygrad.bridge import decoded, encoded

LEVEL: Final = 0.95
RESAMPLES: Final = 10_000
BOOTSTRAP_SEED: Final = 0


def statistics(study: Study, config: Config, runs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """One entry per measure, in the study's order."""
    exact = study.exact(config)
    return [
        {
            "measure": name,
            "unit": unit,
            **_of([float(run["measures"][name]) for run in runs], study.thresholds.get(name)),
            **({"exact": exact[name]} if name in exact else {}),
        }
        for name, unit in study.units(config).items()
    ]


def _of(scores: list[float], threshold: float | None) -> dict[str, Any]:
    middle = median_and_iqr(scores)
    found: dict[str, Any] = {
        "mean": float(np.mean(scores)),
        "median": middle.median,
        "lowerQuartile": middle.lower,
        "upperQuartile": middle.upper,
        "interquartileRange": middle.upper - middle.lower,
        "interquartileMean": interquartile_mean(scores),
        "bootstrap": _interval(scores),
    }
    if threshold is not None:
        reached = sum(score >= threshold for score in scores)
        found["threshold"] = {"value": threshold, "shareReached": reached / len(scores)}
    return found


def _interval(scores: list[float]) -> dict[str, Any] | None:
    """None for a single seed, which says nothing about how far another would be away."""
    if len(scores) == 1:
        return None
    rng = np.random.default_rng(BOOTSTRAP_SEED)
    statistic = "interquartile_mean"
    interval = bootstrap_interval(scores, statistic=statistic, rng=rng, level=LEVEL, num_resamples=RESAMPLES)
    return {
        "statistic": statistic,
        "level": LEVEL,
        "resamples": RESAMPLES,
        "seed": BOOTSTRAP_SEED,
        "low": interval.low,
        "high": interval.high,
    }


def middle_curve(runs: Sequence[dict[str, Any]]) -> dict[str, dict[str, list[Any]]]:
    """Median and quartiles of every column, point by point; NaN where a seed has no value."""
    columns: dict[str, dict[str, list[Any]]] = {}
    for name in runs[0]["curve"]:
        values = np.array([decoded(run["curve"][name]) for run in runs], dtype=float)
        lower, median, upper = np.quantile(values, [0.25, 0.5, 0.75], axis=0).tolist()
        columns[name] = encoded({"median": median, "lowerQuartile": lower, "upperQuartile": upper})
    return columns

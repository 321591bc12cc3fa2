"""Statistics over training runs: middle, spread and how sure the middle is.

A run (one seed) is one independent score. Episodes of one run are not: average them first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._checks import Array

STATISTICS = ("mean", "median", "interquartile_mean")


@dataclass(frozen=True, slots=True)
class MedianAndIqr:
    """The middle of the scores and the range of their middle half, in the units of the scores."""

    median: float
    """Half of the scores are below it."""
    lower: float
    """First quartile: a quarter of the scores are below it."""
    upper: float
    """Third quartile; upper − lower is the interquartile range."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval, in the units of the scores."""

    low: float
    """Lower end."""
    high: float
    """Upper end."""


def median_and_iqr(scores: ArrayLike) -> MedianAndIqr:
    """Median and quartiles of the scores of several runs.

        lower, median, upper = the 25, 50 and 75 % quantiles, linear between neighbouring scores

    Args:
        scores: (N,) one score per run, or (N, K) for K tasks, all taken together.
    Raises: ValueError on an empty or non-finite input.
    """
    lower, median, upper = np.quantile(_scores(scores), [0.25, 0.5, 0.75])
    return MedianAndIqr(median=float(median), lower=float(lower), upper=float(upper))


def interquartile_mean(scores: ArrayLike) -> float:
    """Mean of the middle half: less moved by one lucky run than the mean, less noisy than the median.

        sort n scores, drop int(n/4) at each end, average the rest

    Args:
        scores: (N,) one score per run, or (N, K) for K tasks, all taken together.
    Raises: ValueError on an empty or non-finite input.
    Source: Agarwal et al., arXiv:2108.13264 (rliable); the same as SciPy's `trim_mean(scores, 0.25)`.
    """
    return float(_middle_mean(_scores(scores).ravel()))


def bootstrap_interval(
    scores: ArrayLike,
    *,
    statistic: str | Callable[[Array], float],
    rng: np.random.Generator,
    level: float = 0.95,
    num_resamples: int = 10_000,
) -> Interval:
    """Percentile bootstrap interval of a statistic over runs.

        draw N of the N runs with replacement, num_resamples times; take the statistic of each draw;
        low, high = its (1 − level)/2 and (1 + level)/2 quantiles

    With K tasks the runs are drawn for each task by itself (stratified). With few runs the interval is
    too narrow rather than too wide.

    Args:
        scores: (N,) one score per run, or (N, K) for K tasks: runs first.
        statistic: "mean", "median" or "interquartile_mean" of all scores of a draw, or a function of an
            array shaped like `scores`.
        rng: source of the draws.
        level: above 0 and below 1.
        num_resamples: ≥ 1.
    Raises: ValueError on an empty or non-finite input, another statistic, or a hyper-parameter out of range.
    Source: Efron, 1979; stratified over tasks as in Agarwal et al., arXiv:2108.13264.
    """
    runs = _scores(scores)
    share = check.real(level, "level", above=0, below=1)
    draws = check.whole(num_resamples, "num_resamples", at_least=1)
    if not callable(statistic):
        check.option(statistic, "statistic", STATISTICS)
    matrix = runs.reshape(len(runs), -1)  # (N, K)
    size, tasks = matrix.shape
    chosen = check.generator(rng, "rng").integers(size, size=(draws, size, tasks))
    samples = matrix[chosen, np.arange(tasks)]  # (draws, N, K)
    if callable(statistic):
        results = np.array([float(statistic(sample.reshape(runs.shape))) for sample in samples])
    else:
        results = _row_statistics(samples.reshape(draws, -1), statistic)
    low, high = np.quantile(results, [(1 - share) / 2, (1 + share) / 2])
    return Interval(low=float(low), high=float(high))


def _scores(scores: ArrayLike) -> Array:
    array = check.finite(scores, "scores")
    if array.ndim not in (1, 2):
        raise ValueError(f"scores has shape {array.shape}; it must have shape (runs,) or (runs, tasks)")
    return array


def _row_statistics(samples: Array, statistic: str) -> Array:
    """A named statistic of each row."""
    if statistic == "mean":
        return np.asarray(samples.mean(axis=-1))
    if statistic == "median":
        return np.asarray(np.median(samples, axis=-1))
    return _middle_mean(samples)


def _middle_mean(samples: Array) -> Array:
    """Interquartile mean over the last axis."""
    size = samples.shape[-1]
    dropped = size // 4
    middle: Array = np.sort(samples, axis=-1)[..., dropped : size - dropped].mean(axis=-1)
    return middle

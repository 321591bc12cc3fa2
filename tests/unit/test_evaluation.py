"""Statistics over runs, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from expecting import close, refused

from policygrad import bootstrap_interval, interquartile_mean, median_and_iqr


def test_median_and_quartiles_by_hand() -> None:
    # Sorted 1, 2, 4, 9: positions 0.75, 1.5, 2.25 of 0 … 3: 1.75, 3, 4 + ¼·5
    result = median_and_iqr([9, 1, 4, 2])
    close([result.lower, result.median, result.upper], [1.75, 3.0, 5.25])
    one = median_and_iqr([7])
    assert (one.lower, one.median, one.upper) == (7, 7, 7)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([5], 5.0),  # int(1/4) = 0 dropped
        ([1, 2, 9], 4.0),  # int(3/4) = 0 dropped: the plain mean
        ([100, 2, 4, -50], 3.0),  # 1 dropped at each end
        ([0, 1, 2, 3, 100], 2.0),  # int(5/4) = 1: (1 + 2 + 3)/3
        ([8, 7, 6, 5, 4, 3, 2, 1], 4.5),  # 2 dropped: (3 + 4 + 5 + 6)/4
        ([[1, 2], [3, 100]], 2.5),  # two runs of two tasks, taken together
    ],
)
def test_interquartile_mean_by_hand(scores: list[float], expected: float) -> None:
    assert interquartile_mean(scores) == pytest.approx(expected)


def test_equal_scores_leave_no_doubt() -> None:
    for statistic in ("mean", "median", "interquartile_mean"):
        interval = bootstrap_interval(
            [3, 3, 3], statistic=statistic, rng=np.random.default_rng(0), num_resamples=10
        )
        assert (interval.low, interval.high) == (3, 3)


def test_the_interval_is_made_of_quantiles_of_resampled_statistics() -> None:
    scores = np.array([1.0, 5.0, 6.0, 7.0, 30.0])
    draws = scores[np.random.default_rng(1).integers(5, size=(200, 5, 1))][:, :, 0]
    interval = bootstrap_interval(
        scores, statistic="median", rng=np.random.default_rng(1), num_resamples=200, level=0.5
    )
    close([interval.low, interval.high], np.quantile(np.median(draws, axis=1), [0.25, 0.75]), within=0)


@pytest.mark.parametrize(
    ("name", "function"),
    [("mean", np.mean), ("median", np.median), ("interquartile_mean", interquartile_mean)],
)
@pytest.mark.parametrize("scores", [[1.0, 5, 6, 7, 30, 2], [[1.0, 5], [6, 7], [30, 2]]])
def test_a_name_stands_for_its_function(name: str, function, scores) -> None:  # type: ignore[no-untyped-def]
    options = {"num_resamples": 50, "level": 0.8}
    named = bootstrap_interval(scores, statistic=name, rng=np.random.default_rng(2), **options)
    given = bootstrap_interval(scores, statistic=function, rng=np.random.default_rng(2), **options)
    close([named.low, named.high], [given.low, given.high])


def test_runs_are_drawn_within_each_task() -> None:
    # Task 0 scores 0 in both runs, task 1 scores 10: every draw has the mean 5. Were tasks mixed, or the
    # axes exchanged, draws of other means would appear.
    interval = bootstrap_interval([[0, 10], [0, 10]], statistic="mean", rng=np.random.default_rng(0))
    assert (interval.low, interval.high) == (5, 5)


def test_the_scores_given_are_not_changed() -> None:
    scores = np.array([3.0, 1.0, 2.0])
    interquartile_mean(scores)
    median_and_iqr(scores)
    close(scores, [3, 1, 2], within=0)


def test_wrong_arguments_are_named() -> None:
    rng = np.random.default_rng(0)
    with refused("scores is empty, shape (0,); it must hold at least one number"):
        median_and_iqr([])
    with refused("scores[1] is NaN; it must be finite"):
        interquartile_mean([1, np.nan])
    with refused("scores has shape (); it must have shape (runs,) or (runs, tasks)"):
        interquartile_mean(3)
    with refused('statistic is \'mode\'; it must be "mean", "median" or "interquartile_mean"'):
        bootstrap_interval([1, 2], statistic="mode", rng=rng)
    with refused("level is 1; it must be above 0 and below 1"):
        bootstrap_interval([1, 2], statistic="mean", rng=rng, level=1)
    with refused("num_resamples is 0; it must be at least 1"):
        bootstrap_interval([1, 2], statistic="mean", rng=rng, num_resamples=0)
    with refused("rng is None; it must be a np.random.Generator"):
        bootstrap_interval([1, 2], statistic="mean", rng=None)  # type: ignore[arg-type]

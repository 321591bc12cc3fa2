"""Statistics over runs beside rliable: point estimates exactly, bootstrap intervals within their noise."""

from __future__ import annotations

import numpy as np
import pytest
from rliable import library, metrics

from policygrad import bootstrap_interval, interquartile_mean, median_and_iqr

RESAMPLES = 20_000


def scores_of(runs: int, tasks: int) -> np.ndarray:
    return np.random.default_rng(runs).gamma(2.0, 100.0, size=(runs, tasks))


@pytest.mark.parametrize("shape", [(3, 1), (10, 1), (11, 1), (20, 4)])
def test_interquartile_means(shape: tuple[int, int]) -> None:
    scores = scores_of(*shape)
    assert interquartile_mean(scores) == pytest.approx(metrics.aggregate_iqm(scores), rel=1e-12)


def test_medians() -> None:
    scores = scores_of(11, 1)  # of one task: rliable's median is over tasks
    assert median_and_iqr(scores[0]).median == pytest.approx(metrics.aggregate_median(scores[:1]), rel=1e-12)


# rliable hands its generator on under a name that `arch` is about to drop.
@pytest.mark.filterwarnings("ignore:random_state is deprecated:FutureWarning")
@pytest.mark.parametrize("shape", [(10, 1), (20, 4)])
def test_intervals(shape: tuple[int, int]) -> None:
    """Both are percentile bootstraps over runs within tasks; a quantile of 20,000 draws has an error of about
    two hundredths of the statistic's own spread."""
    scores = scores_of(*shape)
    _, intervals = library.get_interval_estimates(
        {"ours": scores}, metrics.aggregate_iqm, reps=RESAMPLES, random_state=np.random.RandomState(0)
    )
    low, high = intervals["ours"].ravel()
    interval = bootstrap_interval(
        scores, statistic="interquartile_mean", rng=np.random.default_rng(1), num_resamples=RESAMPLES
    )
    width = high - low
    assert interval.low == pytest.approx(low, abs=0.04 * width)
    assert interval.high == pytest.approx(high, abs=0.04 * width)

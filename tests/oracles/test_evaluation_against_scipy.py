"""Statistics over runs against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from policygrad import bootstrap_interval, interquartile_mean, median_and_iqr


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 8, 20, 101])
def test_middles_are_scipys(size: int) -> None:
    scores = np.random.default_rng(size).normal(size=size)
    assert interquartile_mean(scores) == pytest.approx(scipy.stats.trim_mean(scores, 0.25), abs=1e-12)
    result = median_and_iqr(scores)
    assert result.upper - result.lower == pytest.approx(scipy.stats.iqr(scores), abs=1e-12)
    assert result.median == pytest.approx(scipy.stats.scoreatpercentile(scores, 50), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("mean", np.mean),
        ("median", np.median),
        ("interquartile_mean", lambda x, axis: scipy.stats.trim_mean(x, 0.25, axis=axis)),
    ],
)
def test_intervals_are_scipys_up_to_the_draws(name: str, function) -> None:  # type: ignore[no-untyped-def]
    scores = np.random.default_rng(0).gamma(2.0, size=25)
    ours = bootstrap_interval(scores, statistic=name, rng=np.random.default_rng(1), num_resamples=20_000)
    theirs = scipy.stats.bootstrap(
        (scores,), function, method="percentile", n_resamples=20_000, rng=np.random.default_rng(2)
    ).confidence_interval
    spread = theirs.high - theirs.low
    assert ours.low == pytest.approx(theirs.low, abs=0.03 * spread)
    assert ours.high == pytest.approx(theirs.high, abs=0.03 * spread)


def test_an_interval_of_level_90_covers_the_truth_about_so_often() -> None:
    """Means of 40 normal scores; the percentile interval is a little too narrow, as it is known to be."""
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(300):
        interval = bootstrap_interval(
            rng.normal(size=40), statistic="mean", rng=rng, level=0.9, num_resamples=400
        )
        hits += interval.low <= 0 <= interval.high
    assert 0.84 <= hits / 300 <= 0.94

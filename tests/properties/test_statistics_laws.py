"""Laws of statistics over runs, and of Adam."""

from __future__ import annotations

import numpy as np
import pytest
from drawing import NUMBERS, numbers
from hypothesis import given
from hypothesis import strategies as st

from policygrad import adam_update, bootstrap_interval, interquartile_mean, median_and_iqr

SCORES = numbers(st.integers(1, 12))


@given(SCORES, st.randoms(use_true_random=False))
def test_the_order_of_runs_does_not_matter(scores: np.ndarray, random) -> None:  # type: ignore[no-untyped-def]
    other = scores.tolist()
    random.shuffle(other)
    assert interquartile_mean(other) == interquartile_mean(scores)
    assert median_and_iqr(other) == median_and_iqr(scores)


@given(SCORES, NUMBERS, st.floats(0.1, 10))
def test_middles_move_and_stretch_with_the_scores(scores: np.ndarray, shift: float, factor: float) -> None:
    moved = factor * scores + shift
    assert interquartile_mean(moved) == pytest.approx(factor * interquartile_mean(scores) + shift, abs=1e-9)
    before, after = median_and_iqr(scores), median_and_iqr(moved)
    assert after.median == pytest.approx(factor * before.median + shift, abs=1e-9)
    assert after.upper - after.lower == pytest.approx(factor * (before.upper - before.lower), abs=1e-9)


@given(SCORES)
def test_middles_are_in_order_and_among_the_scores(scores: np.ndarray) -> None:
    result = median_and_iqr(scores)
    assert scores.min() <= result.lower <= result.median <= result.upper <= scores.max()
    assert scores.min() - 1e-9 <= interquartile_mean(scores) <= scores.max() + 1e-9


@given(st.integers(4, 20))
def test_one_extreme_run_cannot_move_the_interquartile_mean(size: int) -> None:
    scores = np.append(np.zeros(size - 1), 1e9)
    assert interquartile_mean(scores) == 0


@given(SCORES, st.sampled_from(["mean", "median", "interquartile_mean"]), st.floats(0.05, 0.95))
def test_intervals_are_in_order_and_nested(scores: np.ndarray, statistic: str, level: float) -> None:
    options = {"statistic": statistic, "num_resamples": 60}
    inner, outer = (
        bootstrap_interval(scores, rng=np.random.default_rng(0), level=share, **options)  # type: ignore[arg-type]
        for share in (level, (1 + level) / 2)
    )
    assert scores.min() - 1e-9 <= outer.low <= inner.low <= inner.high <= outer.high <= scores.max() + 1e-9


@given(numbers(3), numbers(3), st.floats(1e-3, 10))
def test_the_first_adam_step_knows_only_signs(params: np.ndarray, gradient: np.ndarray, scale: float) -> None:
    gradient = np.round(gradient, 1)
    zeros = np.zeros(3)
    step = adam_update(params, scale * gradient, zeros, zeros, step=1, learning_rate=0.1, eps=1e-15)
    np.testing.assert_allclose(params - step.params, 0.1 * np.sign(gradient), atol=1e-9)

"""Laws of ratios, the clip and the sampled KL estimators."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from policygrad import (
    clip_bounds,
    clip_by_global_norm,
    clipped_fraction,
    clipped_objective,
    clipped_objective_slope,
    kl_k1,
    kl_k2,
    kl_k3,
    outside_fraction,
    probability_ratios,
    surrogate_terms,
    value_loss,
)

WIDTHS = st.one_of(st.sampled_from([0.0, 0.1, 0.2, 0.3]), st.floats(0, 0.99))
ADVANTAGES = st.one_of(st.sampled_from([0.0, -0.0, 1.0, -1.0]), st.floats(-1e6, 1e6))
LOGS = st.floats(-2000, 2000)


@st.composite
def samples(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, float]:
    """Ratios (also on the edges of the clip and enormous ones), advantages and a width."""
    width = draw(WIDTHS)
    ratios = st.one_of(st.floats(0, 3), st.floats(0, 1e300), st.sampled_from([1 - width, 1.0, 1 + width]))
    shape = draw(st.sampled_from([(), (1,), (5,), (2, 3)]))
    return (
        draw(arrays(np.float64, shape, elements=ratios)),
        draw(arrays(np.float64, shape, elements=ADVANTAGES)),
        width,
    )


@given(samples())
def test_the_clipped_objective_is_a_lower_bound_of_the_unclipped_one(
    drawn: tuple[np.ndarray, np.ndarray, float],
) -> None:
    ratios, advantages, width = drawn
    objective = clipped_objective(ratios, advantages, clip_epsilon=width)
    with np.errstate(over="ignore"):
        unclipped = ratios * advantages
    assert np.all(objective <= unclipped)
    bounds = clip_bounds(clip_epsilon=width)
    inside = (ratios >= bounds.low) & (ratios <= bounds.high)
    assert np.all((objective == unclipped) | ~inside)
    assert np.all((objective == 0) | (advantages != 0))


@given(samples())
def test_the_slope_is_the_advantage_or_0(drawn: tuple[np.ndarray, np.ndarray, float]) -> None:
    ratios, advantages, width = drawn
    slope = clipped_objective_slope(ratios, advantages, clip_epsilon=width)
    assert np.all((slope == advantages) | (slope == 0))
    stopped = (slope == 0) & (advantages != 0)
    assert clipped_fraction(ratios, advantages, clip_epsilon=width) == np.mean(stopped)


@given(samples())
def test_a_clipped_sample_is_outside(drawn: tuple[np.ndarray, np.ndarray, float]) -> None:
    ratios, advantages, width = drawn
    clipped = clipped_fraction(ratios, advantages, clip_epsilon=width)
    assert 0 <= clipped <= outside_fraction(ratios, clip_epsilon=width) <= 1


@given(ADVANTAGES, WIDTHS)
def test_at_ratio_1_clipped_and_unclipped_have_the_same_value_and_slope(
    advantage: float, width: float
) -> None:
    assert clipped_objective(1.0, advantage, clip_epsilon=width) == advantage
    assert clipped_objective_slope(1.0, advantage, clip_epsilon=width) == advantage


@given(samples())
def test_terms_of_one_sample_are_the_entries_of_the_arrays(
    drawn: tuple[np.ndarray, np.ndarray, float],
) -> None:
    ratios, advantages, width = drawn
    objective = clipped_objective(ratios, advantages, clip_epsilon=width)
    slope = clipped_objective_slope(ratios, advantages, clip_epsilon=width)
    for place in np.ndindex(*ratios.shape):
        terms = surrogate_terms(ratios[place].item(), advantages[place].item(), clip_epsilon=width)
        assert terms.objective == np.asarray(objective)[place]
        assert terms.slope == np.asarray(slope)[place]


@given(samples(), st.floats(0.01, 100))
def test_advantages_may_be_rescaled(drawn: tuple[np.ndarray, np.ndarray, float], scale: float) -> None:
    ratios, advantages, width = drawn
    assert clipped_fraction(ratios, advantages * scale, clip_epsilon=width) <= 1
    np.testing.assert_allclose(
        clipped_objective(np.minimum(ratios, 10), advantages * scale, clip_epsilon=width),
        scale * clipped_objective(np.minimum(ratios, 10), advantages, clip_epsilon=width),
        rtol=1e-12,
    )


@given(arrays(np.float64, 4, elements=LOGS), arrays(np.float64, 4, elements=LOGS))
def test_ratios_are_finite_and_above_0(new: np.ndarray, old: np.ndarray) -> None:
    ratios = probability_ratios(new, old)
    assert np.all(np.isfinite(ratios) & (ratios > 0))
    assert np.all((ratios == 1) | (new != old))


@given(arrays(np.float64, 5, elements=LOGS))
def test_k2_and_k3_are_never_negative(log_ratios: np.ndarray) -> None:
    assert np.all(kl_k2(log_ratios) >= 0)
    assert np.all(kl_k3(log_ratios) >= 0)
    assert np.all(kl_k3(log_ratios) >= kl_k1(log_ratios) - 1)
    assert np.all(kl_k1(log_ratios) == -np.clip(log_ratios, -700, 700))


@given(
    st.lists(arrays(np.float64, 3, elements=st.floats(-1e9, 1e9)), min_size=1, max_size=4),
    st.floats(0.01, 1e6),
)
def test_clipped_gradients_keep_their_direction_and_are_short_enough(
    gradients: list[np.ndarray], limit: float
) -> None:
    result = clip_by_global_norm(gradients, max_norm=limit)
    together = np.concatenate(result.gradients)
    assert np.linalg.norm(together) <= limit * (1 + 1e-12)
    # `hypot` scales before it squares, so that tiny gradients do not vanish in the oracle.
    assert math.isclose(result.norm, math.hypot(*np.concatenate(gradients)), rel_tol=1e-12)
    scale = min(1.0, limit / (result.norm + 1e-6))
    np.testing.assert_allclose(together, scale * np.concatenate(gradients), rtol=1e-15)


@given(*(arrays(np.float64, 4, elements=st.floats(-100, 100)) for _ in range(3)), st.floats(0, 10))
def test_a_clipped_value_loss_is_never_smaller(
    values: np.ndarray, targets: np.ndarray, old: np.ndarray, width: float
) -> None:
    clipped = value_loss(values, targets, old_values=old, value_clip=width)
    assert clipped >= value_loss(values, targets) >= 0

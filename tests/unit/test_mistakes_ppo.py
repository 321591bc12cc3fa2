"""Mistakes that published programs contain: PPO's surrogate, value loss, diagnostics and the gradient's norm.

Each test reaches the right value and shows the value that the mistake leads to, which it must not reach.
"""

from __future__ import annotations

import numpy as np
import pytest
from expecting import close, refused, right_not

from policygrad import (
    clip_by_global_norm,
    clipped_fraction,
    clipped_objective,
    clipped_objective_slope,
    explained_variance,
    kl_k1,
    log_softmax,
    outside_fraction,
    probability_ratios,
    reduce_tokens,
    value_loss,
)


def test_outside_the_interval_is_not_the_same_as_clipped() -> None:
    ratios, advantages = [1.5, 1.5, 0.5, 0.5, 1.1], [1, -1, 1, -1, 1]
    assert outside_fraction(ratios, clip_epsilon=0.2) == 0.8
    # Only (1.5, +) and (0.5, −): the other two outside still have a slope.
    right_not(clipped_fraction(ratios, advantages, clip_epsilon=0.2), right=0.4, mistake=0.8)
    # (1.2 − 1.5 + 0.5 − 0.8 + 1.1)/5
    objective = clipped_objective(ratios, advantages, clip_epsilon=0.2).mean()
    right_not(objective, right=0.1, mistake=0.0)


def test_the_old_log_probability_is_the_stored_one() -> None:
    actions = np.array([0, 1])
    old = log_softmax([[0, 0], [0, np.log(3)]])[[0, 1], actions]
    new = log_softmax([[np.log(1.5), 0], [0, 0]])[[0, 1], actions]
    # 0.6/0.5 and 0.5/0.75
    right_not(probability_ratios(new, old), right=[1.2, 2 / 3], mistake=probability_ratios(new, new))


def test_the_minimum_is_taken_for_negative_advantages_too() -> None:
    ratios, advantages = np.repeat([0.5, 0.9, 1.1, 2.0], 2), np.tile([1.0, -1.0], 4)
    right = [0.5, -0.8, 0.9, -0.9, 1.1, -1.1, 1.2, -2.0]
    actual = clipped_objective(ratios, advantages, clip_epsilon=0.2)
    right_not(actual, right=right, mistake=ratios * advantages)
    right_not(actual, right=right, mistake=np.clip(ratios, 0.8, 1.2) * advantages)
    # The other way to write it: the limit depends on the sign of A alone.
    limit = np.where(advantages >= 0, 1.2, 0.8) * advantages
    close(np.minimum(ratios * advantages, limit), right)


def test_a_mean_is_divided_by_as_many_entries_as_were_added() -> None:
    log_ratios = np.array([[0.1, -0.2, 0.3], [0.4, 0.0, -0.1]])
    mean = reduce_tokens(kl_k1(log_ratios), np.ones((2, 3)), reduction="token_mean")
    # −0.5/6; divided by the 2 entries of a (2, 1) mask it would be −0.25
    right_not(mean, right=-0.5 / 6, mistake=-0.25)
    right_not(outside_fraction(np.exp(log_ratios), clip_epsilon=0.2), right=1 / 3, mistake=1.0)
    with refused("values has shape (2, 3); it must have the shape of mask, (2, 1)"):
        reduce_tokens(log_ratios, np.ones((2, 1)), reduction="token_mean")


def test_a_wider_upper_clip_is_one() -> None:
    ratios, advantages = [1.25, 1.3, 0.75, 0.75], [1, 1, -1, 1]
    widths = {"clip_epsilon": 0.2, "clip_epsilon_high": 0.28}
    right_not(
        clipped_objective(ratios, advantages, **widths),
        right=[1.25, 1.28, -0.8, 0.75],
        mistake=[1.2, 1.2, -0.8, 0.75],
    )
    right_not(
        clipped_objective_slope(ratios, advantages, **widths) == 0, right=[0, 1, 1, 0], mistake=[1, 1, 1, 0]
    )


def test_a_huge_ratio_is_not_infinity_times_zero() -> None:
    ratios = probability_ratios([800, 800, -800, -800], [0, 0, 0, 0])
    assert np.isfinite(ratios).all()
    close(clipped_objective(ratios, [0, 1, 1, -1], clip_epsilon=0.2), [0, 1.2, 0, -0.8])


def test_explained_variance_is_relative_to_the_targets() -> None:
    # Errors (0, 0, 0, −1): variance 3/16; Var(targets) = 5/4, Var(values) = 35/16
    values, targets = [1.0, 2, 3, 5], [1.0, 2, 3, 4]
    right_not(explained_variance(values, targets), right=0.85, mistake=1 - 3 / 35)


# value, old value, target, width: the larger squared error, and what a mistake makes of it
CLIPPED_VALUES = [
    ((2.0, 1.0, 3.0, 0.5), 2.25, 1.0),  # clipped around the old value to 1.5; around the target to 2.5
    ((0.0, 1.0, 3.0, 0.5), 9.0, 6.25),  # 0.5 is nearer to the target: the larger error counts
    ((-2.0, -1.0, 0.0, 0.2), 4.0, 1.44),  # errors −2 and −1.2: squares are compared, not signs
]


@pytest.mark.parametrize(("given", "right", "mistake"), CLIPPED_VALUES)
def test_the_larger_of_two_squared_errors(given: tuple[float, ...], right: float, mistake: float) -> None:
    value, old, target, width = given
    loss = value_loss([value], [target], old_values=[old], value_clip=width)
    right_not(2 * loss, right=right, mistake=mistake)


def test_gradients_are_shortened_before_the_step() -> None:
    params, gradient, rate = np.array([1.0, 1.0]), np.array([3.0, 4.0]), 0.1
    clipped = clip_by_global_norm([gradient], max_norm=1.0)
    assert clipped.norm == 5.0
    right_not(params - rate * clipped.gradients[0], right=[0.94, 0.92], mistake=[0.7, 0.6], within=1e-6)
    close(gradient, [3, 4], within=0)


def test_one_norm_for_all_arrays() -> None:
    # Clipped one by one, both would keep their length and turn the direction.
    clipped = clip_by_global_norm([[3.0], [[4.0]]], max_norm=2.5)
    close(clipped.gradients[0], [1.5], within=1e-6)
    close(clipped.gradients[1], [[2.0]], within=1e-6)

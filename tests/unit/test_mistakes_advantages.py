"""Mistakes that published programs contain: borders between episodes, value targets, normalisation.

Each test reaches the right value and shows the value that the mistake leads to, which it must not reach.
"""

from __future__ import annotations

import numpy as np
import pytest
from expecting import close, right_not

from policygrad import generalized_advantages, normalize_advantages, td_errors, value_targets

# name, rewards, values, next values, terminated, cut, γ, λ, right δ, right Â, the mistake's δ and Â
BORDERS = {
    "a time limit is a border, and no end of the task": (
        ([1, 1, 1, 1], [2, 3, 4, 5], [3, 7, 5, 6], [0, 0, 0, 0], [0, 1, 0, 0], 0.9, 0.5),
        ([1.7, 4.3, 1.5, 1.4], [3.635, 4.3, 2.13, 1.4]),
        ([1.7, -2.0, 1.5, 1.4], [0.8, -2.0, 2.13, 1.4]),
    ),
    "masks that are late by one row read the next episode's first state": (
        ([0, -2, 0], [2, 1, 40], [1, 40, 30], [0, 1, 0], [0, 1, 0], 0.95, 0.9),
        ([-1.05, -3.0, -11.5], [-3.615, -3.0, -11.5]),
        ([-2.0, 35.0, -11.5], [-2.0, 25.1675, -11.5]),
    ),
    "at a time limit the value is that of the final state, not of the one before": (
        ([1, 2], [10, 8], [8, 4], [0, 0], [0, 1], 0.9, 0.8),
        ([-1.8, -2.4], [-3.528, -2.4]),
        ([-1.8, 1.2], [-0.936, 1.2]),
    ),
    "in a flat batch the row after a border is another trajectory": (
        ([0.5] * 4, [2, 2, 50, 50], [2, 2, 50, 50], [0] * 4, [0, 1, 0, 1], 1.0, 0.9),
        ([0.5, 0.5, 0.5, 0.5], [0.95, 0.5, 0.95, 0.5]),
        ([0.5, 48.5, 0.5, 0.5], [44.15, 48.5, 0.95, 0.5]),
    ),
}


@pytest.mark.parametrize(("given", "right", "mistake"), BORDERS.values(), ids=BORDERS.keys())
def test_borders(given, right, mistake) -> None:  # type: ignore[no-untyped-def]
    rewards, values, next_values, terminated, cut, gamma, gae_lambda = given
    errors = td_errors(rewards, values, next_values, terminated, gamma=gamma)
    right_not(errors, right=right[0], mistake=mistake[0])
    advantages = generalized_advantages(
        rewards, values, next_values, terminated, cut, gamma=gamma, gae_lambda=gae_lambda
    )
    right_not(advantages, right=right[1], mistake=mistake[1])


def test_value_targets_need_the_advantages_of_this_rollout() -> None:
    values = [0.5, 1, 1.5]
    advantages = generalized_advantages(
        [1, 0, 2], values, [1, 1.5, 2], [0, 0, 0], [0, 0, 1], gamma=0.9, gae_lambda=0.8
    )
    close(advantages, [2.84432, 2.006, 2.3])
    # Built before the advantages are filled in, targets are the old values: nothing is learned.
    right_not(value_targets(values, advantages), right=[3.34432, 3.006, 3.8], mistake=values)


def test_the_reward_of_the_last_step_is_the_whole_target_there() -> None:
    values, ended = [0.2, 0.4, 0.6, 0.8], [0, 1, 0, 1]
    advantages = generalized_advantages(
        [0, 1, 0, 5], values, [0.4, 0.9, 0.8, 0.7], ended, ended, gamma=0.99, gae_lambda=0
    )
    right_not(
        value_targets(values, advantages), right=[0.396, 1, 0.792, 5], mistake=[0.396, 1.891, 0.792, 5.693]
    )


def test_a_fall_on_the_last_allowed_step_is_a_fall() -> None:
    # Both flags are set; terminated decides: 1 − 2, and not 1 + 0.99·9 − 2.
    right_not(td_errors([1], [2], [9], [1], gamma=0.99), right=[-1.0], mistake=[7.91])


def test_a_row_that_only_resets_is_no_data() -> None:
    # Some vector environments spend a row on the reset: row 2 follows the end in row 1.
    rewards, values, next_values = [1, 1, 0, 1], [1, 2, 7, 3], [2, np.nan, 3, 4]
    ended, cut, valid = [0, 1, 0, 0], [0, 1, 1, 1], [1, 1, 0, 1]
    advantages = generalized_advantages(rewards, values, next_values, ended, cut, gamma=0.9, gae_lambda=0.5)
    close(advantages[[0, 1, 3]], [1.35, -1.0, 1.6])
    normalized = normalize_advantages(advantages, mask=valid, eps=0)
    # mean 0.65; with the reset row's −4.3 in it, it would be −0.5875
    deviations = np.array([0.7, -1.65, 0, 0.95])
    spread = np.sqrt((0.7**2 + 1.65**2 + 0.95**2) / 3)
    everything = np.array([1.35, -1.0, -4.3, 1.6])
    right_not(
        normalized, right=deviations / spread, mistake=(everything - everything.mean()) / everything.std()
    )


def test_equal_advantages_are_not_divided_0_by_0() -> None:
    assert np.array_equal(normalize_advantages([3.0, 3.0, 3.0], eps=1e-8), [0, 0, 0])
    assert np.array_equal(normalize_advantages([3.0, 3.0, 3.0], eps=0), [0, 0, 0])


def test_a_single_valid_entry_has_no_sample_deviation() -> None:
    assert np.array_equal(normalize_advantages([[1.5, 7.0]], mask=[[1, 0]], ddof=1), [[0, 0]])


def test_a_critic_is_not_asked_about_padding() -> None:
    # Two tokens, then padding: the last token is the end, whatever the critic says after it.
    advantages = generalized_advantages(
        [0, 1, 0, 0],
        [0.2, 0.4, 50, -30],
        [0.4, 50, -30, 0],
        [0, 1, 0, 0],
        [0, 1, 1, 1],
        gamma=1,
        gae_lambda=0.9,
    )
    # δ₁ = 1 − 0.4, δ₀ = 0.4 − 0.2
    right_not(advantages[:2], right=[0.74, 0.6], mistake=[-19.06, -21.4])

"""Returns of one episode, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from expecting import close, refused

from policygrad import rewards_to_go, score_weights

REWARDS = [1.0, 0.0, 2.0]


def test_each_action_is_credited_with_what_follows_it() -> None:
    # γ = 0.9, backwards: 2;  0 + 0.9·2 = 1.8;  1 + 0.9·1.8 = 2.62
    close(rewards_to_go(REWARDS, gamma=0.9), [2.62, 1.8, 2.0])


@pytest.mark.parametrize(
    ("gamma", "expected"),
    [
        (0.0, [1.0, 0.0, 2.0]),  # only the next reward
        (1.0, [3.0, 2.0, 2.0]),  # plain sums
    ],
)
def test_discounts_at_the_ends_of_their_range(gamma: float, expected: list[float]) -> None:
    close(rewards_to_go(REWARDS, gamma=gamma), expected, within=0)


def test_an_episode_of_one_step() -> None:
    close(rewards_to_go([-3], gamma=0.5), [-3.0], within=0)


def test_the_rewards_given_are_not_changed() -> None:
    rewards = np.array(REWARDS)
    returns = rewards_to_go(rewards, gamma=0.9)
    returns[:] = 7
    close(rewards, REWARDS, within=0)


def test_the_objective_discounts_late_steps_once_more() -> None:
    # γ = 0.5: G = (1 + 0.5·1, 0 + 0.5·2, 2) = (1.5, 1, 2);  γ^t G = (1·1.5, 0.5·1, 0.25·2)
    close(score_weights(REWARDS, gamma=0.5, convention="objective"), [1.5, 0.5, 0.5])
    close(score_weights(REWARDS, gamma=0.5, convention="occupancy"), [1.5, 1.0, 2.0])


def test_with_gamma_0_the_objective_keeps_only_the_first_step() -> None:
    # 0⁰ = 1: the first action still counts.
    close(score_weights(REWARDS, gamma=0, convention="objective"), [1.0, 0.0, 0.0], within=0)


def test_without_discount_the_conventions_agree() -> None:
    close(
        score_weights(REWARDS, gamma=1, convention="objective"),
        score_weights(REWARDS, gamma=1, convention="occupancy"),
        within=0,
    )


def test_wrong_arguments_are_named() -> None:
    with refused("rewards is empty, shape (0,); it must hold at least one number"):
        rewards_to_go([], gamma=0.9)
    with refused("rewards has shape (1, 2); it must have one axis"):
        rewards_to_go([[1, 2]], gamma=0.9)
    with refused("rewards[1] is NaN; it must be finite"):
        rewards_to_go([1, np.nan], gamma=0.9)
    with refused("gamma is 1.1; it must be at least 0 and at most 1"):
        rewards_to_go([1], gamma=1.1)
    with refused('convention is \'undiscounted\'; it must be "objective" or "occupancy"'):
        score_weights([1], gamma=0.9, convention="undiscounted")

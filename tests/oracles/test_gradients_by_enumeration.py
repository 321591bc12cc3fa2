"""Expectations of gradient estimators, taken over every trajectory or group that can occur."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from policygrad import (
    exact_policy_gradient,
    group_mean_advantages,
    grpo_advantages,
    minimum_variance_baseline,
    reinforce_gradient,
    rloo_advantages,
    score,
    score_weights,
    softmax,
    state_value,
    trajectory_gradient,
)

# A task of three steps and two states; a policy with its own logits in each state: 4 parameters.
LOGITS = np.array([[0.3, -0.5], [1.0, 0.2]])
REWARD = np.array([[1.0, -0.4], [0.5, 2.0]])
NEXT = np.array([[0, 1], [1, 0]])
LENGTH, GAMMA = 3, 0.7


def trajectories(logits: np.ndarray) -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
    """Probability, scores (T, 4) and rewards (T,) of every action sequence from state 0."""
    probs = softmax(logits)
    for actions in product((0, 1), repeat=LENGTH):
        state, chance, scores, rewards = 0, 1.0, np.zeros((LENGTH, 2, 2)), np.zeros(LENGTH)
        for t, action in enumerate(actions):
            chance *= probs[state, action]
            scores[t, state] = score(probs[state], action)
            rewards[t] = REWARD[state, action]
            state = NEXT[state, action]
        yield chance, scores.reshape(LENGTH, 4), rewards


def objective(logits: np.ndarray) -> float:
    discounts = GAMMA ** np.arange(LENGTH)
    return sum(chance * float(discounts @ rewards) for chance, _, rewards in trajectories(logits))


def true_gradient() -> np.ndarray:
    """∂J/∂z by central differences."""
    result, width = np.zeros(4), 1e-5
    for i in range(4):
        shift = np.zeros(4)
        shift[i] = width
        shifted = [objective(LOGITS + sign * shift.reshape(2, 2)) for sign in (1, -1)]
        result[i] = (shifted[0] - shifted[1]) / (2 * width)
    return result


def expected_gradient(convention: str) -> np.ndarray:
    return sum(  # type: ignore[return-value]
        chance * trajectory_gradient(scores, score_weights(rewards, gamma=GAMMA, convention=convention))
        for chance, scores, rewards in trajectories(LOGITS)
    )


def test_the_objective_convention_is_the_gradient_of_the_discounted_objective() -> None:
    np.testing.assert_allclose(expected_gradient("objective"), true_gradient(), atol=1e-9)


def test_the_occupancy_convention_is_not() -> None:
    assert np.abs(expected_gradient("occupancy") - true_gradient()).max() > 0.01


def test_reward_to_go_has_the_mean_of_the_whole_return_and_less_variance_here() -> None:
    means, squares = np.zeros((2, 4)), np.zeros((2, 4))
    for chance, scores, rewards in trajectories(LOGITS):
        whole = float(GAMMA ** np.arange(LENGTH) @ rewards)
        estimates = (
            trajectory_gradient(scores, np.full(LENGTH, whole)),
            trajectory_gradient(scores, score_weights(rewards, gamma=GAMMA, convention="objective")),
        )
        for row, estimate in enumerate(estimates):
            means[row] += chance * estimate
            squares[row] += chance * estimate**2
    np.testing.assert_allclose(means[0], means[1], atol=1e-12)
    variances = (squares - means**2).sum(axis=1)
    assert variances[1] < variances[0]


PROBS = softmax([0.4, -0.3, 0.1])
VALUES = np.array([1.0, -2.0, 0.5])


def total_variance(baseline: float) -> float:
    """E‖(Q − b) g‖² − ‖E[(Q − b) g]‖² over the three actions."""
    estimates = [(VALUES[a] - baseline) * score(PROBS, a) for a in range(3)]
    mean = sum(p * g for p, g in zip(PROBS, estimates, strict=True))
    second = sum(p * float(g @ g) for p, g in zip(PROBS, estimates, strict=True))
    return second - float(mean @ mean)  # type: ignore[operator, arg-type]


def test_the_minimum_variance_baseline_is_the_minimum() -> None:
    best = float(minimum_variance_baseline(PROBS, VALUES))
    grid = np.linspace(best - 2, best + 2, 401)
    assert grid[np.argmin([total_variance(b) for b in grid])] == pytest.approx(best, abs=1e-9)
    assert total_variance(best) < total_variance(float(state_value(PROBS, VALUES))) - 1e-4


def test_with_two_actions_the_best_baseline_leaves_no_variance() -> None:
    # b* = (1 − p) Q(0) + p Q(1) with p = π(0): the roles of the probabilities are exchanged.
    probs, values = np.array([0.2, 0.8]), np.array([3.0, -1.0])
    best = float(minimum_variance_baseline(probs, values))
    assert best == pytest.approx(0.8 * 3 + 0.2 * -1)
    estimates = [(values[a] - best) * score(probs, a) for a in range(2)]
    np.testing.assert_allclose(estimates[0], estimates[1], atol=1e-12)


def expected_over_groups(size: int, advantages_of) -> np.ndarray:  # type: ignore[no-untyped-def]
    """E[(1/G) Σ A_i score_i] over all groups of `size` actions."""
    total = np.zeros(3)
    for actions in product(range(3), repeat=size):
        scores = np.array([score(PROBS, a) for a in actions])
        chance = np.prod(PROBS[list(actions)])
        total += chance * reinforce_gradient(scores, advantages_of(VALUES[list(actions)]))
    return total


@pytest.mark.parametrize("size", [2, 3, 5])
def test_leave_one_out_is_unbiased_and_the_group_mean_shrinks(size: int) -> None:
    exact = exact_policy_gradient(np.log(PROBS), VALUES)
    np.testing.assert_allclose(expected_over_groups(size, rloo_advantages), exact, atol=1e-12)
    np.testing.assert_allclose(
        expected_over_groups(size, group_mean_advantages), (1 - 1 / size) * exact, atol=1e-12
    )


def test_dividing_by_the_standard_deviation_is_no_longer_the_gradient() -> None:
    exact = exact_policy_gradient(np.log(PROBS), VALUES)
    normalized = expected_over_groups(3, grpo_advantages)
    cosine = normalized @ exact / np.linalg.norm(normalized) / np.linalg.norm(exact)
    assert cosine < 1 - 1e-4


@pytest.mark.parametrize("winners", [1, 3, 4])
def test_binary_rewards_have_closed_forms(winners: int) -> None:
    # A share q of winners: +√((1 − q)/q) for a winner, −√(q/(1 − q)) for the others.
    rewards = np.arange(8) < winners
    share = winners / 8
    actual = grpo_advantages(rewards, eps=0)
    np.testing.assert_allclose(actual[rewards], np.sqrt((1 - share) / share), atol=1e-12)
    np.testing.assert_allclose(actual[~rewards], -np.sqrt(share / (1 - share)), atol=1e-12)

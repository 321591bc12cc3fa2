"""Every gradient of the first lesson against central differences of the function that it belongs to."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log

import numpy as np
import pytest

from policygrad import (
    clipped_objective,
    clipped_objective_slope,
    draw_shared_batch,
    exact_policy_gradient,
    log_softmax,
    reuse_batch,
    score,
    shared_objective,
    shared_objective_gradient,
    softmax,
    two_action_update,
)


def slopes(function: Callable[[np.ndarray], float], at: np.ndarray, width: float = 1e-6) -> np.ndarray:
    """Central differences, one entry at a time."""
    result = np.zeros_like(at, dtype=np.float64)
    for place in np.ndindex(*at.shape):
        shift = np.zeros_like(result)
        shift[place] = width
        result[place] = (function(at + shift) - function(at - shift)) / (2 * width)
    return result


@pytest.mark.parametrize("action", [0, 1, 2])
def test_score_is_the_slope_of_the_log_probability(action: int) -> None:
    logits = np.array([0.3, -1.0, 2.0])
    numeric = slopes(lambda z: float(log_softmax(z)[action]), logits)
    np.testing.assert_allclose(score(softmax(logits), action), numeric, atol=1e-9)


def test_policy_gradient_is_the_slope_of_the_expected_value() -> None:
    logits, values = np.array([0.3, -1.0, 2.0]), np.array([1.0, -2.0, 0.5])
    numeric = slopes(lambda z: float(softmax(z) @ values), logits)
    np.testing.assert_allclose(exact_policy_gradient(logits, values), numeric, atol=1e-9)


@pytest.mark.parametrize("advantage", [-2.0, 0.5, 3.0])
@pytest.mark.parametrize("ratio", [0.3, 0.79, 0.81, 1.0, 1.19, 1.21, 1.8])
def test_slope_of_the_clipped_objective(ratio: float, advantage: float) -> None:
    numeric = slopes(lambda r: float(clipped_objective(r, advantage, clip_epsilon=0.2)), np.array(ratio))
    assert clipped_objective_slope(ratio, advantage, clip_epsilon=0.2) == pytest.approx(numeric[()], abs=1e-8)


@pytest.mark.parametrize("advantage", [-2.0, 2.0])
def test_the_slope_on_an_edge_is_the_one_just_inside(advantage: float) -> None:
    for edge, inwards in ((0.8, 1e-6), (1.2, -1e-6)):
        change = clipped_objective(edge + inwards, advantage, clip_epsilon=0.2) - clipped_objective(
            edge, advantage, clip_epsilon=0.2
        )
        slope = clipped_objective_slope(edge, advantage, clip_epsilon=0.2)
        assert slope == pytest.approx(change / inwards, abs=1e-8)


def two_action_terms(logit: float, rewards: tuple[float, float], ref_prob: float) -> tuple[float, float]:
    """Expected reward and KL to the reference, from the definitions."""
    p = 1 / (1 + exp(-logit))
    expected = p * rewards[0] + (1 - p) * rewards[1]
    return expected, p * log(p / ref_prob) + (1 - p) * log((1 - p) / (1 - ref_prob))


@pytest.mark.parametrize("ref_prob", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("prob", [0.05, 0.3, 0.5, 0.7, 0.99])
def test_both_gradients_of_the_two_action_update(prob: float, ref_prob: float) -> None:
    rewards, logit, width = (1.0, -0.5), log(prob / (1 - prob)), 1e-5
    above, below = (two_action_terms(logit + sign * width, rewards, ref_prob) for sign in (1, -1))
    update = two_action_update(prob, rewards, ref_prob=ref_prob, kl_coef=0.3, learning_rate=0.7)
    assert update.reward_gradient == pytest.approx((above[0] - below[0]) / (2 * width), abs=1e-9)
    assert update.kl_gradient == pytest.approx((above[1] - below[1]) / (2 * width), abs=1e-9)
    assert update.gradient == pytest.approx(update.reward_gradient - 0.3 * update.kl_gradient, abs=1e-15)
    assert (update.expected_reward, update.kl) == pytest.approx(two_action_terms(logit, rewards, ref_prob))
    moved = logit + 0.7 * update.gradient
    assert update.new_prob == pytest.approx(1 / (1 + exp(-moved)), abs=1e-15)


@pytest.mark.parametrize("seed", [0, 19, 51])
def test_gradient_of_the_shared_objective(seed: int) -> None:
    """At the old weights, after some epochs, and far away, where several samples are clipped."""
    run = reuse_batch(epochs=12, learning_rate=0.3, clip_epsilon=0.2, rng=np.random.default_rng(seed))
    far = run.batch.old_weights + 3 * np.array([[1.0, -1.0, 0.0], [0.2, 0.1, -0.3]])
    for weights in (run.weights[0], run.weights[3], run.weights[-1], far):
        numeric = slopes(lambda w: shared_objective(w, run.batch, clip_epsilon=0.2), weights)
        gradient = shared_objective_gradient(weights, run.batch, clip_epsilon=0.2)
        np.testing.assert_allclose(gradient, numeric, atol=1e-8)
    assert run.clipped[-1].any()


def test_the_shared_objective_from_its_definition() -> None:
    """One sample after the other, with loops and exponentials only."""
    batch = draw_shared_batch(rng=np.random.default_rng(3))
    weights = batch.old_weights + 0.5 * np.array([[1.0, -1.0, 0.0], [0.2, 0.1, -0.3]])
    total = 0.0
    for sample, state in enumerate(batch.state_index):
        chances = []
        for matrix in (weights, batch.old_weights):
            powers = [exp(float(batch.states[state] @ matrix[:, action])) for action in range(3)]
            chances.append(powers[batch.actions[sample]] / sum(powers))
        ratio, advantage = chances[0] / chances[1], float(batch.advantages[sample])
        total += min(ratio * advantage, min(max(ratio, 0.8), 1.2) * advantage)
    assert shared_objective(weights, batch, clip_epsilon=0.2) == pytest.approx(total / 8, abs=1e-14)

"""REINFORCE and the two-action update, by hand."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
import pytest
from expecting import close, refused, right_not

from policygrad import (
    TwoActionUpdate,
    exact_policy_gradient,
    reinforce_gradient,
    rewards_to_go,
    trajectory_gradient,
    two_action_run,
    two_action_update,
)

SETTINGS: dict[str, Any] = {"ref_prob": 0.5, "kl_coef": 0.0, "learning_rate": 1.0}


def test_the_exact_gradient_weighs_each_action_against_the_average() -> None:
    # π = (0.25, 0.75), Q = (1, 5): V = 4;  (0.25·(1 − 4), 0.75·(5 − 4))
    close(exact_policy_gradient([0, log(3)], [1, 5]), [-0.75, 0.75])


def test_equal_action_values_give_exactly_no_gradient() -> None:
    assert exact_policy_gradient([0.3, -1.2, 2.0], [0.1, 0.1, 0.1]).tolist() == [0, 0, 0]


def test_an_unavailable_action_gets_no_gradient() -> None:
    close(exact_policy_gradient([0, -np.inf, 0], [1, 100, 3]), [-0.5, 0, 0.5])


def test_rows_of_logits_are_independent() -> None:
    batch = exact_policy_gradient([[0, log(3)], [0, 0]], [[1, 5], [2, 0]])
    close(batch, [[-0.75, 0.75], [0.5, -0.5]])


def test_a_trajectory_is_summed_and_a_batch_averaged() -> None:
    scores, weights = [[1.0, 0.0], [0.5, -1.0]], [2.0, 4.0]
    # 2·(1, 0) + 4·(0.5, −1) = (4, −4)
    close(trajectory_gradient(scores, weights), [4.0, -4.0], within=0)
    close(reinforce_gradient(scores, weights), [2.0, -2.0], within=0)


def test_the_averaged_update_by_hand() -> None:
    # p = 0.7, R = (1, 0): V = 0.7;  reward gradient 0.7·0.3·1 = 0.21
    # KL gradient 0.21·(log(0.7/0.3) − 0) = 0.21·0.847298 = 0.177933;  0.21 − 0.5·0.177933 = 0.121034
    update = two_action_update(0.7, [1, 0], ref_prob=0.5, kl_coef=0.5, learning_rate=1.0)
    assert update.expected_reward == pytest.approx(0.7)
    assert update.reward_gradient == pytest.approx(0.21)
    assert update.kl_gradient == pytest.approx(0.177933, abs=5e-7)
    assert update.gradient == pytest.approx(0.121034, abs=5e-7)
    assert update.kl == pytest.approx(0.082283, abs=5e-7)
    # θ = 0.847298 + 0.121034 = 0.968332;  1/(1 + e^−0.968332) = 0.724787
    assert update.new_prob == pytest.approx(0.724787, abs=5e-7)


def test_the_sampled_terms_by_hand() -> None:
    # action 0: (1 − 0.7)·(1 − 0.7) = 0.09;  action 1: (0 − 0.7)·(−0.7) = 0.49;  0.7·0.09 + 0.3·0.49 = 0.21
    first = two_action_update(0.7, [1, 0], action=0, **SETTINGS)
    second = two_action_update(0.7, [1, 0], action=1, **SETTINGS)
    assert first.reward_gradient == pytest.approx(0.09)
    assert second.reward_gradient == pytest.approx(0.49)
    assert 0.7 * first.reward_gradient + 0.3 * second.reward_gradient == pytest.approx(0.21)


def test_the_baseline_is_detached() -> None:
    # Differentiating V too would give the term p·∂V/∂θ·… on top: at p = 0.5 the sampled term is 0.25, not 0.
    assert two_action_update(0.5, [1, 0], action=0, **SETTINGS).reward_gradient == 0.25


@pytest.mark.parametrize("action", [None, 0, 1])
def test_equal_rewards_give_exactly_no_reward_gradient(action: int | None) -> None:
    update = two_action_update(0.3, [0.1, 0.1], action=action, **SETTINGS)
    assert update.reward_gradient == 0
    assert update.expected_reward == 0.1
    assert update.new_prob == pytest.approx(0.3)


def test_the_kl_pulls_towards_the_reference() -> None:
    for prob, ref_prob in ((0.3, 0.6), (0.8, 0.6)):
        update = two_action_update(prob, [0, 0], ref_prob=ref_prob, kl_coef=1.0, learning_rate=1.0)
        assert (update.new_prob - prob) * (ref_prob - prob) > 0
    at_the_reference = two_action_update(0.6, [0, 0], ref_prob=0.6, kl_coef=1.0, learning_rate=1.0)
    assert at_the_reference.kl == 0
    assert at_the_reference.kl_gradient == 0


def test_an_enormous_step_saturates_without_an_error() -> None:
    up = two_action_update(0.5, [1, 0], ref_prob=0.5, kl_coef=0, learning_rate=1e6)
    down = two_action_update(0.5, [0, 1], ref_prob=0.5, kl_coef=0, learning_rate=1e6)
    assert (up.new_prob, down.new_prob) == (1.0, 0.0)


def test_probabilities_next_to_0_and_1() -> None:
    for prob in (1e-300, 1 - 1e-16):
        update = two_action_update(prob, [1, 0], ref_prob=0.5, kl_coef=1.0, learning_rate=1.0)
        assert np.isfinite([update.gradient, update.new_prob, update.kl, update.expected_reward]).all()


def test_the_result_is_frozen() -> None:
    update = two_action_update(0.5, [1, 0], **SETTINGS)
    with pytest.raises(AttributeError):
        update.kl = 0.0  # type: ignore[misc]
    assert TwoActionUpdate.__slots__ == (
        "reward_gradient",
        "kl_gradient",
        "gradient",
        "new_prob",
        "kl",
        "expected_reward",
    )


def test_a_run_is_the_update_repeated() -> None:
    settings: dict[str, Any] = {"ref_prob": 0.4, "kl_coef": 0.3, "learning_rate": 0.8}
    run = two_action_run(0.7, [1, -1], num_updates=5, **settings)
    prob = 0.7
    for k in range(6):
        update = two_action_update(prob, [1, -1], **settings)
        assert run.prob[k] == prob
        assert run.kl[k] == update.kl
        assert run.expected_reward[k] == update.expected_reward
        assert run.reward_gradient[k] == update.reward_gradient
        assert run.kl_gradient[k] == update.kl_gradient
        prob = update.new_prob
    assert run.prob.shape == (6,)
    assert two_action_run(0.7, [1, -1], num_updates=0, **settings).prob.tolist() == [0.7]


def test_a_run_ends_where_reward_and_kl_balance() -> None:
    # R₀ − R₁ = β (θ − θ_ref): θ = 1/0.5 = 2, π(0) = 1/(1 + e^−2)
    run = two_action_run(0.3, [1, 0], ref_prob=0.5, kl_coef=0.5, learning_rate=2.0, num_updates=400)
    assert run.prob[-1] == pytest.approx(1 / (1 + np.exp(-2)), abs=1e-9)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"prob": 0}, "prob is 0; it must be above 0 and below 1"),
        ({"prob": 1.0}, "prob is 1; it must be above 0 and below 1"),
        ({"ref_prob": 1.5}, "ref_prob is 1.5; it must be above 0 and below 1"),
        ({"rewards": [1]}, "rewards has shape (1,); it must have shape (2,), one per action"),
        ({"rewards": [[1, 0]]}, "rewards has shape (1, 2); it must have one axis"),
        ({"rewards": [1, np.nan]}, "rewards[1] is NaN; it must be finite"),
        ({"kl_coef": -1}, "kl_coef is -1; it must be at least 0"),
        ({"learning_rate": -1}, "learning_rate is -1; it must be at least 0"),
        ({"action": 2}, "action is 2; it must be at least 0 and at most 1"),
        ({"action": 0.5}, "action is 0.5; it must be a whole number"),
    ],
)
def test_errors_of_the_update(wrong: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"prob": 0.5, "rewards": [1, 0], **SETTINGS} | wrong
    with refused(message):
        two_action_update(**arguments)


def test_errors_of_gradients_and_runs() -> None:
    with refused("action_values has shape (3,); it must have the shape of logits, (2,)"):
        exact_policy_gradient([0, 0], [1, 2, 3])
    with refused("scores has shape (2,); it must have 2 axes"):
        trajectory_gradient([1, 2], [1, 2])
    with refused("weights has shape (2, 1); it must have one axis"):
        reinforce_gradient([[1], [2]], [[1], [2]])
    with refused("weights has shape (3,); it must have one entry per row of scores, (2,)"):
        reinforce_gradient([[1], [2]], [1, 2, 3])
    with refused("num_updates is -1; it must be at least 0"):
        two_action_run(0.5, [1, 0], num_updates=-1, **SETTINGS)
    with refused(
        "learning_rate is 1000000; it must be small enough that the probability does not round to 1"
    ):
        two_action_run(0.5, [1, 0], ref_prob=0.5, kl_coef=0, learning_rate=1e6, num_updates=2)


def test_the_gradient_is_taken_in_the_logits() -> None:
    """Mistake ps06: in the probabilities, where it would be the rewards. π = (0.2, 0.3, 0.5), J = 1.2."""
    logits = np.log([0.2, 0.3, 0.5])
    right_not(exact_policy_gradient(logits, [1, 0, 2]), right=[-0.04, -0.36, 0.4], mistake=[1, 0, 2])


def test_each_step_is_weighted_by_what_comes_after_it() -> None:
    """Mistake rt02: the whole return at every step. 0.5·(−1) − 0.25·(−2) + 1·(−2) = −2, not −1.25."""
    scores, rewards = [[0.5], [-0.25], [1.0]], [1.0, 0.0, -2.0]
    gradient = trajectory_gradient(scores, rewards_to_go(rewards, gamma=1.0))
    right_not(gradient, right=[-2.0], mistake=[-1.25])

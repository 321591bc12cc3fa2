"""Baselines and group advantages, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from expecting import close, refused

from policygrad import (
    dr_grpo_advantages,
    group_gradient_estimates,
    group_mean_advantages,
    grpo_advantages,
    minimum_variance_baseline,
    rloo_advantages,
    state_value,
)

CENTRING = [
    group_mean_advantages,
    dr_grpo_advantages,
    rloo_advantages,
    lambda rewards: grpo_advantages(rewards, eps=0),
    lambda rewards: grpo_advantages(rewards, ddof=1, eps=0),
]


def test_a_state_is_worth_the_average_of_its_actions() -> None:
    # 0.2·1 + 0.3·0 + 0.5·2 = 1.2
    assert state_value([0.2, 0.3, 0.5], [1, 0, 2]) == pytest.approx(1.2, abs=1e-15)
    close(state_value([[1, 0], [0.5, 0.5]], [[3, 9], [3, 9]]), [3.0, 6.0])


def test_the_quietest_baseline_weights_values_by_squared_scores() -> None:
    # π = (0.8, 0.2): ‖g(0)‖² = 2·0.2² = 0.08, ‖g(1)‖² = 2·0.8² = 1.28
    # weights π‖g‖² = (0.064, 0.256), together 0.32;  b = (0.064·1 + 0.256·6)/0.32 = 5;  V = 0.8·1 + 0.2·6 = 2
    assert minimum_variance_baseline([0.8, 0.2], [1, 6]) == pytest.approx(5.0, abs=1e-12)
    assert state_value([0.8, 0.2], [1, 6]) == pytest.approx(2.0, abs=1e-12)


def test_given_score_norms_take_the_place_of_the_softmax_ones() -> None:
    # weights (0.5·1, 0.5·3): b = (0.5·2 + 1.5·4)/2 = 3.5
    assert minimum_variance_baseline([0.5, 0.5], [2, 4], [1, 3]) == pytest.approx(3.5)


@pytest.mark.parametrize("norms", [None, [0, 0, 0]])
def test_without_any_score_the_baseline_is_the_value(norms: list[float] | None) -> None:
    # A deterministic policy has score 0 for the only action it takes.
    assert minimum_variance_baseline([0, 1, 0], [5, 7, 9], norms) == 7.0


def test_baselines_of_a_batch_of_states() -> None:
    batch = minimum_variance_baseline([[0.8, 0.2], [0, 1]], [[1, 6], [1, 6]])
    close(batch, [5.0, 6.0])


def test_four_ways_to_compare_within_a_group() -> None:
    rewards = [1.0, 2.0, 4.0, 9.0]
    # mean 4, deviations (−3, −2, 0, 5); leave-one-out: ·4/3; squares 9 + 4 + 0 + 25 = 38
    close(group_mean_advantages(rewards), [-3, -2, 0, 5])
    close(dr_grpo_advantages(rewards), [-3, -2, 0, 5])
    close(rloo_advantages(rewards), [-4, -8 / 3, 0, 20 / 3])
    close(grpo_advantages(rewards, eps=0), np.array([-3, -2, 0, 5]) / np.sqrt(38 / 4))
    close(grpo_advantages(rewards, ddof=1, eps=0.5), np.array([-3, -2, 0, 5]) / (np.sqrt(38 / 3) + 0.5))


def test_groups_are_rows_of_the_last_axis() -> None:
    # Two groups of two: means 1 and 1.
    close(rloo_advantages([[0, 2], [1, 1]]), [[-2, 2], [0, 0]])
    close(grpo_advantages([[0, 2], [1, 1]], eps=0), [[-1, 1], [0, 0]])


def test_group_ids_may_come_in_any_order() -> None:
    # Group 7 holds 1 and 3 (mean 2), group 5 holds 10 and 30 (mean 20).
    rewards, ids = [1, 10, 3, 30], [7, 5, 7, 5]
    close(dr_grpo_advantages(rewards, group_ids=ids), [-1, -10, 1, 10])
    close(rloo_advantages(rewards, group_ids=ids), [-2, -20, 2, 20])
    close(grpo_advantages(rewards, eps=0, group_ids=ids), [-1, -1, 1, 1])


@pytest.mark.parametrize("centring", CENTRING)
@pytest.mark.parametrize("equal", [0.1, 1 / 3, 1e-300, -7e200, 0.0])
@pytest.mark.parametrize("size", [1, 3, 7, 10])
def test_equal_rewards_give_exact_zeros(centring, equal: float, size: int) -> None:  # type: ignore[no-untyped-def]
    # The mean of ten 0.1 is 0.09999999999999999: a plain difference is not 0.
    assert np.array_equal(centring([equal] * size), np.zeros(size))


def test_a_group_of_one_among_others_gets_exactly_zero() -> None:
    ids = [0, 1, 1, 1]
    # The others: mean 3, deviations (−2, −1, 3), leave-one-out ·3/2.
    close(rloo_advantages([3, 1, 2, 6], group_ids=ids), [0, -3, -1.5, 4.5])
    assert grpo_advantages([3, 1, 2, 6], ddof=1, eps=0, group_ids=ids)[0] == 0.0


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_standard_deviations_of_tiny_and_huge_rewards(scale: float) -> None:
    # Squares of these would be 0 or infinite.
    close(grpo_advantages([0, 2 * scale], eps=0), [-1, 1])


def test_group_estimators_share_their_draws() -> None:
    p, rewards = 0.35, np.array([-0.2, 1.0])
    result = group_gradient_estimates(p, rewards, group_size=4, num_groups=3, rng=np.random.default_rng(5))
    actions = (np.random.default_rng(5).random((3, 4)) < p).astype(int)
    for row in range(3):
        r, s = rewards[actions[row]], actions[row] - p
        close(result.none[row], (r * s).mean())
        close(result.group_mean[row], ((r - r.mean()) * s).mean())
        close(result.leave_one_out[row], ((r - (r.sum() - r) / 3) * s).mean())
    # p (1 − p) (1 + 0.2) = 0.2275 · 1.2 = 0.273
    assert result.exact == pytest.approx(0.273, abs=1e-15)


def test_group_estimators_at_the_edges() -> None:
    single = group_gradient_estimates(0.5, [0, 1], group_size=1, num_groups=5, rng=np.random.default_rng(0))
    assert np.array_equal(single.group_mean, np.zeros(5))
    assert np.array_equal(single.leave_one_out, np.zeros(5))
    certain = group_gradient_estimates(1.0, [2, 3], group_size=2, num_groups=2, rng=np.random.default_rng(0))
    assert np.array_equal(certain.none, np.zeros(2))
    assert certain.exact == 0.0


def test_wrong_arguments_are_named() -> None:
    with refused("action_values has shape (3,); it must have the shape of probs, (2,)"):
        state_value([0.5, 0.5], [1, 2, 3])
    with refused("probs sums to 1.1; probabilities must sum to 1 within 1e-9"):
        state_value([0.5, 0.6], [1, 2])
    with refused("score_norms_sq[1] is -1; it must not be below 0"):
        minimum_variance_baseline([0.5, 0.5], [1, 2], [1, -1])
    with refused("score_norms_sq has shape (1,); it must have the shape of probs, (2,)"):
        minimum_variance_baseline([0.5, 0.5], [1, 2], [1])
    with refused("rewards is 3; it must be an array of rewards"):
        rloo_advantages(3)
    with refused("rewards[0] is infinity; it must be finite"):
        group_mean_advantages([np.inf, 1])
    with refused("group_ids has shape (1,); it must have the shape of rewards, (2,)"):
        dr_grpo_advantages([1, 2], group_ids=[0])
    with refused("ddof is 2; it must be at least 0 and at most 1"):
        grpo_advantages([1, 2], ddof=2)
    with refused("eps is -1; it must be at least 0"):
        grpo_advantages([1, 2], eps=-1)
    rng = np.random.default_rng(0)
    with refused("prob is 1.5; it must be at least 0 and at most 1"):
        group_gradient_estimates(1.5, [0, 1], group_size=2, num_groups=2, rng=rng)
    with refused("rewards has shape (3,); it must have shape (2,), one per action"):
        group_gradient_estimates(0.5, [0, 1, 2], group_size=2, num_groups=2, rng=rng)
    with refused("group_size is 0; it must be at least 1"):
        group_gradient_estimates(0.5, [0, 1], group_size=0, num_groups=2, rng=rng)
    with refused("rng is 3; it must be a np.random.Generator"):
        group_gradient_estimates(0.5, [0, 1], group_size=2, num_groups=2, rng=3)  # type: ignore[arg-type]

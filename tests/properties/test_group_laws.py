"""Laws of baselines and of advantages within groups."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from drawing import NUMBERS, logits_and_values, numbers
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from policygrad import (
    dr_grpo_advantages,
    exact_policy_gradient,
    group_mean_advantages,
    grpo_advantages,
    minimum_variance_baseline,
    rloo_advantages,
    score,
    softmax,
    state_value,
)

GROUPS = st.tuples(st.integers(1, 3), st.integers(1, 7)).flatmap(numbers)
BY_ID = {
    "rloo": rloo_advantages,
    "dr_grpo": dr_grpo_advantages,
    "grpo": lambda rewards, **ids: grpo_advantages(rewards, eps=1e-3, **ids),
}


@given(GROUPS)
def test_leave_one_out_is_the_centred_reward_scaled_up(rewards: np.ndarray) -> None:
    size = rewards.shape[-1]
    expected = np.zeros_like(rewards) if size == 1 else size / (size - 1) * group_mean_advantages(rewards)
    np.testing.assert_allclose(rloo_advantages(rewards), expected, atol=1e-12)


@given(GROUPS, NUMBERS)
def test_a_constant_for_the_whole_group_changes_nothing(rewards: np.ndarray, constant: float) -> None:
    for function in BY_ID.values():
        np.testing.assert_allclose(function(rewards + constant), function(rewards), atol=1e-9)


@given(GROUPS)
def test_advantages_of_a_group_sum_to_zero(rewards: np.ndarray) -> None:
    for function in BY_ID.values():
        np.testing.assert_allclose(function(rewards).sum(axis=-1), 0, atol=1e-9)


@given(NUMBERS, st.integers(1, 30), st.sampled_from([0, 1]))
def test_equal_rewards_are_exactly_zero(reward: float, size: int, ddof: int) -> None:
    rewards = np.full(size, reward)
    for advantages in (
        group_mean_advantages(rewards),
        rloo_advantages(rewards),
        dr_grpo_advantages(rewards),
        grpo_advantages(rewards, ddof=ddof, eps=0),
    ):
        assert np.array_equal(advantages, np.zeros(size))


@given(
    st.integers(1, 8).flatmap(
        lambda n: st.tuples(numbers(n), arrays(np.int64, n, elements=st.integers(0, 3)))
    )
)
@pytest.mark.parametrize("name", BY_ID)
def test_ids_are_the_same_as_groups_one_by_one(name: str, drawn: tuple[np.ndarray, np.ndarray]) -> None:
    rewards, ids = drawn
    function: Callable[..., np.ndarray] = BY_ID[name]
    expected = np.zeros_like(rewards)
    for group in np.unique(ids):
        expected[ids == group] = function(rewards[ids == group])
    np.testing.assert_allclose(function(rewards, group_ids=ids), expected, atol=1e-12)


@given(GROUPS, st.floats(0.01, 100))
def test_without_eps_the_scale_of_the_rewards_does_not_matter(rewards: np.ndarray, scale: float) -> None:
    rewards = np.round(rewards, 3)
    np.testing.assert_allclose(
        grpo_advantages(scale * rewards, eps=0), grpo_advantages(rewards, eps=0), atol=1e-9
    )


@given(GROUPS)
def test_the_sample_deviation_is_the_larger_one(rewards: np.ndarray) -> None:
    assert (
        np.abs(grpo_advantages(rewards, ddof=1)) <= np.abs(grpo_advantages(rewards, ddof=0)) + 1e-12
    ).all()


@given(logits_and_values())
def test_a_baseline_lies_among_the_values(drawn: tuple[np.ndarray, np.ndarray]) -> None:
    logits, values = drawn
    probs = softmax(logits)
    for baseline in (state_value(probs, values), minimum_variance_baseline(probs, values)):
        assert values.min() - 1e-9 <= baseline <= values.max() + 1e-9


@given(logits_and_values(), NUMBERS)
def test_no_baseline_moves_the_mean_and_the_best_one_has_the_least_spread(
    drawn: tuple[np.ndarray, np.ndarray], baseline: float
) -> None:
    logits, values = drawn
    probs = softmax(logits)
    scores = np.array([score(probs, a) for a in range(len(probs))])

    def moments(b: float) -> tuple[np.ndarray, float]:
        estimates = (values - b)[:, np.newaxis] * scores
        mean = probs @ estimates
        return mean, float(probs @ np.square(estimates).sum(axis=1) - mean @ mean)

    best = float(minimum_variance_baseline(probs, values))
    np.testing.assert_allclose(moments(baseline)[0], exact_policy_gradient(logits, values), atol=1e-9)
    assert moments(best)[1] <= moments(baseline)[1] + 1e-8
    assert moments(best)[1] <= moments(float(state_value(probs, values)))[1] + 1e-8

"""Laws of returns, TD errors and advantages."""

from __future__ import annotations

import numpy as np
import pytest
from drawing import NUMBERS, SHARES, garbage, masks, numbers, rollouts
from hypothesis import given
from hypothesis import strategies as st

from policygrad import (
    generalized_advantages,
    n_step_advantages,
    normalize_advantages,
    rewards_to_go,
    score_weights,
    td_errors,
    value_targets,
)


def without_cut(rollout: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: array for name, array in rollout.items() if name != "trace_cut"}


@given(numbers(st.integers(1, 12)), SHARES)
def test_returns_follow_their_recursion(rewards: np.ndarray, gamma: float) -> None:
    returns = rewards_to_go(rewards, gamma=gamma)
    np.testing.assert_array_equal(returns, rewards + gamma * np.append(returns[1:], 0))


@given(numbers(st.integers(1, 12)), SHARES)
def test_the_first_weight_is_the_same_by_either_convention(rewards: np.ndarray, gamma: float) -> None:
    weights = [score_weights(rewards, gamma=gamma, convention=c)[0] for c in ("objective", "occupancy")]
    assert weights[0] == weights[1]


@given(rollouts(), SHARES)
def test_lambda_0_and_one_step_are_the_td_errors(rollout: dict[str, np.ndarray], gamma: float) -> None:
    deltas = td_errors(**without_cut(rollout), gamma=gamma)
    np.testing.assert_array_equal(generalized_advantages(**rollout, gamma=gamma, gae_lambda=0), deltas)
    np.testing.assert_array_equal(n_step_advantages(**rollout, gamma=gamma, n=1), deltas)


@given(rollouts(), SHARES, SHARES)
def test_what_stands_where_a_task_ended_changes_nothing(
    rollout: dict[str, np.ndarray], gamma: float, gae_lambda: float
) -> None:
    clean = {**rollout, "next_values": np.where(rollout["terminated"], 0.0, rollout["next_values"])}
    for given_rollout in (rollout, clean):
        assert np.isfinite(generalized_advantages(**given_rollout, gamma=gamma, gae_lambda=gae_lambda)).all()
    np.testing.assert_array_equal(
        generalized_advantages(**rollout, gamma=gamma, gae_lambda=gae_lambda),
        generalized_advantages(**clean, gamma=gamma, gae_lambda=gae_lambda),
    )
    np.testing.assert_array_equal(
        n_step_advantages(**rollout, gamma=gamma, n=3), n_step_advantages(**clean, gamma=gamma, n=3)
    )


@given(rollouts(), SHARES, SHARES, st.data())
def test_nothing_flows_back_over_a_cut(
    rollout: dict[str, np.ndarray], gamma: float, gae_lambda: float, data: st.DataObject
) -> None:
    """Rows after a cut may be exchanged for any others: the rows up to it keep their advantages."""
    row = data.draw(st.integers(0, len(rollout["rewards"]) - 1))
    rollout = {**rollout, "trace_cut": rollout["trace_cut"].copy()}
    rollout["trace_cut"][row] = True
    other = {name: array.copy() for name, array in rollout.items()}
    for name in ("rewards", "values", "next_values"):
        other[name][row + 1 :] = 7.0
    for function, options in (
        (generalized_advantages, {"gae_lambda": gae_lambda}),
        (n_step_advantages, {"n": 4}),
    ):
        first, second = (function(**r, gamma=gamma, **options) for r in (rollout, other))  # type: ignore[operator]
        np.testing.assert_array_equal(first[: row + 1], second[: row + 1])


@given(rollouts(), SHARES, SHARES, st.data())
def test_pieces_make_the_whole(
    rollout: dict[str, np.ndarray], gamma: float, gae_lambda: float, data: st.DataObject
) -> None:
    row = data.draw(st.integers(0, len(rollout["rewards"]) - 1))
    whole = generalized_advantages(**rollout, gamma=gamma, gae_lambda=gae_lambda)
    early = {name: array[: row + 1] for name, array in rollout.items()}
    following = whole[row + 1] if row + 1 < len(whole) else np.zeros(whole.shape[1:])
    # The last row of the whole is cut even where its mask is 0; the same is said here by a following 0.
    piece = generalized_advantages(**early, gamma=gamma, gae_lambda=gae_lambda, next_advantage=following)
    np.testing.assert_array_equal(piece, whole[: row + 1])


@given(numbers(st.tuples(st.integers(1, 4), st.just(2))), numbers(st.integers(1, 9)), SHARES)
def test_lambda_1_on_an_ended_episode_is_return_minus_value(
    values: np.ndarray, rewards: np.ndarray, gamma: float
) -> None:
    baseline = np.resize(values, len(rewards))
    ended = np.arange(len(rewards)) == len(rewards) - 1
    advantages = generalized_advantages(
        rewards, baseline, np.append(baseline[1:], np.nan), ended, ended, gamma=gamma, gae_lambda=1
    )
    np.testing.assert_allclose(advantages, rewards_to_go(rewards, gamma=gamma) - baseline, atol=1e-9)
    np.testing.assert_allclose(
        value_targets(baseline, advantages), rewards_to_go(rewards, gamma=gamma), atol=1e-9
    )


@given(rollouts(), SHARES, SHARES, st.floats(-10, 10))
def test_advantages_are_linear_in_rewards_and_values(
    rollout: dict[str, np.ndarray], gamma: float, gae_lambda: float, factor: float
) -> None:
    rollout["next_values"] = np.where(rollout["terminated"], 0.0, rollout["next_values"])
    scaled = {**rollout}
    for name in ("rewards", "values", "next_values"):
        scaled[name] = factor * rollout[name]
    np.testing.assert_allclose(
        generalized_advantages(**scaled, gamma=gamma, gae_lambda=gae_lambda),
        factor * generalized_advantages(**rollout, gamma=gamma, gae_lambda=gae_lambda),
        rtol=1e-9,
        atol=1e-7,
    )


SHAPES = st.tuples(st.integers(1, 5), st.integers(1, 4))


@given(SHAPES.flatmap(lambda s: st.tuples(numbers(s), masks(s), garbage(s))), st.sampled_from([0, 1]))
def test_normalized_advantages(drawn: tuple[np.ndarray, np.ndarray, np.ndarray], ddof: int) -> None:
    advantages, mask, outside = drawn
    result = normalize_advantages(np.where(mask, advantages, outside), mask=mask, ddof=ddof, eps=0)
    assert np.array_equal(result[~mask], np.zeros((~mask).sum()))
    valid = advantages[mask]
    if valid.size == 0 or valid.min() == valid.max():
        assert not result.any()
        return
    assert abs(result[mask].mean()) < 1e-9
    assert np.std(result[mask], ddof=ddof) == pytest.approx(1, abs=1e-9)
    # Order is kept.
    order = np.argsort(valid, kind="stable")
    assert (np.diff(result[mask][order]) >= 0).all()


@given(numbers(st.integers(2, 6)), NUMBERS, st.sampled_from([0, 1]))
def test_normalization_forgets_a_constant(advantages: np.ndarray, constant: float, ddof: int) -> None:
    advantages = np.round(advantages, 2)  # a spread that the constant cannot swallow
    np.testing.assert_allclose(
        normalize_advantages(advantages + constant, ddof=ddof),
        normalize_advantages(advantages, ddof=ddof),
        atol=1e-6,
    )

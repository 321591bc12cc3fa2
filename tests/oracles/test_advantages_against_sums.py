"""Advantages against sums written out from the papers, without any recursion."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from policygrad import generalized_advantages, n_step_advantages, rewards_to_go, td_errors, value_targets


def rollouts() -> Iterator[dict[str, np.ndarray]]:
    """Random rollouts (T, N) with every mixture of terminations, time limits and a rollout's end."""
    rng = np.random.default_rng(0)
    for length in (1, 2, 3, 7, 20):
        for _ in range(4):
            shape = (length, 3)
            terminated = rng.random(shape) < 0.2
            cut = terminated | (rng.random(shape) < 0.2)
            next_values = np.where(terminated, np.nan, rng.normal(size=shape))
            yield {
                "rewards": rng.normal(size=shape),
                "values": rng.normal(size=shape),
                "next_values": next_values,
                "terminated": terminated,
                "trace_cut": cut,
            }


def last_row(cut: np.ndarray, t: int) -> int:
    """The row at which the piece of rollout that row t belongs to ends."""
    return next((k for k in range(t, len(cut)) if cut[k]), len(cut) - 1)


def bootstrap(rollout: dict[str, np.ndarray], t: int, column: int) -> float:
    return 0.0 if rollout["terminated"][t, column] else float(rollout["next_values"][t, column])


@pytest.mark.parametrize(("gamma", "gae_lambda"), [(0.9, 0.8), (1.0, 1.0), (0.99, 0.0), (0.0, 0.5)])
def test_gae_is_a_double_sum_of_td_errors(gamma: float, gae_lambda: float) -> None:
    """Â_t = Σ_{k ≥ t} (γλ)^{k−t} δ_k, up to the end of the piece."""
    for rollout in rollouts():
        actual = generalized_advantages(**rollout, gamma=gamma, gae_lambda=gae_lambda)
        for t, column in np.ndindex(actual.shape):
            end = last_row(rollout["trace_cut"][:, column], t)
            expected = sum(
                (gamma * gae_lambda) ** (k - t)
                * (
                    rollout["rewards"][k, column]
                    + gamma * bootstrap(rollout, k, column)
                    - rollout["values"][k, column]
                )
                for k in range(t, end + 1)
            )
            assert actual[t, column] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 40])
def test_n_step_advantages_are_sums_of_rewards(n: int) -> None:
    """Σ_{k<m} γ^k r_{t+k} + γ^m V(s′) − V(s_t), m = n or less where the piece ends."""
    gamma = 0.9
    for rollout in rollouts():
        actual = n_step_advantages(**rollout, gamma=gamma, n=n)
        for t, column in np.ndindex(actual.shape):
            final = min(t + n - 1, last_row(rollout["trace_cut"][:, column], t))
            expected = sum(gamma ** (k - t) * rollout["rewards"][k, column] for k in range(t, final + 1))
            expected += gamma ** (final - t + 1) * bootstrap(rollout, final, column)
            assert actual[t, column] == pytest.approx(expected - rollout["values"][t, column], abs=1e-12)


def consistent_rollout(seed: int, length: int) -> dict[str, np.ndarray]:
    """A rollout whose next values are the values of the next row wherever the trace goes on."""
    rng = np.random.default_rng(seed)
    rollout = next(r for r in rollouts() if len(r["rewards"]) == length)
    values = rng.normal(size=rollout["values"].shape)
    following = np.concatenate([values[1:], rng.normal(size=(1, 3))])
    own = np.where(rollout["trace_cut"], rng.normal(size=values.shape), following)
    return {**rollout, "values": values, "next_values": own}


@pytest.mark.parametrize("seed", range(5))
def test_gae_is_a_weighted_mean_of_n_step_advantages(seed: int) -> None:
    """Â = (1−λ) Σ_n λ^{n−1} Â^{(n)}, the definition in the paper, with a tail once all windows have ended."""
    rollout, gamma, gae_lambda, longest = consistent_rollout(seed, 20), 0.9, 0.7, 20
    steps = [n_step_advantages(**rollout, gamma=gamma, n=n) for n in range(1, longest + 1)]
    mean = sum((1 - gae_lambda) * gae_lambda**k * advantage for k, advantage in enumerate(steps))
    mean = mean + gae_lambda**longest * steps[-1]
    np.testing.assert_allclose(
        generalized_advantages(**rollout, gamma=gamma, gae_lambda=gae_lambda), mean, atol=1e-12
    )


@pytest.mark.parametrize("seed", range(5))
def test_lambda_1_is_the_longest_window(seed: int) -> None:
    rollout = consistent_rollout(seed, 20)
    np.testing.assert_allclose(
        generalized_advantages(**rollout, gamma=0.9, gae_lambda=1),
        n_step_advantages(**rollout, gamma=0.9, n=20),
        atol=1e-12,
    )


def test_an_ended_episode_with_lambda_1_is_monte_carlo() -> None:
    rewards, values = np.random.default_rng(3).normal(size=(2, 9))
    ended = np.arange(9) == 8
    next_values = np.append(values[1:], np.nan)
    advantages = generalized_advantages(rewards, values, next_values, ended, ended, gamma=0.9, gae_lambda=1)
    np.testing.assert_allclose(advantages, rewards_to_go(rewards, gamma=0.9) - values, atol=1e-12)


def test_true_values_have_no_td_error_on_average() -> None:
    """Two states, exact values: E[δ] = 0 from each, also when a time limit interrupts at random."""
    rewards, gamma = np.array([1.0, -2.0]), 0.8
    move = np.array([[0.3, 0.7], [0.6, 0.4]])
    values = np.linalg.solve(np.eye(2) - gamma * move, rewards)
    for state in range(2):
        errors = td_errors(
            np.full(2, rewards[state]), np.full(2, values[state]), values, np.zeros(2), gamma=gamma
        )
        assert move[state] @ errors == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_value_targets_are_lambda_returns(seed: int) -> None:
    """G_t = r + γ((1−λ) V(s′) + λ G_{t+1}), with G = V(s′) past a cut and 0 past the end of the task."""
    rollout, gamma, gae_lambda = consistent_rollout(seed, 20), 0.95, 0.8
    advantages = generalized_advantages(**rollout, gamma=gamma, gae_lambda=gae_lambda)
    targets = value_targets(rollout["values"], advantages)
    for column in range(3):
        following = None
        for t in reversed(range(20)):
            value = bootstrap(rollout, t, column)
            if following is None or rollout["trace_cut"][t, column]:
                following = value
            expected = rollout["rewards"][t, column] + gamma * (
                (1 - gae_lambda) * value + gae_lambda * following
            )
            assert targets[t, column] == pytest.approx(expected, abs=1e-12)
            following = expected

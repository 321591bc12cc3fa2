"""Rollouts and batches: what is stored, and where values are taken at the end of an episode."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from expecting import close

from policygrad import CartPole, cartpole_step, init_mlp, log_softmax, mlp
from policygrad.ppo_batch import make_batch
from policygrad.ppo_rollout import Rollout, collect_rollout, sampled_actions
from policygrad.running_moments import no_moments, standardized, with_samples

if TYPE_CHECKING:
    from policygrad.networks import Parameters

FALLING = [0.0, 0.0, 0.2, 1.0]
"""One push to the right from here the pole is beyond 12 degrees."""
TO_THE_RIGHT: Parameters = (np.zeros((2, 4)), np.array([-50.0, 50.0]))
"""A linear policy that always pushes to the right."""
X_PLUS_1: Parameters = (np.array([[1.0, 0.0, 0.0, 0.0]]), np.array([1.0]))
"""A value network: v = x + 1."""


def rollout_of(env: CartPole, steps: int, policy: Parameters = TO_THE_RIGHT) -> Rollout:
    return collect_rollout(env, policy, no_moments(4), num_steps=steps, rng=np.random.default_rng(1))


def test_actions_by_their_cumulative_probabilities() -> None:
    log_probs = np.log([[0.2, 0.3, 0.5]] * 5)
    uniforms = np.array([0.0, 0.1999, 0.2001, 0.5001, 0.999999])
    assert sampled_actions(log_probs, uniforms).tolist() == [0, 0, 1, 2, 2]
    never = np.array([[0.0, -math.inf], [-math.inf, 0.0]])
    assert sampled_actions(never, np.array([1 - 1e-16, 0.0])).tolist() == [0, 1]


def test_actions_are_as_frequent_as_they_are_probable() -> None:
    log_probs = np.log(np.tile([0.2, 0.3, 0.5], (100_000, 1)))
    actions = sampled_actions(log_probs, np.random.default_rng(0).random(100_000))
    close(np.bincount(actions) / 100_000, [0.2, 0.3, 0.5], within=0.007)  # four standard errors


def test_log_probabilities_are_those_of_the_policy_that_acted() -> None:
    policy = init_mlp([4, 6, 2], gains=[1.4, 1.0], rng=np.random.default_rng(0))
    rollout = rollout_of(CartPole(3, rng=np.random.default_rng(2)), 20, policy)
    logits = mlp(policy, rollout.observations.reshape(-1, 4))
    expected = log_softmax(logits)[np.arange(60), rollout.actions.ravel()]
    close(rollout.log_probs.ravel(), expected, within=1e-15)
    assert 0 < rollout.actions.mean() < 1


def test_each_action_leads_to_the_final_observation_beside_it() -> None:
    rollout = rollout_of(CartPole(3, rng=np.random.default_rng(2)), 20)
    assert rollout.ended.any()  # pushed to the right the pole falls within twelve steps
    close(cartpole_step(rollout.states, rollout.actions), rollout.final_observations, within=0)
    goes_on = ~rollout.ended[:-1]
    close(rollout.states[1:][goes_on], rollout.final_observations[:-1][goes_on], within=0)
    anew = rollout.states[1:][rollout.ended[:-1]]
    assert (np.abs(anew) <= 0.05).all()


def test_episodes_go_on_in_the_next_rollout() -> None:
    env = CartPole(2, rng=np.random.default_rng(2))
    first = rollout_of(env, 3)
    second = rollout_of(env, 3)
    close(second.states[0], first.final_observations[-1], within=0)


def test_networks_see_standardised_observations() -> None:
    env = CartPole(2, rng=np.random.default_rng(2))
    moments = with_samples(no_moments(4), np.random.default_rng(0).normal(0.01, 0.03, size=(50, 4)))
    rollout = collect_rollout(env, TO_THE_RIGHT, moments, num_steps=5, rng=np.random.default_rng(1))
    close(rollout.observations, standardized(rollout.states, moments), within=0)
    close(rollout.final_observations[:-1], rollout.observations[1:], within=0)


def test_a_fall_has_no_value_after_it() -> None:
    # γ = ½, λ = 1, v = x + 1. Environment 0 falls in its first step: Â = 1 − v(s₀) = 1 − (0 + 1) = 0.
    env = CartPole(1, rng=np.random.default_rng(2))
    env.states = [FALLING]
    rollout = rollout_of(env, 1)
    assert rollout.terminated[0, 0]
    batch = make_batch(rollout, rollout.rewards, X_PLUS_1, gamma=0.5, gae_lambda=1.0)
    close(batch.advantages, [0.0], within=1e-15)
    close(batch.targets, [1.0], within=1e-15)


def test_a_time_limit_has_the_value_of_the_final_observation() -> None:
    # Truncated in its first step at x = 0.02·5 = 0.1: Â = 1 + ½ (0.1 + 1) − (0 + 1) = 0.55.
    # With the first state of the next episode, |x| ≤ 0.05, it would be within 0.025 of ½ instead.
    env = CartPole(1, rng=np.random.default_rng(2), max_steps=1)
    env.states = [[0.0, 5.0, 0.0, 0.0]]
    rollout = rollout_of(env, 1)
    assert rollout.truncated[0, 0]
    assert not rollout.terminated[0, 0]
    batch = make_batch(rollout, rollout.rewards, X_PLUS_1, gamma=0.5, gae_lambda=1.0)
    close(batch.advantages, [0.55], within=1e-15)


def test_no_estimate_flows_over_the_end_of_an_episode() -> None:
    # Step 0 is truncated; what happens in step 1 belongs to another episode.
    env = CartPole(1, rng=np.random.default_rng(2), max_steps=1)
    env.states = [[0.0, 5.0, 0.0, 0.0]]
    rollout = rollout_of(env, 2)
    batch = make_batch(rollout, rollout.rewards, X_PLUS_1, gamma=0.5, gae_lambda=1.0)
    close(batch.advantages[0], 0.55, within=1e-15)


def test_the_end_of_the_rollout_has_a_value_too() -> None:
    # Nothing ended: δ = 1 + ½ v(s′) − v(s), and the last row's trace is cut.
    env = CartPole(1, rng=np.random.default_rng(2))
    env.states = [[0.0, 5.0, 0.0, 0.0]]
    rollout = rollout_of(env, 2)
    assert not rollout.ended.any()
    x = rollout.final_observations[:, 0, 0]
    last = 1 + 0.5 * (x[1] + 1) - (x[0] + 1)
    first = 1 + 0.5 * (x[0] + 1) - 1 + 0.5 * 0.9 * last
    batch = make_batch(rollout, rollout.rewards, X_PLUS_1, gamma=0.5, gae_lambda=0.9)
    close(batch.advantages, [first, last], within=1e-15)
    close(batch.targets, batch.old_values + batch.advantages, within=0)


def test_a_batch_keeps_rows_together() -> None:
    policy = init_mlp([4, 6, 2], gains=[1.4, 1.0], rng=np.random.default_rng(0))
    rollout = rollout_of(CartPole(3, rng=np.random.default_rng(2)), 4, policy)
    batch = make_batch(rollout, rollout.rewards, X_PLUS_1, gamma=0.5, gae_lambda=0.9)
    close(batch.observations[3 * 2 + 1], rollout.observations[2, 1], within=0)
    assert batch.actions[3 * 2 + 1] == rollout.actions[2, 1]
    close(batch.old_log_probs[3 * 2 + 1], rollout.log_probs[2, 1], within=0)
    close(batch.old_values, batch.observations[:, 0] + 1, within=1e-15)

"""CartPole: dynamics by hand, limits, rewards, time limit and resets."""

from __future__ import annotations

import math

import numpy as np
import pytest
from expecting import close, refused

from policygrad import CartPole, cartpole_failed, cartpole_step

LIMIT = 12 * 2 * math.pi / 360
FALLING = [0.0, 0.0, 0.2, 1.0]
"""One step from here the pole is at 0.2 + 0.02·1 = 0.22 rad, beyond 12 degrees."""


def test_one_push_of_an_upright_pole_by_hand() -> None:
    # θ = 0: u = 10/1.1;  θ̈ = −u/(0.5 (4/3 − 0.1/1.1)) = −14.634…;  ẍ = u − 0.05 θ̈/1.1 = 9.756…
    push = 10 / 1.1
    angular = -push / (0.5 * (4 / 3 - 0.1 / 1.1))
    linear = push - 0.05 * angular / 1.1
    # Positions move with the old velocities, which are 1 and −1.
    expected = [0.02, 1 + 0.02 * linear, -0.02, -1 + 0.02 * angular]
    close(cartpole_step([0, 1, 0, -1], 1), expected, within=1e-15)


def test_pushes_are_mirror_images() -> None:
    state = np.array([0.3, -0.2, 0.05, 0.7])
    close(cartpole_step(-state, 0), -cartpole_step(state, 1), within=1e-15)


def test_states_may_have_any_axes_before_the_last() -> None:
    states = np.random.default_rng(0).uniform(-0.1, 0.1, size=(3, 2, 4))
    actions = np.array([[0, 1], [1, 0], [1, 1]])
    together = cartpole_step(states, actions)
    assert together.shape == (3, 2, 4)
    for place in np.ndindex(3, 2):
        close(together[place], cartpole_step(states[place], actions[place]), within=1e-15)


def test_on_a_limit_the_episode_goes_on() -> None:
    states = [[2.4, 0, 0, 0], [-2.4, 9, 0, 9], [0, 0, LIMIT, 0], [0, 0, -LIMIT, 0]]
    assert not cartpole_failed(states).any()
    beyond = np.nextafter(states, np.multiply(states, 2))
    assert cartpole_failed(beyond).all()
    assert cartpole_failed([0, 0, 0.2095, 0])  # the rounded 12 degrees of many texts are outside


def test_the_falling_step_still_earns_1() -> None:
    env = CartPole(2, rng=np.random.default_rng(0))
    env.states = [FALLING, [0, 0, 0, 0]]
    step = env.step([1, 1])
    assert step.rewards.tolist() == [1.0, 1.0]
    assert step.terminated.tolist() == [True, False]
    assert step.truncated.tolist() == [False, False]


def test_states_before_and_after_a_reset() -> None:
    env = CartPole(2, rng=np.random.default_rng(0))
    env.states = [FALLING, [0, 0, 0, 0]]
    before = env.states.copy()
    step = env.step([1, 0])
    close(step.final_observations, cartpole_step(before, [1, 0]), within=0)
    assert step.final_observations[0, 2] == pytest.approx(0.22)
    assert (np.abs(step.observations[0]) <= 0.05).all()  # a new first state
    close(step.observations[1], step.final_observations[1], within=0)
    close(env.states, step.observations, within=0)


def run_upright(env: CartPole, steps: int) -> list[bool]:
    """Hold every pole upright by hand; returns when environment 0 was truncated."""
    truncated = []
    for _ in range(steps):
        env.states = np.zeros_like(env.states)
        step = env.step(np.zeros(len(env.states)))
        assert not step.terminated.any()
        truncated.append(bool(step.truncated[0]))
    return truncated


def test_the_time_limit_is_500_steps() -> None:
    truncated = run_upright(CartPole(1, rng=np.random.default_rng(0)), 1001)
    assert [t for t, flag in enumerate(truncated, start=1) if flag] == [500, 1000]


def test_each_episode_counts_its_own_steps() -> None:
    env = CartPole(1, rng=np.random.default_rng(0), max_steps=6)
    run_upright(env, 4)
    env.states = [FALLING]
    assert env.step([1]).terminated[0]
    assert run_upright(env, 6) == [False] * 5 + [True]


def test_a_fall_on_the_last_step_sets_both_flags() -> None:
    env = CartPole(2, rng=np.random.default_rng(0), max_steps=3)
    run_upright(env, 2)
    env.states = [FALLING, [0, 0, 0, 0]]
    step = env.step([1, 1])
    assert step.terminated.tolist() == [True, False]
    assert step.truncated.tolist() == [True, True]
    assert not np.array_equal(step.observations[1], step.final_observations[1])  # both start anew


def test_a_time_limit_of_one_step() -> None:
    env = CartPole(1, rng=np.random.default_rng(0), max_steps=1)
    assert all(env.step([0]).truncated[0] for _ in range(3))


def test_first_states_are_small_and_uniform() -> None:
    states = CartPole(20_000, rng=np.random.default_rng(0)).states
    assert (np.abs(states) <= 0.05).all()
    # Quantiles of a uniform distribution on ±0.05; the standard error at the middle is 0.00035.
    for column in range(4):
        close(np.quantile(states[:, column], [0.1, 0.5, 0.9]), [-0.04, 0.0, 0.04], within=0.002)
    assert np.abs(np.corrcoef(states.T) - np.eye(4)).max() < 0.03


def test_the_same_seed_gives_the_same_run() -> None:
    actions = np.random.default_rng(1).integers(2, size=(200, 3))
    runs = []
    for _ in range(2):
        env = CartPole(3, rng=np.random.default_rng(7))
        runs.append([env.step(action).observations for action in actions])
    assert np.array_equal(runs[0], runs[1])


def test_results_belong_to_the_caller() -> None:
    env = CartPole(1, rng=np.random.default_rng(0))
    first = env.step([0])
    kept = env.states.copy()
    first.observations[:] = 99
    first.final_observations[:] = 99
    close(env.states, kept, within=0)
    given = np.zeros((1, 4))
    env.states = given
    given[:] = 99
    close(env.states, np.zeros((1, 4)), within=0)


def test_a_single_state_can_be_assigned() -> None:
    env = CartPole(2, rng=np.random.default_rng(0))
    env.states[0] = FALLING
    assert env.step([1, 1]).terminated.tolist() == [True, False]


def test_wrong_arguments_are_named() -> None:
    rng = np.random.default_rng(0)
    with refused("states has shape (3,); it must have shape (…, 4): x, its velocity, angle, its velocity"):
        cartpole_failed([0, 0, 0])
    with refused("states[2] is NaN; it must be finite"):
        cartpole_step([0, 0, np.nan, 0], 1)
    with refused("actions is 2; it must be 0 or 1"):
        cartpole_step([0, 0, 0, 0], 2)
    with refused("actions has shape (1,); it must have one action per state, ()"):
        cartpole_step([0, 0, 0, 0], [1])
    with refused("num_envs is 0; it must be at least 1"):
        CartPole(0, rng=rng)
    with refused("max_steps is 0; it must be at least 1"):
        CartPole(1, rng=rng, max_steps=0)
    with refused("rng is 3; it must be a np.random.Generator"):
        CartPole(1, rng=3)  # type: ignore[arg-type]
    env = CartPole(2, rng=rng)
    with refused("actions has shape (3,); it must have one action per state, (2,)"):
        env.step([0, 1, 0])
    with refused("states has shape (1, 4); it must have shape (2, 4)"):
        env.states = np.zeros((1, 4))

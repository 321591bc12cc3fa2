"""CartPole against Gymnasium's CartPole-v1 itself."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.classic_control.cartpole import CartPoleEnv

from policygrad import CartPole, cartpole_failed, cartpole_step

STEPS = 10_000
ENVS = 4


class TheirRun:
    """One Gymnasium environment with its time limit, driven so that it follows ours in float64."""

    def __init__(self) -> None:
        self.env = gymnasium.make("CartPole-v1")
        self.physics: CartPoleEnv = self.env.unwrapped  # type: ignore[assignment]

    def begin(self, state: np.ndarray) -> None:
        self.env.reset(seed=0)
        self.physics.state = state.copy()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool]:
        _, reward, terminated, truncated, _ = self.env.step(action)
        assert self.physics.state is not None
        return self.physics.state, float(reward), terminated, truncated


def actions_for(states: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Environment 0 acts at random and falls early; the others balance more or less well."""
    balancing = states[:, 2] + 0.3 * states[:, 3] + 0.05 * states[:, 0] + 0.1 * states[:, 1] > 0
    noise = rng.random(ENVS) < np.array([1.0, 0.5, 0.1, 0.0])
    return np.where(noise, rng.integers(2, size=ENVS), balancing)


def test_every_step_of_10_000_is_gymnasiums() -> None:
    rng = np.random.default_rng(0)
    ours = CartPole(ENVS, rng=np.random.default_rng(1))
    theirs = [TheirRun() for _ in range(ENVS)]
    for run, state in zip(theirs, ours.states, strict=True):
        run.begin(state)
    ends = {"terminated": 0, "truncated": 0}
    for _ in range(STEPS // ENVS):
        actions = actions_for(ours.states, rng)
        step = ours.step(actions)
        for i, run in enumerate(theirs):
            state, reward, terminated, truncated = run.step(int(actions[i]))
            np.testing.assert_allclose(step.final_observations[i], state, rtol=0, atol=1e-12)
            assert step.rewards[i] == reward
            assert (step.terminated[i], step.truncated[i]) == (terminated, truncated)
            ends["terminated"] += terminated
            ends["truncated"] += truncated
            if terminated or truncated:
                run.begin(step.observations[i])
            else:
                assert np.array_equal(step.observations[i], step.final_observations[i])
    assert ends["terminated"] > 50
    assert ends["truncated"] >= 4


def test_every_one_of_10_000_random_steps_is_gymnasiums() -> None:
    """States far outside of what an episode visits, too."""
    rng = np.random.default_rng(2)
    states = rng.normal(size=(STEPS, 4)) * [2, 3, 0.4, 4]
    actions = rng.integers(2, size=STEPS)
    env = CartPoleEnv()
    env.reset(seed=0)
    after, failed = cartpole_step(states, actions), cartpole_failed(cartpole_step(states, actions))
    for t in range(STEPS):
        env.state = states[t]
        env.steps_beyond_terminated = None
        _, reward, terminated, _, _ = env.step(int(actions[t]))
        np.testing.assert_allclose(after[t], env.state, rtol=0, atol=1e-12)
        assert terminated == failed[t]
        assert reward == 1.0


def test_the_limits_are_gymnasiums() -> None:
    env = CartPoleEnv()
    on_limits = np.array([[env.x_threshold, 0, 0, 0], [0, 0, env.theta_threshold_radians, 0]])
    for sign in (1, -1):
        assert not cartpole_failed(sign * on_limits).any()
        assert cartpole_failed(sign * on_limits * (1 + 1e-15)).all()


def test_first_states_have_gymnasiums_bounds() -> None:
    env = CartPoleEnv()
    theirs = np.array([env.reset(seed=seed)[0] for seed in range(2000)])
    ours = CartPole(2000, rng=np.random.default_rng(0)).states
    for sample in (theirs, ours):
        assert np.abs(sample).max() <= 0.05
        assert np.abs(sample).max() > 0.0499
    assert ours.mean() == pytest.approx(theirs.mean(), abs=0.002)
    assert ours.std() == pytest.approx(theirs.std(), abs=0.001)


def test_the_task_is_the_registered_one() -> None:
    spec = gymnasium.spec("CartPole-v1")
    assert spec.max_episode_steps == 500
    assert spec.reward_threshold == 475
    env = CartPole(1, rng=np.random.default_rng(0))
    total = 0.0
    while True:
        env.states = np.zeros((1, 4))
        step = env.step([0])
        total += float(step.rewards[0])
        if step.truncated[0]:
            break
    assert total == 500

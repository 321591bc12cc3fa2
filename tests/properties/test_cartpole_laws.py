"""Laws of CartPole: mirror symmetry, independence of environments, and what a step returns."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from policygrad import CartPole, cartpole_failed, cartpole_step

STATES = st.integers(1, 5).flatmap(lambda n: arrays(np.float64, (n, 4), elements=st.floats(-5, 5)))


@given(STATES, st.integers(0, 1))
def test_left_is_right_in_the_mirror(states: np.ndarray, action: int) -> None:
    right = cartpole_step(states, np.full(len(states), action))
    left = cartpole_step(-states, np.full(len(states), 1 - action))
    np.testing.assert_allclose(left, -right, rtol=1e-13, atol=1e-13)
    np.testing.assert_array_equal(cartpole_failed(states), cartpole_failed(-states))


@given(STATES, st.data())
def test_accelerations_solve_the_equations_of_motion(states: np.ndarray, data: st.DataObject) -> None:
    """[[M, m l cos θ], [m l cos θ, (4/3) m l²]] (ẍ, θ̈) = (F + m l θ̇² sin θ, m g l sin θ)."""
    actions = data.draw(arrays(np.int64, len(states), elements=st.integers(0, 1)))
    changes = (cartpole_step(states, actions) - states) / 0.02
    for state, action, change in zip(states, actions, changes, strict=True):
        angle, speed = state[2:]
        coupling = 0.05 * np.cos(angle)
        matrix = np.array([[1.1, coupling], [coupling, 4 / 3 * 0.05 * 0.5]])
        forces = [(10 if action else -10) + 0.05 * speed**2 * np.sin(angle), 0.05 * 9.8 * np.sin(angle)]
        np.testing.assert_allclose(change[[1, 3]], np.linalg.solve(matrix, forces), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(change[[0, 2]], state[[1, 3]], rtol=1e-9, atol=1e-9)


@given(st.integers(1, 4), st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_every_step_keeps_its_promises(num_envs: int, max_steps: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    env = CartPole(num_envs, rng=np.random.default_rng(seed + 1), max_steps=max_steps)
    lengths = np.zeros(num_envs, dtype=int)
    for _ in range(40):
        before = env.states.copy()
        if rng.random() < 0.2:
            before[:, 2] = rng.uniform(-0.25, 0.25, size=num_envs)
            env.states = before
        actions = rng.integers(2, size=num_envs)
        step = env.step(actions)
        lengths += 1
        np.testing.assert_array_equal(step.final_observations, cartpole_step(before, actions))
        np.testing.assert_array_equal(step.terminated, cartpole_failed(step.final_observations))
        np.testing.assert_array_equal(step.truncated, lengths == max_steps)
        np.testing.assert_array_equal(step.rewards, np.ones(num_envs))
        ended = step.terminated | step.truncated
        np.testing.assert_array_equal(step.observations[~ended], step.final_observations[~ended])
        assert (np.abs(step.observations[ended]) <= 0.05).all()
        np.testing.assert_array_equal(env.states, step.observations)
        lengths[ended] = 0

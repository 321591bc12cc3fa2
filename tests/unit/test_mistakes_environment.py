"""Mistakes that published programs contain: CartPole and the steps of a trust region.

Each test reaches the right value and shows the value that the mistake leads to, which it must not reach.
"""

from __future__ import annotations

import numpy as np
import pytest
from expecting import close, right_not

from policygrad import CartPole, cartpole_failed, cartpole_step, conjugate_gradient, fisher_vector_product
from policygrad.search import Trial, backtrack


def test_the_step_on_which_the_pole_falls_earns_1() -> None:
    env = CartPole(1, rng=np.random.default_rng(0))
    env.states = [[0, 0, 0.2, 1.0]]
    step = env.step([1])
    close(step.final_observations, [[0, 0.19196895178630685, 0.22, 0.7761952528102839]], within=1e-12)
    right_not(step.rewards, right=[1], mistake=[0])
    assert (step.terminated[0], step.truncated[0]) == (True, False)


def lengths_of_upright_episodes(env: CartPole, episodes: int) -> list[int]:
    lengths = []
    for _ in range(episodes):
        for t in range(1, 1000):
            env.states = np.zeros((1, 4))
            if env.step([0]).truncated[0]:
                lengths.append(t)
                break
    return lengths


def test_there_is_a_time_limit_and_every_episode_has_its_own() -> None:
    env = CartPole(1, rng=np.random.default_rng(0))
    right_not(lengths_of_upright_episodes(env, 2), right=[500, 500], mistake=[501, 501])
    for _ in range(9):
        env.states = np.zeros((1, 4))
        env.step([0])
    env.states = [[0, 0, 0.2, 1.0]]
    assert env.step([1]).terminated[0]  # the episode ended in its tenth step
    right_not(lengths_of_upright_episodes(env, 1), right=[500], mistake=[490])


def test_one_formula_for_one_and_for_many() -> None:
    states = [[0, 0.1, 0.02, -0.3], [-1, 0.5, -0.05, 0.4]]
    right = [
        [0.002, 0.2948312527955417, 0.014, -0.5863088237579205],
        [-0.99, 0.30562165319395357, -0.042, 0.6765092609659435],
    ]
    # Pushed the wrong way:
    mistake = [
        [0.002, -0.09540122972774707, 0.014, -0.0010771658154715145],
        [-0.99, 0.6957942420561365, -0.042, 0.09198179887831857],
    ]
    right_not(cartpole_step(states, [1, 0]), right=right, mistake=mistake, within=1e-12)
    for state, action, expected in zip(states, (1, 0), right, strict=True):
        close(cartpole_step(state, action), expected, within=1e-12)


def test_positions_move_with_the_old_velocities() -> None:
    # Explicit Euler: at rest nothing has moved after one step; with the new velocity it would have.
    state = cartpole_step([0, 0, 0, 0], 1)
    right_not(state[[0, 2]], right=[0, 0], mistake=0.02 * state[[1, 3]])


def test_limits_are_strict_and_12_degrees() -> None:
    limit = 0.20943951023931953
    states = [[2.4, 0, 0, 0], [2.4000001, 0, 0, 0], [0, 0, limit, 0], [0, 0, 0.2095, 0], [0, 9, 0, 9]]
    right_not(cartpole_failed(states), right=[0, 1, 0, 1, 0], mistake=[1, 1, 1, 0, 0])


def test_the_kl_bound_counts_when_a_step_is_accepted() -> None:
    fractions = [1.0, 0.5, 0.25, 0.125]
    trials = dict(zip(fractions, map(Trial, [0.5, 0.3, 0.1, 0.05], [0.02, 0.012, 0.004, 0.001]), strict=True))
    # All improve; the first that also keeps to 0.01 nats is the third.
    right_not(backtrack(trials.__getitem__, max_kl=0.01), right=0.25, mistake=1.0)


def test_the_fisher_product_is_never_negative_along_its_vector() -> None:
    probs, vector = [0.5, 0.3, 0.2], np.array([1.0, 0, -1])
    product = fisher_vector_product(probs, vector)
    right_not(product, right=[0.35, -0.09, -0.26], mistake=[-0.35, 0.09, 0.26])
    right_not(vector @ product, right=0.61, mistake=-0.61)
    assert np.array_equal(fisher_vector_product(probs, [1, 1, 1]), [0, 0, 0])


@pytest.mark.parametrize("iterations", [3, 10])
def test_conjugate_gradients_arrive(iterations: int) -> None:
    matrix, vector = np.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]]), np.array([1.0, 2, 3])
    solution = conjugate_gradient(matrix, vector, iterations=iterations)
    right_not(solution, right=np.array([2, 1, 13]) / 9, mistake=[0.25, 0.66, 1.5], within=1e-8)
    close(matrix @ solution, vector, within=1e-8)

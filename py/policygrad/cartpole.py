"""CartPole-v1: a cart on a track, a pole on the cart, many of them at once.

The same dynamics, limits, rewards and time limit as Gymnasium's environment, in float64. A state is
(x, ẋ, θ, θ̇): position of the cart in m, its velocity, angle of the pole from upright in rad, its velocity.
Action 1 pushes to the right, action 0 to the left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._checks import Array, Mask

GRAVITY = 9.8
POLE_MASS = 0.1
TOTAL_MASS = 1.0 + POLE_MASS
HALF_LENGTH = 0.5
"""Half the length of the pole, from the joint to its centre of mass."""
POLE_MOMENT = POLE_MASS * HALF_LENGTH
FORCE = 10.0
TIME_STEP = 0.02
POSITION_LIMIT = 2.4
ANGLE_LIMIT = 12 * 2 * math.pi / 360
"""12 degrees. On a limit the episode goes on; only beyond it does it end."""
RESET_WIDTH = 0.05
"""Every number of a first state is uniform between ± this."""


@dataclass(frozen=True, slots=True)
class CartPoleStep:
    """What one step of N environments returned."""

    observations: Array
    """(N, 4) states to act in next: a new first state where an episode ended."""
    final_observations: Array
    """(N, 4) states that the actions led to, before any reset; their values are what a bootstrap needs."""
    rewards: Array
    """(N,) 1 for every step, also for the one on which the pole falls."""
    terminated: Mask
    """(N,) whether the pole fell or the cart left the track: nothing follows."""
    truncated: Mask
    """(N,) whether the time limit was reached; on the same step as a fall both are true."""


def cartpole_step(states: ArrayLike, actions: ArrayLike) -> Array:
    """States one time step of 0.02 s later.

        u = (F + m l θ̇² sin θ)/M,  θ̈ = (g sin θ − u cos θ) / (l (4/3 − m cos² θ/M)),  ẍ = u − m l θ̈ cos θ/M
        x ← x + τ ẋ,  θ ← θ + τ θ̇,  ẋ ← ẋ + τ ẍ,  θ̇ ← θ̇ + τ θ̈      explicit Euler: old velocities on the left

    g = 9.8, m = 0.1 and M = 1.1 (pole, pole and cart), l = 0.5 (half the pole), F = ±10, τ = 0.02.

    Args:
        states: (…, 4) of (x, ẋ, θ, θ̇) in m and rad.
        actions: (…) 1 pushes right, 0 left.
    Returns: (…, 4).
    Raises: ValueError on wrong shapes, a non-finite state or an action other than 0 and 1.
    Source: Barto, Sutton and Anderson, 1983; Florian, "Correct equations for the dynamics of the cart-pole
        system", 2007; Gymnasium 1.4.0, `classic_control/cartpole.py`.
    """
    before = _states(states)
    right = check.mask(actions, "actions")
    if right.shape != before.shape[:-1]:
        raise ValueError(
            f"actions has shape {right.shape}; it must have one action per state, {before.shape[:-1]}"
        )
    return _next_states(before, right)


def cartpole_failed(states: ArrayLike) -> Mask:
    """Whether a state ends the episode.

        |x| > 2.4  or  |θ| > 12·2π/360, both strictly

    Args:
        states: (…, 4) of (x, ẋ, θ, θ̇) in m and rad.
    Returns: (…) booleans.
    Raises: ValueError on a wrong shape or a non-finite state.
    """
    return _failed(_states(states))


class CartPole:
    """N independent CartPole-v1 environments that start anew by themselves.

    An episode ends when it fails (terminated) or has lasted `max_steps` (truncated). The step that ends it
    returns both its last state and the first state of the next episode.

        >>> env = CartPole(2, rng=np.random.default_rng(0))
        >>> step = env.step([1, 0])
        >>> step.rewards.tolist(), step.terminated.tolist()
        ([1.0, 1.0], [False, False])
    """

    def __init__(self, num_envs: int, *, rng: np.random.Generator, max_steps: int = 500) -> None:
        """Start `num_envs` episodes, whose first states are drawn from `rng` as all later ones are.

        Args:
            num_envs: N ≥ 1.
            rng: source of first states; nothing else is random.
            max_steps: steps after which an episode is truncated, ≥ 1.
        Raises: ValueError on a number below 1 or an `rng` that is not a generator.
        """
        self._num_envs = check.whole(num_envs, "num_envs", at_least=1)
        self._max_steps = check.whole(max_steps, "max_steps", at_least=1)
        self._rng = check.generator(rng, "rng")
        self._states = self._first_states(self._num_envs)
        self._steps = np.zeros(self._num_envs, dtype=np.int64)

    @property
    def states(self) -> Array:
        """(N, 4) current states. Assigning new ones, whole or in part, leaves the step counts as they are."""
        return self._states

    @states.setter
    def states(self, states: ArrayLike) -> None:
        array = _states(states)
        if array.shape != self._states.shape:
            raise ValueError(f"states has shape {array.shape}; it must have shape {self._states.shape}")
        self._states = array.copy()

    def step(self, actions: ArrayLike) -> CartPoleStep:
        """Take one action in every environment; start a new episode where one ended.

        Args:
            actions: (N,) 1 pushes right, 0 left.
        Returns: rewards, both masks, and the states before and after any reset.
        Raises: ValueError on a wrong shape or an action other than 0 and 1.
        """
        final = cartpole_step(self._states, actions)
        terminated = _failed(final)
        steps = self._steps + 1
        truncated = steps >= self._max_steps
        ended = terminated | truncated
        observations = final.copy()
        if ended.any():
            observations[ended] = self._first_states(int(ended.sum()))
            steps[ended] = 0
        self._steps = steps
        self._states = observations.copy()  # what is returned belongs to the caller
        return CartPoleStep(observations, final, np.ones(self._num_envs), terminated, truncated)

    def _first_states(self, count: int) -> Array:
        return self._rng.uniform(-RESET_WIDTH, RESET_WIDTH, size=(count, 4))


def _states(states: ArrayLike) -> Array:
    array = check.finite(states, "states")
    if array.ndim == 0 or array.shape[-1] != 4:
        raise ValueError(
            f"states has shape {array.shape}; it must have shape (…, 4): x, its velocity, angle, its velocity"
        )
    return array


def _next_states(states: Array, right: NDArray[np.bool_]) -> Array:
    x, x_velocity, angle, angle_velocity = (states[..., i] for i in range(4))
    force = np.where(right, FORCE, -FORCE)
    cosine, sine = np.cos(angle), np.sin(angle)
    push = (force + POLE_MOMENT * np.square(angle_velocity) * sine) / TOTAL_MASS
    angle_acceleration = (GRAVITY * sine - cosine * push) / (
        HALF_LENGTH * (4.0 / 3.0 - POLE_MASS * np.square(cosine) / TOTAL_MASS)
    )
    acceleration = push - POLE_MOMENT * angle_acceleration * cosine / TOTAL_MASS
    after = np.empty_like(states)
    after[..., 0] = x + TIME_STEP * x_velocity
    after[..., 1] = x_velocity + TIME_STEP * acceleration
    after[..., 2] = angle + TIME_STEP * angle_velocity
    after[..., 3] = angle_velocity + TIME_STEP * angle_acceleration
    return after


def _failed(states: Array) -> Mask:
    failed: Mask = (np.abs(states[..., 0]) > POSITION_LIMIT) | (np.abs(states[..., 2]) > ANGLE_LIMIT)
    return failed

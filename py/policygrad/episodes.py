"""Evaluation episodes that favour neither short nor long ones.

Environments run side by side, so the first episodes that end are the short ones, and a fixed number of steps
drops the long ones. Here every environment owes its share of the episodes beforehand, and all are run to
their end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from . import _checks as check

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from ._checks import Array
    from .cartpole import CartPoleStep


class Environments(Protocol):
    """N environments that start anew by themselves, as `CartPole`."""

    @property
    def states(self) -> Array:
        """(N, …) in which to act next."""

    def step(self, actions: NDArray[np.integer]) -> CartPoleStep:
        """Take one action in each."""


def episode_quotas(num_episodes: int, num_envs: int) -> NDArray[np.int64]:
    """How many episodes each environment owes: as equal as can be, the first ones one more.

        ⌊num_episodes/num_envs⌋, and 1 more for the first num_episodes mod num_envs

    Raises: ValueError on a number below 1.
    """
    count = check.whole(num_episodes, "num_episodes", at_least=1)
    envs = check.whole(num_envs, "num_envs", at_least=1)
    return count // envs + (np.arange(envs) < count % envs).astype(np.int64)


def episode_returns(
    env: Environments, act: Callable[[Array], NDArray[np.integer]], *, num_episodes: int
) -> Array:
    """Undiscounted returns of whole episodes.

        each environment's first quota of episodes, however long they take

    Args:
        env: at the beginning of its first episodes.
        act: (N, …) states → (N,) actions.
        num_episodes: ≥ 1, shared out by `episode_quotas`.
    Returns: (num_episodes,), those of the first environment first.
    Raises: ValueError on a number below 1.
    """
    quotas = episode_quotas(num_episodes, len(env.states))
    finished: list[list[float]] = [[] for _ in quotas]
    owed = quotas.copy()
    running = np.zeros(len(quotas))
    while owed.any():
        step = env.step(act(env.states))
        running += step.rewards
        ended = step.terminated | step.truncated
        for i in np.flatnonzero(ended & (owed > 0)):
            finished[i].append(float(running[i]))
            owed[i] -= 1
        running[ended] = 0.0
    return np.array([value for returns in finished for value in returns])

"""Returns of one episode: what an action is credited with.

Time index: action t of an episode with T actions earns rewards[t], for t in [0, T). In the notation of the
textbooks that reward is r_{t+1}, because it arrives together with the next state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._checks import Array

CONVENTIONS = ("objective", "occupancy")


def rewards_to_go(rewards: ArrayLike, *, gamma: float) -> Array:
    """Discounted rewards from each action on, in reward units. What came before an action is not its doing.

        G_t = Σ_{k≥t} γ^{k−t} r_{k+1} = r_{t+1} + γ G_{t+1}, G_T = 0

    Args:
        rewards: (T,) reward after action t of one episode, for t in [0, T).
        gamma: discount γ from 0 to 1.
    Returns: (T,) G_t for t in [0, T).
    Raises: ValueError on a wrong shape, a non-finite reward, or γ out of range.
    Source: Sutton and Barto, "Reinforcement Learning", 2nd edition, equation 3.9.
    """
    steps = check.finite(rewards, "rewards", ndim=1)
    discount = check.real(gamma, "gamma", at_least=0, at_most=1)
    returns = np.empty(len(steps))
    following = 0.0
    for t in reversed(range(len(steps))):
        following = steps[t] + discount * following
        returns[t] = following
    return returns


def score_weights(rewards: ArrayLike, *, gamma: float, convention: str) -> Array:
    """Weights of the scores in REINFORCE with reward-to-go, in reward units.

        "objective":  w_t = γ^t G_t    the gradient of the discounted objective E[Σ_t γ^t r_{t+1}]
        "occupancy":  w_t = G_t        late steps count as much as early ones; what most programs use

    G_t is discounted from its own step t in both. With γ < 1 the second is not the gradient of the
    discounted objective, and in general not of any other.

    Args:
        rewards: (T,) reward after action t of one episode, for t in [0, T).
        gamma: discount γ from 0 to 1.
        convention: "objective" or "occupancy".
    Returns: (T,) weight of the score of action t.
    Raises: ValueError as `rewards_to_go`, and on another convention.
    Source: Sutton and Barto, "Reinforcement Learning", 2nd edition, section 13.3; Nota and Thomas,
        arXiv:1906.07073.
    """
    check.option(convention, "convention", CONVENTIONS)
    returns = rewards_to_go(rewards, gamma=gamma)
    if convention == "occupancy":
        return returns
    weights: Array = float(gamma) ** np.arange(len(returns)) * returns
    return weights

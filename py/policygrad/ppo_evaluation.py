"""How well a policy balances CartPole when nothing is learnt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .cartpole import CartPole
from .distributions import log_softmax
from .episodes import episode_quotas, episode_returns
from .networks import activations
from .ppo_rollout import sampled_actions
from .running_moments import standardized

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._checks import Array
    from .networks import Parameters
    from .running_moments import RunningMoments

MOST_ENVS = 100
"""So many CartPoles are driven side by side at most."""


def cartpole_returns(
    policy: Parameters,
    moments: RunningMoments,
    *,
    num_episodes: int,
    greedy: bool,
    max_steps: int,
    rng: np.random.Generator,
) -> Array:
    """Returns of new episodes; see `PPOTrainer.evaluate`."""
    quotas = episode_quotas(num_episodes, MOST_ENVS)
    env = CartPole(int((quotas > 0).sum()), rng=rng, max_steps=max_steps)

    def act(states: Array) -> NDArray[np.integer]:
        logits = activations(policy, standardized(states, moments))[-1]
        if greedy:
            return np.asarray(logits.argmax(axis=-1))
        return sampled_actions(log_softmax(logits), rng.random(len(states)))

    return episode_returns(env, act, num_episodes=num_episodes)

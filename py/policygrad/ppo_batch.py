"""From a rollout to what the epochs of an update read: a flat batch with advantages and targets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .advantages import generalized_advantages, value_targets
from .networks import activations

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._checks import Array
    from .networks import Parameters
    from .ppo_rollout import Rollout


@dataclass(frozen=True, slots=True)
class Batch:
    """B = T·N steps in any order. All of it is constant while the networks move."""

    observations: Array
    """(B, 4) as the networks see them."""
    actions: NDArray[np.intp]
    """(B,)."""
    old_log_probs: Array
    """(B,) of the actions, stored when they were sampled."""
    old_values: Array
    """(B,) of the value network before the update."""
    advantages: Array
    """(B,) generalised advantage estimates, not normalised."""
    targets: Array
    """(B,) old_values + advantages: λ-returns."""


def make_batch(
    rollout: Rollout, rewards: Array, value: Parameters, *, gamma: float, gae_lambda: float
) -> Batch:
    """Advantages by two masks, then time and environments on one axis.

    A terminated step has no value after it. A truncated one, and the last row of the rollout, have the value
    of the observation that the action led to, the final one and not the first of the next episode; all three
    cut the trace.

    Args:
        rollout: T steps of N environments.
        rewards: (T, N) those of the rollout, scaled or not.
        value: parameters of the value network.
    """
    size = rewards.size
    observations = rollout.observations.reshape(size, -1)
    values = activations(value, observations)[-1].reshape(rewards.shape)
    next_values = activations(value, rollout.final_observations.reshape(size, -1))[-1].reshape(rewards.shape)
    advantages = generalized_advantages(
        rewards,
        values,
        next_values,
        rollout.terminated,
        rollout.ended,
        gamma=gamma,
        gae_lambda=gae_lambda,
    )
    return Batch(
        observations=observations,
        actions=rollout.actions.ravel(),
        old_log_probs=rollout.log_probs.ravel(),
        old_values=values.ravel(),
        advantages=advantages.ravel(),
        targets=value_targets(values, advantages).ravel(),
    )

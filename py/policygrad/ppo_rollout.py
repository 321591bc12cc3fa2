"""Driving many CartPoles with a policy that is being trained, and writing down what its update needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .distributions import log_softmax
from .networks import activations
from .running_moments import standardized

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._checks import Array, Mask
    from .cartpole import CartPole
    from .networks import Parameters
    from .running_moments import RunningMoments


@dataclass(frozen=True, slots=True)
class Rollout:
    """T steps of N environments, time first."""

    states: Array
    """(T, N, 4) in which the policy acted."""
    observations: Array
    """(T, N, 4) the same as the networks saw them, standardised or not."""
    final_observations: Array
    """(T, N, 4) where each action led, before any reset, as the networks see it."""
    actions: NDArray[np.intp]
    """(T, N)."""
    log_probs: Array
    """(T, N) of the actions, stored as they were sampled; never computed again."""
    rewards: Array
    """(T, N) as the environment gave them."""
    terminated: Mask
    """(T, N) the task ended: nothing follows."""
    truncated: Mask
    """(T, N) the time limit was reached: a value follows."""

    @property
    def ended(self) -> Mask:
        """(T, N) the step was the last of its episode, for either reason."""
        ended: Mask = self.terminated | self.truncated
        return ended


def collect_rollout(
    env: CartPole, policy: Parameters, moments: RunningMoments, *, num_steps: int, rng: np.random.Generator
) -> Rollout:
    """The next steps of all environments, with actions sampled from the policy.

    Args:
        env: where it stands; an episode may begin in one rollout and end in another.
        policy: parameters of the network that gives the logits; they do not change while it acts.
        moments: by which observations are standardised.
        num_steps: T.
        rng: source of one uniform number per action.
    """
    shape = (num_steps, len(env.states))
    states, observations, final = (np.empty((*shape, 4)) for _ in range(3))
    log_probs, rewards = np.empty(shape), np.empty(shape)
    actions = np.empty(shape, dtype=np.intp)
    terminated, truncated = np.empty(shape, dtype=np.bool_), np.empty(shape, dtype=np.bool_)
    everyone = np.arange(shape[1])
    for t, uniforms in enumerate(rng.random(shape)):
        states[t] = env.states
        observations[t] = standardized(states[t], moments)
        all_log_probs = log_softmax(activations(policy, observations[t])[-1])
        actions[t] = sampled_actions(all_log_probs, uniforms)
        log_probs[t] = all_log_probs[everyone, actions[t]]
        step = env.step(actions[t])
        final[t], rewards[t] = step.final_observations, step.rewards
        terminated[t], truncated[t] = step.terminated, step.truncated
    return Rollout(
        states=states,
        observations=observations,
        final_observations=standardized(final, moments),
        actions=actions,
        log_probs=log_probs,
        rewards=rewards,
        terminated=terminated,
        truncated=truncated,
    )


def sampled_actions(log_probs: Array, uniforms: Array) -> NDArray[np.intp]:
    """One action per row: how many of the cumulative probabilities the uniform number has passed.

    Args:
        log_probs: (N, A).
        uniforms: (N,) from 0 to below 1.
    """
    cumulative = np.exp(log_probs[:, :-1]).cumsum(axis=-1)  # the last would be 1
    return np.asarray((uniforms[:, np.newaxis] >= cumulative).sum(axis=-1), dtype=np.intp)

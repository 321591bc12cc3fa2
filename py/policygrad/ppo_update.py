"""One PPO update: from a batch and both networks to a gradient per minibatch, and so to new networks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .advantages import normalize_advantages
from .descent import Proposal, descend, shuffled_minibatches
from .distributions import log_softmax
from .networks import activations, backward, joined, split_like
from .ppo_gradients import logit_gradients, value_gradients
from .surrogate import clip_bounds, kl_k3, probability_ratios

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._checks import Array
    from .descent import AdamState, Descent, Indices
    from .networks import Parameters
    from .ppo_batch import Batch
    from .ppo_config import PPOConfig


@dataclass(frozen=True, slots=True)
class Networks:
    """The two networks of a run; they share no parameter."""

    policy: Parameters
    """Observations to logits."""
    value: Parameters
    """Observations to one value."""

    def at(self, params: Array) -> Networks:
        """Networks of these shapes whose parameters are views of one vector."""
        arrays = split_like(params, self.policy + self.value)
        return Networks(arrays[: len(self.policy)], arrays[len(self.policy) :])

    def joined(self) -> Array:
        """That vector: the policy's parameters first."""
        return joined(self.policy + self.value)


@dataclass(frozen=True, slots=True)
class Strengths:
    """The hyper-parameters that schedules move, as they are in one update."""

    learning_rate: float
    """Adam's."""
    clip_epsilon: float
    """ε."""
    clip_epsilon_high: float | None
    """Width above 1, if it is another."""


def strengths(config: PPOConfig, update: int) -> Strengths:
    """Of the update number 0, 1, …: a linear schedule is initial·(1 − update/num_updates)."""
    left = 1.0 - update / config.num_updates
    rate = left if config.learning_rate_schedule == "linear" else 1.0
    width = left if config.clip_schedule == "linear" else 1.0
    high = config.clip_epsilon_high
    return Strengths(
        learning_rate=config.learning_rate * rate,
        clip_epsilon=config.clip_epsilon * width,
        clip_epsilon_high=None if high is None else high * width,
    )


def seen_advantages(batch: Batch, config: PPOConfig) -> Array:
    """Advantages as the surrogate sees them when no minibatch normalises its own."""
    if config.advantage_normalization == "none":
        return batch.advantages
    return normalize_advantages(batch.advantages)


def update_networks(
    networks: Networks,
    adam: AdamState,
    batch: Batch,
    config: PPOConfig,
    now: Strengths,
    *,
    rng: np.random.Generator,
) -> Descent:
    """All epochs over one batch.

    Args:
        networks: for their shapes; the parameters themselves are in `adam`.
        rng: source of the order of the steps, nothing else.
    """
    minibatches = shuffled_minibatches(
        len(batch.actions), epochs=config.epochs, minibatch_size=config.minibatch_size, rng=rng
    )
    return descend(
        adam,
        minibatches,
        proposals(networks, batch, config, now),
        learning_rate=now.learning_rate,
        adam_eps=config.adam_eps,
        max_norm=config.max_norm,
        target_kl=config.target_kl,
    )


def proposals(
    networks: Networks, batch: Batch, config: PPOConfig, now: Strengths
) -> Callable[[Array, Indices], Proposal]:
    """The function that `descend` asks: gradient of `ppo_loss` in all parameters, on a minibatch."""
    per_minibatch = config.advantage_normalization == "minibatch"
    advantages = batch.advantages if per_minibatch else seen_advantages(batch, config)
    bounds = clip_bounds(clip_epsilon=now.clip_epsilon, clip_epsilon_high=now.clip_epsilon_high)

    def propose(params: Array, indices: Indices) -> Proposal:
        current = networks.at(params)
        observations, actions = batch.observations[indices], batch.actions[indices]
        old_log_probs, A = batch.old_log_probs[indices], advantages[indices]
        if per_minibatch:
            A = normalize_advantages(A)
        policy_layers = activations(current.policy, observations)
        log_probs = log_softmax(policy_layers[-1])
        taken = log_probs[np.arange(len(indices)), actions]
        ratios = probability_ratios(taken, old_log_probs)
        in_logits = logit_gradients(
            log_probs, actions, ratios, A, bounds=bounds, entropy_coef=config.entropy_coef
        )
        value_layers = activations(current.value, observations)
        in_values = config.value_coef * value_gradients(
            value_layers[-1][:, 0],
            batch.targets[indices],
            old_values=batch.old_values[indices],
            value_clip=config.value_clip,
        )
        gradients = Networks(
            backward(current.policy, policy_layers, in_logits),
            backward(current.value, value_layers, in_values[:, np.newaxis]),
        )
        return Proposal(gradients.joined(), float(np.mean(kl_k3(taken - old_log_probs))))

    return propose

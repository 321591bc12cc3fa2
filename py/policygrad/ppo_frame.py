"""What one PPO update reports: how the policy does, and what the update did to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .distributions import entropy, log_softmax
from .networks import activations
from .ppo_update import seen_advantages
from .surrogate import clipped_fraction, kl_k3, outside_fraction, probability_ratios
from .updates import explained_variance, value_loss

if TYPE_CHECKING:
    from ._checks import Array
    from .descent import Descent
    from .episode_log import EpisodeLog
    from .ppo_batch import Batch
    from .ppo_config import PPOConfig
    from .ppo_update import Networks, Strengths


@dataclass(frozen=True, slots=True)
class PPOFrame:
    """The state of a run after one update. Plain numbers only, so that it is JSON as it is."""

    update: int
    """Number of this update, from 1."""
    steps: int
    """Environment steps so far, all environments together."""
    episodes: int
    """Episodes finished so far."""
    mean_return: float
    """Mean return of the last finished episodes (100 unless set), actions sampled; NaN before the first."""
    mean_length: float
    """Mean number of steps of the same episodes."""
    value_loss: float
    """Half the mean squared error of the values after the update, over the whole rollout, without a clip."""
    explained_variance: float
    """Of the targets by the values before the update; NaN when all targets are equal."""
    entropy: float
    """Mean entropy of the policy after the update, in nats; log 2 = 0.693 at most."""
    outside_fraction: float
    """Share of the rollout's ratios outside the clip interval after the update."""
    clipped_fraction: float
    """Share of the samples whose clipped branch is the minimum after the update; at most the one above."""
    kl: float
    """Mean of (r − 1) − log r after the update, an estimate of D_KL(π_old‖π_new) in nats."""
    advantage_mean: float
    """Mean of the advantages before normalisation, in reward units."""
    advantage_std: float
    """Their standard deviation."""
    gradient_norm: float
    """Mean norm of the gradient before its clip, over the update's steps."""
    gradient_steps: int
    """Steps of the optimiser in this update."""
    stopped_early: bool
    """Whether the KL ended the update before its last minibatch."""
    learning_rate: float
    """As it was in this update."""
    clip_epsilon: float
    """As it was in this update."""


def frame_after(
    networks: Networks,
    batch: Batch,
    descent: Descent,
    *,
    update: int,
    log: EpisodeLog,
    config: PPOConfig,
    now: Strengths,
) -> PPOFrame:
    """The report of an update.

    Ratios are taken once, after the last step and over the whole batch: a mean over the minibatches would mix
    in an update that is half over.

    Args:
        networks: after the update.
        batch: what the update was made on.
        descent: its steps.
        update: its number, from 1.
        log: episodes so far.
        config, now: settings of the run and of this update.
    """
    log_probs = log_softmax(activations(networks.policy, batch.observations)[-1])
    taken: Array = log_probs[np.arange(len(batch.actions)), batch.actions]
    ratios = probability_ratios(taken, batch.old_log_probs)
    values = activations(networks.value, batch.observations)[-1][:, 0]
    low, high = now.clip_epsilon, now.clip_epsilon_high
    # Normalising moves some advantages over 0, and their sign decides on which side the clip acts.
    advantages = seen_advantages(batch, config)
    return PPOFrame(
        update=update,
        steps=update * len(batch.actions),
        episodes=log.finished,
        mean_return=log.mean_return,
        mean_length=log.mean_length,
        value_loss=value_loss(values, batch.targets),
        explained_variance=explained_variance(batch.old_values, batch.targets),
        entropy=float(np.mean(entropy(np.exp(log_probs)))),
        outside_fraction=outside_fraction(ratios, clip_epsilon=low, clip_epsilon_high=high),
        clipped_fraction=clipped_fraction(ratios, advantages, clip_epsilon=low, clip_epsilon_high=high),
        kl=float(np.mean(kl_k3(taken - batch.old_log_probs))),
        advantage_mean=float(batch.advantages.mean()),
        advantage_std=float(batch.advantages.std()),
        gradient_norm=descent.gradient_norm,
        gradient_steps=descent.steps,
        stopped_early=descent.stopped_early,
        learning_rate=now.learning_rate,
        clip_epsilon=now.clip_epsilon,
    )

"""PPO's whole loss on one minibatch, and its gradient where the networks end: in logits and values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check
from .distributions import entropy, log_softmax
from .surrogate import ClipBounds, clip_bounds, clip_is_active, clipped_objective, probability_ratios
from .updates import value_loss

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._checks import Array


@dataclass(frozen=True, slots=True)
class PPOLoss:
    """The loss of one minibatch, its three parts and its gradient."""

    loss: float
    """−clipped_objective + value_coef·value_loss − entropy_coef·entropy."""
    clipped_objective: float
    """Mean of the clipped objective, in the units of the advantages."""
    value_loss: float
    """Half the mean squared error of the values, clipped or not."""
    entropy: float
    """Mean entropy of the policy, in nats."""
    logit_gradients: Array
    """(B, A) ∂loss/∂logits."""
    value_gradients: Array
    """(B,) ∂loss/∂values."""


def ppo_loss(
    logits: ArrayLike,
    actions: ArrayLike,
    old_log_probs: ArrayLike,
    advantages: ArrayLike,
    *,
    values: ArrayLike,
    targets: ArrayLike,
    old_values: ArrayLike | None = None,
    value_clip: float | None = None,
    clip_epsilon: float,
    clip_epsilon_high: float | None = None,
    value_coef: float = 0.5,
    entropy_coef: float = 0.0,
) -> PPOLoss:
    """PPO's loss, to be minimised: surrogate, critic and entropy in one number.

        L = −mean min(r A, clip(r, 1 − ε, 1 + ε) A) + c_V ½ mean (v − R)² − c_H mean H(π)

    What the policy's part reads comes first, what the critic's part reads is named. Advantages, targets and
    everything old are constants: no gradient passes through them, so the surrogate never moves the values.

    Args:
        logits: (B, A) finite logits of the current policy.
        actions: (B,) indices of the actions taken.
        old_log_probs: (B,) log-probabilities that were stored when the actions were sampled, in nats.
        advantages: (B,) A, normalised or not.
        values: (B,) v of the current value network.
        targets: (B,) R, made from advantages before their normalisation.
        old_values, value_clip: both or neither, as in `value_loss`.
        clip_epsilon, clip_epsilon_high: widths of the clip below and above 1, as in `clipped_objective`.
        value_coef, entropy_coef: c_V and c_H, ≥ 0.
    Returns: the loss, its parts, and its gradients in logits and values.
    Raises: ValueError on unequal lengths, non-finite numbers, an action that does not exist, or a
        hyper-parameter out of range.
    Source: Schulman et al., arXiv:1707.06347, equation 9.
    """
    z = check.finite(logits, "logits", ndim=2)
    size, num_actions = z.shape
    taken = check.indices(actions, "actions", size=num_actions)
    old = check.finite(old_log_probs, "old_log_probs")
    A = check.finite(advantages, "advantages")
    v = check.finite(values, "values")
    R = check.finite(targets, "targets")
    columns = {"actions": taken, "old_log_probs": old, "advantages": A, "values": v, "targets": R}
    for name, column in columns.items():
        if column.shape != (size,):
            raise ValueError(
                f"{name} has shape {column.shape}; it must have one entry per logits row, {size}"
            )
    weight_value = check.real(value_coef, "value_coef", at_least=0)
    weight_entropy = check.real(entropy_coef, "entropy_coef", at_least=0)
    bounds = clip_bounds(clip_epsilon=clip_epsilon, clip_epsilon_high=clip_epsilon_high)
    old_v = None if old_values is None else check.finite(old_values, "old_values")
    critic = value_loss(v, R, old_values=old_v, value_clip=value_clip)
    log_probs = log_softmax(z)
    ratios = probability_ratios(log_probs[np.arange(size), taken], old)
    objectives = clipped_objective(ratios, A, clip_epsilon=clip_epsilon, clip_epsilon_high=clip_epsilon_high)
    objective = float(np.mean(objectives))
    spread = float(np.mean(entropy(np.exp(log_probs))))
    in_logits = logit_gradients(log_probs, taken, ratios, A, bounds=bounds, entropy_coef=weight_entropy)
    in_values = value_gradients(v, R, old_values=old_v, value_clip=value_clip)
    return PPOLoss(
        loss=-objective + weight_value * critic - weight_entropy * spread,
        clipped_objective=objective,
        value_loss=critic,
        entropy=spread,
        logit_gradients=in_logits,
        value_gradients=weight_value * in_values,
    )


def logit_gradients(
    log_probs: Array,
    actions: NDArray[np.integer],
    ratios: Array,
    advantages: Array,
    *,
    bounds: ClipBounds,
    entropy_coef: float,
) -> Array:
    """Gradient of the policy's part of the loss in the logits, unchecked; finite log-probabilities.

        ∂(−mean J_clip)/∂z = −(1/B) (∂J_clip/∂r) r (one-hot(a) − π)
        ∂(−c_H mean H)/∂z = (c_H/B) π ∘ (log π + H)

    Args:
        log_probs: (B, A) of all actions.
        actions, ratios, advantages: (B,).
    """
    size = len(actions)
    probs = np.exp(log_probs)
    slopes = np.where(clip_is_active(ratios, advantages, bounds), 0.0, advantages)
    weights = slopes * ratios / size
    gradients: Array = probs * weights[:, np.newaxis]
    gradients[np.arange(size), actions] -= weights
    if entropy_coef > 0:
        spread = -(probs * log_probs).sum(axis=-1, keepdims=True)
        gradients += entropy_coef / size * probs * (log_probs + spread)
    return gradients


def value_gradients(
    values: Array, targets: Array, *, old_values: Array | None, value_clip: float | None
) -> Array:
    """Gradient of `value_loss` in the values, unchecked.

        ∂/∂v ½ mean (v − R)² = (v − R)/B;  0 where the clipped value decides, because v does not move it

    Args:
        values, targets, old_values: (B,).
    """
    errors = values - targets
    gradients: Array = errors / len(values)
    if old_values is not None and value_clip is not None:
        change = values - old_values
        moved = old_values + np.clip(change, -value_clip, value_clip)
        # Inside the width both are equal but for rounding, which must not decide.
        decides = (np.abs(change) > value_clip) & (np.square(moved - targets) > np.square(errors))
        gradients = np.where(decides, 0.0, gradients)
    return gradients

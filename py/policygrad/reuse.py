"""Using one batch for many epochs: gradient ascent on the clipped objective of samples that share parameters.

A made-up batch, small enough to follow: four states on a line, two samples from each, three actions, and a
softmax policy whose logits are linear in (1, x). All eight samples move the same six weights, so a sample
whose clip is active, and whose own slope is 0, is still carried along by the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check
from .distributions import softmax
from .surrogate import LOG_RATIO_LIMIT, ClipBounds, clip_bounds, clip_is_active

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._checks import Array, Mask

STATE_POSITIONS = (-2.0, -1.0, 1.0, 2.0)
SAMPLES_PER_STATE = 2
NUM_ACTIONS = 3
WEIGHT_RANGE = 0.3
"""Old weights are drawn between ± this, so that the old policy is close to even."""


@dataclass(frozen=True, slots=True)
class SharedBatch:
    """Samples of an old policy π_old(·|s) = softmax(φ(s) W_old) over A actions, with φ(s) in R^D."""

    states: Array
    """(S, D) features φ of every state."""
    state_index: NDArray[np.intp]
    """(N,) row of `states` that each sample was drawn in."""
    actions: NDArray[np.intp]
    """(N,) sampled actions."""
    advantages: Array
    """(N,) advantages with mean 0 and standard deviation 1, in reward units; constants."""
    old_weights: Array
    """(D, A) weights of the policy that sampled the actions."""


@dataclass(frozen=True, slots=True)
class BatchReuse:
    """What happened while one batch was used again and again; entry k is the policy after k epochs."""

    batch: SharedBatch
    """The samples."""
    weights: Array
    """(epochs + 1, D, A) weights; the first are the old ones."""
    ratios: Array
    """(epochs + 1, N) probability ratio of each sample."""
    clipped: Mask
    """(epochs + 1, N) whether the sample's clipped branch is strictly the minimum: its slope is then 0."""
    objective: Array
    """(epochs + 1,) mean clipped objective, in reward units."""
    max_ratio: Array
    """(epochs + 1,) largest ratio."""
    outside_fraction: Array
    """(epochs + 1,) share of the ratios outside the clip interval."""
    clipped_fraction: Array
    """(epochs + 1,) share of the samples that are clipped."""
    kl_old_new: Array
    """(epochs + 1,) exact D_KL(π_old‖π_θ), averaged over the states, in nats."""


def draw_shared_batch(*, rng: np.random.Generator) -> SharedBatch:
    """An old policy close to even, two actions of it in each of four states, and normalised advantages.

    Only `rng.random` is used: its numbers are the same in every engine.
    """
    check.generator(rng, "rng")
    positions = np.array(STATE_POSITIONS)
    states = np.stack([np.ones_like(positions), positions], axis=1)
    old_weights = WEIGHT_RANGE * (2.0 * rng.random((2, NUM_ACTIONS)) - 1.0)
    state_index = np.repeat(np.arange(len(states)), SAMPLES_PER_STATE)
    cumulative = np.cumsum(softmax(states @ old_weights), axis=1)[state_index, :-1]
    actions = (rng.random((len(state_index), 1)) >= cumulative).sum(axis=1)
    raw = rng.random(len(state_index))
    advantages = (raw - raw.mean()) / raw.std()
    return SharedBatch(states, state_index, actions, advantages, old_weights)


def shared_objective(weights: ArrayLike, batch: SharedBatch, *, clip_epsilon: float) -> float:
    """Mean clipped objective of the batch under the policy with these weights, to be maximised.

        J(W) = (1/N) Σ_n min(r_n A_n, clip(r_n, 1 − ε, 1 + ε) A_n),  r_n = π_W(a_n|s_n) / π_old(a_n|s_n)

    Args:
        weights: (D, A).
        batch: the samples; see `SharedBatch`.
        clip_epsilon: ε, 0 ≤ ε < 1.
    Raises: ValueError on a wrong shape, non-finite weights or a clip width out of range.
    """
    bounds = clip_bounds(clip_epsilon=clip_epsilon)
    log_probs = _log_probs(batch, _weights(weights, batch))
    old_log_probs = _log_probs(batch, batch.old_weights)
    return float(_objectives(_ratios(log_probs - old_log_probs, batch), batch, bounds).mean())


def shared_objective_gradient(weights: ArrayLike, batch: SharedBatch, *, clip_epsilon: float) -> Array:
    """Gradient of `shared_objective` in the weights.

        ∇_W J = (1/N) Σ_n (∂J_n/∂r_n) r_n φ(s_n) ⊗ (one-hot(a_n) − π_W(·|s_n))

    Args:
        weights: (D, A).
        batch: the samples; see `SharedBatch`.
        clip_epsilon: ε, 0 ≤ ε < 1.
    Returns: (D, A), in reward units.
    Raises: ValueError as `shared_objective`.
    """
    bounds = clip_bounds(clip_epsilon=clip_epsilon)
    return _gradient(_weights(weights, batch), batch, bounds, _log_probs(batch, batch.old_weights))


def reuse_batch(
    *, epochs: int, learning_rate: float, clip_epsilon: float, rng: np.random.Generator
) -> BatchReuse:
    """Draw a batch and climb its clipped objective for several epochs, all samples in every step.

        W ← W + learning_rate · ∇_W J(W), starting from W_old

    Args:
        epochs: whole number of steps, ≥ 0.
        learning_rate: step size, ≥ 0.
        clip_epsilon: ε of the objective, 0 ≤ ε < 1.
        rng: source of the batch; see `draw_shared_batch`.
    Returns: the curves over the epochs, with the old policy first.
    Raises: ValueError on a hyper-parameter out of range.
    """
    count = check.whole(epochs, "epochs", at_least=0)
    rate = check.real(learning_rate, "learning_rate", at_least=0)
    bounds = clip_bounds(clip_epsilon=clip_epsilon)
    batch = draw_shared_batch(rng=rng)
    old_log_probs = _log_probs(batch, batch.old_weights)
    weights = [batch.old_weights]
    for _ in range(count):
        weights.append(weights[-1] + rate * _gradient(weights[-1], batch, bounds, old_log_probs))
    return _measured(batch, np.array(weights), bounds)


def _measured(batch: SharedBatch, weights: Array, bounds: ClipBounds) -> BatchReuse:
    """All curves at once, from the weights of every epoch."""
    log_probs = _log_probs(batch, weights)  # (epochs + 1, S, A)
    ratios = _ratios(log_probs - log_probs[0], batch)  # (epochs + 1, N)
    clipped = clip_is_active(ratios, batch.advantages, bounds)
    outside = (ratios < bounds.low) | (ratios > bounds.high)
    divergences = (np.exp(log_probs[0]) * (log_probs[0] - log_probs)).sum(axis=-1)  # (epochs + 1, S)
    return BatchReuse(
        batch=batch,
        weights=weights,
        ratios=ratios,
        clipped=clipped,
        objective=_objectives(ratios, batch, bounds).mean(axis=-1),
        max_ratio=ratios.max(axis=-1),
        outside_fraction=outside.mean(axis=-1),
        clipped_fraction=clipped.mean(axis=-1),
        kl_old_new=np.maximum(divergences.mean(axis=-1), 0.0),
    )


def _gradient(weights: Array, batch: SharedBatch, bounds: ClipBounds, old_log_probs: Array) -> Array:
    log_probs = _log_probs(batch, weights)  # (S, A)
    ratios = _ratios(log_probs - old_log_probs, batch)  # (N,)
    slopes = np.where(clip_is_active(ratios, batch.advantages, bounds), 0.0, batch.advantages)
    pushes = slopes * ratios / len(ratios)  # ∂J/∂ log π of every sample
    # Samples of one state and action meet in one logit; the softmax takes their sum back from all actions.
    chosen = np.bincount(_sampled(batch), weights=pushes, minlength=log_probs.size).reshape(log_probs.shape)
    in_logits = chosen - np.add.reduce(chosen, axis=-1, keepdims=True) * np.exp(log_probs)  # (S, A)
    gradient: Array = batch.states.T @ in_logits
    return gradient


def _log_probs(batch: SharedBatch, weights: Array) -> Array:
    """log π of every action in every state, (…, S, A): `log_softmax` without its checks."""
    logits = batch.states @ weights
    shifted = logits - np.maximum.reduce(logits, axis=-1, keepdims=True)
    log_probs: Array = shifted - np.log(np.add.reduce(np.exp(shifted), axis=-1, keepdims=True))
    return log_probs


def _ratios(differences: Array, batch: SharedBatch) -> Array:
    """Ratios of the samples, (…, N), from log π_W − log π_old of all actions, (…, S, A)."""
    flat = differences.reshape(*differences.shape[:-2], -1)
    log_ratios = np.minimum(np.maximum(flat[..., _sampled(batch)], -LOG_RATIO_LIMIT), LOG_RATIO_LIMIT)
    return np.exp(log_ratios)


def _sampled(batch: SharedBatch) -> NDArray[np.intp]:
    """(N,) place of each sample's state and action in a flattened (S, A) array."""
    places: NDArray[np.intp] = batch.state_index * batch.old_weights.shape[1] + batch.actions
    return places


def _objectives(ratios: Array, batch: SharedBatch, bounds: ClipBounds) -> Array:
    clipped = np.clip(ratios, bounds.low, bounds.high) * batch.advantages
    return np.minimum(ratios * batch.advantages, clipped)


def _weights(weights: ArrayLike, batch: SharedBatch) -> Array:
    array = check.finite(weights, "weights", ndim=2)
    check.same_shape(array, "weights", batch.old_weights, "batch.old_weights")
    return array

"""Categorical distributions: softmax, entropy, Kullback–Leibler divergence and the score of an action.

The last axis runs over the actions; any axes before it are a batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._checks import Array


def softmax(logits: ArrayLike) -> Array:
    """Probabilities of the actions.

        π_i = exp(z_i) / Σ_j exp(z_j)

    Args:
        logits: (…, A) numbers z; −infinity makes an action unavailable, which must not hold for all.
    Returns: (…, A) probabilities; exactly 0 for an unavailable action.
    Raises: ValueError on NaN, +infinity, an empty axis, or a row that is −infinity throughout.
    """
    weights = np.exp(_shifted(check.logits(logits)))
    probs: Array = weights / weights.sum(axis=-1, keepdims=True)
    return probs


def log_softmax(logits: ArrayLike) -> Array:
    """Log-probabilities of the actions, in nats.

        log π_i = z_i − log Σ_j exp(z_j)

    The logarithm is never taken of a rounded probability, so an action of probability e^−10000 keeps
    its log-probability of −10000.

    Args:
        logits: (…, A) numbers z; −infinity makes an action unavailable, which must not hold for all.
    Returns: (…, A) log-probabilities; −infinity for an unavailable action.
    Raises: ValueError on NaN, +infinity, an empty axis, or a row that is −infinity throughout.
    """
    shifted = _shifted(check.logits(logits))
    log_probs: Array = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return log_probs


def entropy(probs: ArrayLike) -> Array:
    """Entropy in nats, with 0·log 0 = 0.

        H(π) = −Σ_i π_i log π_i

    Args:
        probs: (…, A) probabilities.
    Returns: (…) entropies from 0 to log A.
    Raises: ValueError when `probs` is not a distribution over its last axis.
    """
    probs = check.probabilities(probs, "probs")
    # A sum that is 1 + 1e-10 would give a tiny negative entropy; starting from 0 also avoids −0.
    return check.unwrapped(np.maximum(0.0 - (probs * _log(probs)).sum(axis=-1), 0.0))


def kl_divergence(p: ArrayLike, q: ArrayLike) -> Array:
    """Kullback–Leibler divergence of p from q, in nats. The order matters: p is the one averaged over.

        D_KL(p ‖ q) = Σ_i p_i log(p_i / q_i)

    Args:
        p, q: (…, A) probabilities of one shape.
    Returns: (…) divergences ≥ 0; infinity where q_i = 0 < p_i. An action with p_i = 0 adds 0.
    Raises: ValueError on unequal shapes or when one of them is not a distribution over its last axis.
    Source: Kullback and Leibler, "On Information and Sufficiency", 1951.
    """
    return check.unwrapped(np.maximum(kl_terms(p, q).sum(axis=-1), 0.0))


def kl_terms(p: ArrayLike, q: ArrayLike) -> Array:
    """What each action adds to the Kullback–Leibler divergence of p from q, in nats.

        p_i log(p_i / q_i)

    Args:
        p, q: (…, A) probabilities of one shape.
    Returns: (…, A); single terms may be negative, their sum never is. 0 where p_i = 0, infinity where
        q_i = 0 < p_i.
    Raises: ValueError as `kl_divergence`.
    """
    p = check.probabilities(p, "p")
    q = check.probabilities(q, "q")
    check.same_shape(q, "q", p, "p")
    # A difference of logarithms: p/q itself can overflow.
    return np.where((p > 0) & (q == 0), np.inf, p * (_log(p) - _log(q)))


def score(probs: ArrayLike, action: ArrayLike) -> Array:
    """The score of an action: the gradient of its log-probability in the logits.

        ∂ log π(a) / ∂z = one-hot(a) − π

    Args:
        probs: (…, A) probabilities.
        action: (…) index of the action, from 0 to A − 1.
    Returns: (…, A), each row summing to 0.
    Raises: ValueError when `probs` is not a distribution, or `action` not an index for each row.
    """
    probs = check.probabilities(probs, "probs")
    size = probs.shape[-1]
    chosen = check.indices(action, "action", size=size)
    if chosen.shape != probs.shape[:-1]:
        raise ValueError(
            f"action has shape {chosen.shape}; it must have one entry per distribution, {probs.shape[:-1]}"
        )
    scores: Array = (np.arange(size) == chosen[..., np.newaxis]) - probs
    return scores


def _shifted(logits: Array) -> Array:
    """Logits moved so that the largest is 0: exp of them cannot overflow."""
    with np.errstate(over="ignore"):  # ±1e308 next to each other: a difference of −infinity is right
        shifted: Array = logits - logits.max(axis=-1, keepdims=True)
    return shifted


def _log(probs: Array) -> Array:
    """log p, and 0 where p = 0, where it is multiplied by that 0."""
    logs: Array = np.log(np.where(probs > 0, probs, 1.0))
    return logs

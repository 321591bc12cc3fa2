"""Natural gradients and steps that keep the KL divergence within a bound, after TRPO.

The Fisher matrix measures how fast a policy changes: a small step x in the logits costs ½ xᵀF x nats. That
is the second-order part only; a finite step has to be checked against the divergence itself.

What the bound promises: J(π_new) ≥ L(π_new) − 4 ε γ/(1−γ)² · max_s D_KL(π_old(·|s)‖π_new(·|s)), with the
surrogate L and ε = max |A|. It needs exact advantages, discounted state visits and the largest divergence of
any state. A mean divergence measured on a batch, as in practice, keeps steps small but proves nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check
from .distributions import kl_divergence, softmax
from .reinforce import exact_policy_gradient
from .search import Trial, backtrack
from .surrogate import LOG_RATIO_LIMIT

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._checks import Array

MAX_HALVINGS = 1100
"""Enough to bring any float64 step down to nothing."""
LONGEST_STEP = 1e300
"""Still finite after it was added to a logit."""
SUM_TOLERANCE = 1e-9
"""How far the entries of a softmax gradient may be from summing to 0."""


@dataclass(frozen=True, slots=True)
class TrustRegionStep:
    """A policy step under a KL bound."""

    logits: Array
    """(A,) logits after the step; a copy of the old ones when no step was accepted."""
    kl: float
    """D_KL(π_old‖π_new) in nats, at most the bound."""
    improvement: float
    """Σ π_new Q − Σ π_old Q, the gain of the surrogate, in reward units."""
    accepted: bool
    """Whether a step was taken."""


def trajectory_ratio(log_probs: ArrayLike, old_log_probs: ArrayLike) -> float:
    """Ratio of a whole trajectory's probabilities under two policies: the product of the steps' ratios.

        Π_t π_θ(a_t|s_t) / π_old(a_t|s_t) = exp Σ_t (log π_θ(a_t|s_t) − log π_old(a_t|s_t))

    The environment's transition probabilities are the same for both policies and cancel. The sum is
    limited to ±700.

    Args:
        log_probs: (T,) log-probabilities of the actions under the current policy, in nats.
        old_log_probs: (T,) the same under the policy that acted.
    Returns: a finite number above 0.
    Raises: ValueError on wrong or unequal shapes or non-finite numbers.
    """
    current = check.finite(log_probs, "log_probs", ndim=1)
    old = check.finite(old_log_probs, "old_log_probs", ndim=1)
    check.same_shape(old, "old_log_probs", current, "log_probs")
    total = float((current - old).sum())
    return float(np.exp(min(max(total, -LOG_RATIO_LIMIT), LOG_RATIO_LIMIT)))


def fisher_matrix(probs: ArrayLike) -> Array:
    """Fisher information of a softmax policy in its logits; also the Hessian of the KL at the policy itself.

        F = E_{a~π}[score(a) score(a)ᵀ] = diag(π) − π πᵀ

    Args:
        probs: (…, A) probabilities π.
    Returns: (…, A, A), symmetric, no eigenvalue below 0, F·1 = 0: a constant added to all logits is free.
    Raises: ValueError when `probs` is not a distribution over its last axis.
    """
    probs = check.probabilities(probs, "probs")
    # π_i (δ_ij − π_j): 1 − π_j keeps its digits where π_j is close to 1; + 0.0 makes −0 a 0.
    matrix: Array = probs[..., :, np.newaxis] * (np.eye(probs.shape[-1]) - probs[..., np.newaxis, :]) + 0.0
    return matrix


def fisher_vector_product(probs: ArrayLike, vector: ArrayLike) -> Array:
    """The Fisher matrix times a vector, without the matrix.

        F v = π ∘ (v − Σ_j π_j v_j)

    Args:
        probs: (…, A) probabilities π.
        vector: same shape, v.
    Returns: same shape.
    Raises: ValueError on unequal shapes, a non-finite entry, or `probs` not being distributions.
    """
    probs = check.probabilities(probs, "probs")
    v = check.finite(vector, "vector")
    check.same_shape(v, "vector", probs, "probs")
    relative = v - v[..., :1]  # a constant vector gives exactly 0
    product: Array = probs * (relative - (probs * relative).sum(axis=-1, keepdims=True))
    return product


def natural_gradient(probs: ArrayLike, gradient: ArrayLike, *, damping: float = 0.0) -> Array:
    """The direction in the logits that gains most per nat of change: the solution of F x = g.

        damping = 0:  x_i = g_i/π_i − mean_j(g_j/π_j), the shortest of all solutions
        damping > 0:  (F + damping·I) x = g

    An action of probability 0 has no gradient and is left alone: its x is 0, and it is not in the mean.

    Args:
        probs: (A,) probabilities π.
        gradient: (A,) g in the logits; without damping it must sum to 0 within 1e-9, as those of a softmax
            do, and be 0 where π is 0, or no solution exists.
        damping: ≥ 0.
    Returns: (A,).
    Raises: ValueError on wrong or unequal shapes, non-finite numbers, `probs` not being a distribution,
        damping below 0, or a gradient without a solution.
    Source: Kakade, "A Natural Policy Gradient", 2001.
    """
    probs = check.probabilities(check.finite(probs, "probs", ndim=1), "probs")
    g = check.finite(gradient, "gradient", ndim=1)
    check.same_shape(g, "gradient", probs, "probs")
    extra = check.real(damping, "damping", at_least=0)
    if extra > 0:
        return _damped_natural_gradient(probs, g, extra)
    total = float(g.sum())
    if abs(total) > max(SUM_TOLERANCE, 1e-12 * float(np.abs(g).sum())):
        raise ValueError(
            f"gradient sums to {check.shown(total)}; the gradient of a softmax in its logits "
            "must sum to 0 within 1e-9"
        )
    possible = probs > 0
    for i in np.flatnonzero(~possible & (g != 0)):
        raise ValueError(f"gradient[{i}] is {check.shown(g[i])} where probs[{i}] is 0; it must be 0 there")
    direction = np.zeros_like(g)
    with np.errstate(over="ignore"):
        per_probability = g[possible] / probs[possible]
    if not np.isfinite(per_probability).all():
        raise ValueError("gradient is too large for probs; gradient/probs must be finite")
    direction[possible] = per_probability - per_probability.mean()
    return direction


def trust_region_step(logits: ArrayLike, action_values: ArrayLike, *, max_kl: float) -> TrustRegionStep:
    """A natural-gradient step of a softmax policy that stays within a KL bound.

        x = F⁻¹ g,  z_new = z + 2⁻ᵏ √(2 max_kl / (xᵀF x)) x

    The square root brings the second-order KL to the bound; k is the smallest number of halvings for which
    the KL itself, D_KL(π_old‖π_new), is within it and Σ π_new Q exceeds Σ π_old Q.

    Args:
        logits: (A,) z; −infinity makes an action unavailable.
        action_values: (A,) Q.
        max_kl: bound in nats, above 0.
    Raises: ValueError on wrong or unequal shapes, NaN or +infinity in `logits`, a non-finite action value,
        or max_kl not above 0.
    Source: Schulman et al., arXiv:1502.05477.
    """
    z = check.logits(check.numbers(logits, "logits", ndim=1))
    values = check.finite(action_values, "action_values", ndim=1)
    check.same_shape(values, "action_values", z, "logits")
    bound = check.real(max_kl, "max_kl", above=0)
    unchanged = TrustRegionStep(logits=z.copy(), kl=0.0, improvement=0.0, accepted=False)

    probs = softmax(z)
    # Action values may have any scale and offset; the direction has neither.
    relative = np.where(np.isneginf(z), 0.0, values - values[np.argmax(probs)])
    scale = float(np.abs(relative).max())
    if scale == 0:
        return unchanged
    gradient = exact_policy_gradient(z, relative / scale)
    direction = natural_gradient(probs, gradient)
    quadratic = float(direction @ gradient)  # xᵀF x, since F x = g
    if quadratic <= 0:
        return unchanged
    # A huge bound and a rare action would give an infinite length; a long one is halved all the same.
    length = min(math.sqrt(2) * math.sqrt(bound) / math.sqrt(quadratic), LONGEST_STEP)
    full_step = length * direction

    def attempt(fraction: float) -> Trial:
        new_probs = softmax(z + fraction * full_step)
        gain = ((new_probs - probs) * relative).sum()
        return Trial(improvement=float(gain), kl=float(kl_divergence(probs, new_probs)))

    fraction = backtrack(attempt, max_kl=bound, max_tries=MAX_HALVINGS)
    if fraction is None:
        return unchanged
    taken = attempt(fraction)
    return TrustRegionStep(
        logits=z + fraction * full_step, kl=taken.kl, improvement=taken.improvement, accepted=True
    )


def _damped_natural_gradient(probs: Array, g: Array, damping: float) -> Array:
    """(diag(π + c) − π πᵀ) x = g by the Sherman–Morrison formula, arranged so that small c loses nothing.

    With w = π/(π + c) and u = g/(π + c): x = u + w (Σg/c − Σu)/Σw, using Σπ = 1. For c → 0 it becomes
    g/π minus its mean.
    """
    widths = probs + damping
    shares = probs / widths
    plain = g / widths
    solution: Array = plain + shares * ((g.sum() / damping - plain.sum()) / shares.sum())
    return solution

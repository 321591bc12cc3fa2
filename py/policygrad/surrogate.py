"""PPO's clipped surrogate: probability ratios, the clip, what it reports and the sampled KL estimators.

What else an update needs (value loss, schedules, the gradient's norm) is in `updates`.

Ratios compare the current policy with the old policy, the one that sampled the actions; never with a
reference policy. Objectives are maximised. One array entry is one sample; a single number may stand for
an advantage that all samples share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._checks import Array, Mask

LOG_RATIO_LIMIT = 700.0
"""exp(±700) is still a finite number above 0; exp(±710) is not."""


@dataclass(frozen=True, slots=True)
class ClipBounds:
    """The interval that the clip keeps a ratio in; both edges belong to it."""

    low: float
    """1 − ε."""
    high: float
    """1 + ε, or 1 + ε_high when the interval is wider above."""


@dataclass(frozen=True, slots=True)
class SurrogateTerms:
    """The parts of one sample's contribution to PPO's objective."""

    ratio: float
    """r, the ratio that the other fields belong to."""
    unclipped: float
    """r·A, in the units of the advantage."""
    clipped: float
    """clip(r, 1 − ε, 1 + ε)·A, in the units of the advantage."""
    objective: float
    """The smaller of the two."""
    slope: float
    """Derivative of the objective in r."""


def probability_ratios(log_probs: ArrayLike, old_log_probs: ArrayLike) -> Array:
    """Ratios of the current to the old probability of the sampled actions.

        r = π_θ(a|s) / π_old(a|s) = exp(log π_θ(a|s) − log π_old(a|s)), the difference limited to ±700

    Args:
        log_probs: (…) log-probabilities under the current policy, in nats.
        old_log_probs: same shape, as stored when the actions were sampled, or one number.
    Returns: (…) finite ratios above 0.
    Raises: ValueError on unequal shapes or non-finite numbers.
    Source: Schulman et al., arXiv:1707.06347, section 3.
    """
    log_probs = check.finite(log_probs, "log_probs")
    old_log_probs = check.finite(old_log_probs, "old_log_probs")
    check.same_shape_or_number(old_log_probs, "old_log_probs", log_probs, "log_probs")
    with np.errstate(over="ignore"):  # limited in the same line
        difference = np.clip(log_probs - old_log_probs, -LOG_RATIO_LIMIT, LOG_RATIO_LIMIT)
    return check.unwrapped(np.exp(difference))


def clip_bounds(*, clip_epsilon: float, clip_epsilon_high: float | None = None) -> ClipBounds:
    """The interval from 1 − ε to 1 + ε, with a width of its own above when `clip_epsilon_high` is given.

        low = 1 − ε,  high = 1 + ε_high

    Raises: ValueError unless 0 ≤ clip_epsilon < 1 and clip_epsilon_high ≥ 0.
    Source: Schulman et al., arXiv:1707.06347, equation 7; two widths: Yu et al., arXiv:2503.14476.
    """
    low_width = check.real(clip_epsilon, "clip_epsilon", at_least=0, below=1)
    high_width = low_width
    if clip_epsilon_high is not None:
        high_width = check.real(clip_epsilon_high, "clip_epsilon_high", at_least=0)
    return ClipBounds(low=1.0 - low_width, high=1.0 + high_width)


def clipped_objective(
    ratios: ArrayLike, advantages: ArrayLike, *, clip_epsilon: float, clip_epsilon_high: float | None = None
) -> Array:
    """PPO's contribution of each sample, to be maximised, in the units of the advantage.

        J_clip = min(r A, clip(r, 1 − ε, 1 + ε) A)

    Args:
        ratios: (…) probability ratios r ≥ 0.
        advantages: same shape, or one number; constants that no gradient passes through.
        clip_epsilon, clip_epsilon_high: widths below and above 1; above is the same width when not given.
    Returns: (…) contributions; exactly 0 where the advantage is 0.
    Raises: ValueError on unequal shapes, non-finite numbers, negative ratios or widths out of range.
    Source: Schulman et al., arXiv:1707.06347, equation 7.
    """
    bounds = clip_bounds(clip_epsilon=clip_epsilon, clip_epsilon_high=clip_epsilon_high)
    ratios, advantages = _samples(ratios, advantages)
    with np.errstate(over="ignore"):  # an enormous r·A is infinite, and the other branch may still decide
        smaller = np.minimum(ratios * advantages, np.clip(ratios, bounds.low, bounds.high) * advantages)
    return check.unwrapped(smaller + 0.0)  # −0 becomes 0


def clipped_objective_slope(
    ratios: ArrayLike, advantages: ArrayLike, *, clip_epsilon: float, clip_epsilon_high: float | None = None
) -> Array:
    """Derivative of `clipped_objective` in the ratio.

        ∂J_clip/∂r = 0 where clip(r) A < r A, else A

    The slope is 0 only when the advantage has already pushed the ratio out on its own side. On an edge the
    two branches are equal and the slope is A, the value just inside.

    Args, Raises: as `clipped_objective`.
    Returns: (…) slopes in the units of the advantage.
    """
    bounds = clip_bounds(clip_epsilon=clip_epsilon, clip_epsilon_high=clip_epsilon_high)
    ratios, advantages = _samples(ratios, advantages)
    return check.unwrapped(np.where(clip_is_active(ratios, advantages, bounds), 0.0, advantages))


def surrogate_terms(
    ratio: float, advantage: float, *, clip_epsilon: float, clip_epsilon_high: float | None = None
) -> SurrogateTerms:
    """Both branches of one PPO sample, their minimum and its slope: see `clipped_objective`.

    Args:
        ratio, advantage: single numbers, ratio ≥ 0.
        clip_epsilon, clip_epsilon_high: as `clipped_objective`.
    Raises: ValueError as `clipped_objective`.
    """
    bounds = clip_bounds(clip_epsilon=clip_epsilon, clip_epsilon_high=clip_epsilon_high)
    r = check.real(ratio, "ratio", at_least=0)
    A = check.real(advantage, "advantage")
    unclipped = r * A + 0.0
    clipped = min(max(r, bounds.low), bounds.high) * A + 0.0
    active = (r > bounds.high and A > 0) or (r < bounds.low and A < 0)
    return SurrogateTerms(
        ratio=r,
        unclipped=unclipped,
        clipped=clipped,
        objective=min(unclipped, clipped),
        slope=0.0 if active else A + 0.0,
    )


def outside_fraction(
    ratios: ArrayLike, *, clip_epsilon: float, clip_epsilon_high: float | None = None
) -> float:
    """Share of the samples whose ratio is outside the clip interval, whatever the advantage.

        mean of [r < 1 − ε or r > 1 + ε], with the very bounds of the clip; an edge is inside

    Many programs log this number as their "clip fraction"; `clipped_fraction` is the other one.

    Args:
        ratios: (…) probability ratios r ≥ 0.
        clip_epsilon, clip_epsilon_high: widths below and above 1; above is the same width when not given.
    Raises: ValueError on non-finite or negative ratios, or widths out of range.
    """
    bounds = clip_bounds(clip_epsilon=clip_epsilon, clip_epsilon_high=clip_epsilon_high)
    r = check.non_negative_entries(ratios, "ratios")
    return float(np.mean((r < bounds.low) | (r > bounds.high)))


def clipped_fraction(
    ratios: ArrayLike, advantages: ArrayLike, *, clip_epsilon: float, clip_epsilon_high: float | None = None
) -> float:
    """Share of the samples whose clipped branch is strictly the minimum, so that their slope is 0.

        mean of [(r > 1 + ε and A > 0) or (r < 1 − ε and A < 0)]

    Args, Raises: as `clipped_objective`.
    """
    bounds = clip_bounds(clip_epsilon=clip_epsilon, clip_epsilon_high=clip_epsilon_high)
    ratios, advantages = _samples(ratios, advantages)
    return float(np.mean(clip_is_active(ratios, advantages, bounds)))


def kl_k1(log_ratios: ArrayLike) -> Array:
    """The plain sampled KL estimator, in nats: unbiased, of either sign.

        k1 = −log r, with log r = log π_θ(a) − log π_old(a), a ~ π_old, limited to ±700

    Args:
        log_ratios: (…) values of log r.
    Returns: (…) per sample; the mean estimates D_KL(π_old ‖ π_θ).
    Raises: ValueError on non-finite numbers.
    Source: Schulman, "Approximating KL Divergence", 2020, joschu.net/blog/kl-approx.html.
    """
    return check.unwrapped(0.0 - _log_ratios(log_ratios))


def kl_k2(log_ratios: ArrayLike) -> Array:
    """The squared sampled KL estimator, in nats: never negative, biased, close when the policies are close.

        k2 = ½ (log r)²

    Args, Returns, Raises, Source: as `kl_k1`.
    """
    return check.unwrapped(0.5 * np.square(_log_ratios(log_ratios)))


def kl_k3(log_ratios: ArrayLike) -> Array:
    """The corrected sampled KL estimator, in nats: unbiased and never negative.

        k3 = (r − 1) − log r

    r − 1 comes from `expm1`: near r = 1 the difference of two rounded numbers would lose every digit.

    Args, Returns, Raises, Source: as `kl_k1`.
    """
    log_r = _log_ratios(log_ratios)
    return check.unwrapped(np.maximum(np.expm1(log_r) - log_r, 0.0))


def _samples(ratios: ArrayLike, advantages: ArrayLike) -> tuple[Array, Array]:
    """Ratios and advantages, checked, of one shape unless one of them is a single number."""
    r = check.non_negative_entries(ratios, "ratios")
    A = check.finite(advantages, "advantages")
    check.same_shape_or_number(A, "advantages", r, "ratios")
    return r, A


def clip_is_active(ratios: Array, advantages: Array, bounds: ClipBounds) -> Mask:
    """Where the clipped branch is strictly the minimum.

    Said with the bounds and not with the two products, which rounding can make equal just past an edge.
    """
    above = (ratios > bounds.high) & (advantages > 0)
    below = (ratios < bounds.low) & (advantages < 0)
    active: Mask = above | below
    return active


def _log_ratios(log_ratios: ArrayLike) -> Array:
    return np.clip(check.finite(log_ratios, "log_ratios"), -LOG_RATIO_LIMIT, LOG_RATIO_LIMIT)

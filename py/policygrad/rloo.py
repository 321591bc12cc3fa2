"""From rewards of responses to the slope of an objective in every token's log-probability.

The steps that RLOO, GRPO, Dr. GRPO and GSPO share, with each point in which they differ as an option:

    RLOO      "rloo"      ratio of the whole response     KL in the reward
    GRPO      "grpo"      token ratios, "sequence_mean"   KL in the objective, "k3", kl_weighting "none"
    Dr. GRPO  "dr_grpo"   token ratios, "constant_length"
    GSPO      "grpo"      ratio of the length-normalised response

Arrays are (B, L − 1) and the mask is `response_mask(…)[:, 1:]`, as in `sequences`. What lies outside the mask
is never read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check
from ._tokens import limited_exp, masked, per_response, token_mask
from .baselines import dr_grpo_advantages, group_mean_advantages, grpo_advantages, rloo_advantages
from .surrogate import (
    LOG_RATIO_LIMIT,
    ClipBounds,
    clip_bounds,
    clip_is_active,
    clipped_fraction,
    clipped_objective,
    kl_k1,
    kl_k2,
    kl_k3,
    outside_fraction,
)
from .token_losses import reduction_weights

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._checks import Array, Mask

ESTIMATORS = ("rloo", "grpo", "dr_grpo", "group_mean")
RATIO_LEVELS = ("token", "sequence", "length_normalized")
KL_ESTIMATORS = {"k1": kl_k1, "k2": kl_k2, "k3": kl_k3}
KL_WEIGHTINGS = ("ratio", "none")


@dataclass(frozen=True, slots=True)
class SequenceObjective:
    """The objective of a batch of responses and its slope; everything is to be maximised except `kl`."""

    objective: float
    """surrogate − kl_coef · kl."""
    surrogate: float
    """The clipped part, in the units of the advantage."""
    kl: float
    """The estimate of D_KL(π_θ‖π_ref) that the objective holds, in nats per unit of the reduction."""
    slopes: Array
    """(B, L − 1) derivative of the objective in each log-probability; 0 outside the mask."""
    outside_fraction: float
    """Share of the ratios outside the clip interval: of tokens, or of responses with one ratio each."""
    clipped_fraction: float
    """Share of them whose clipped branch is strictly the minimum."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a batch's tokens make up the terms of its surrogate: one per token, or one per response."""

    weights: Array
    """(B, L − 1) or (B, 1) weight of each term in the sum."""
    counted: Mask
    """Same shape, where there is a term at all."""
    spread: Array
    """(B, L − 1) slope of a term's log-ratio in each log-probability, 0 outside the mask."""
    bounds: ClipBounds
    """Of the ratios."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """The KL part."""

    weights: Array
    """(B, L − 1) weight of each token in the sum."""
    estimator: str
    """One of `KL_ESTIMATORS`."""
    weighting: str
    """One of `KL_WEIGHTINGS`."""


def group_advantages(
    rewards: ArrayLike,
    *,
    estimator: str,
    ddof: int = 0,
    eps: float = 1e-8,
    scale: str = "group",
    group_ids: ArrayLike | None = None,
) -> Array:
    """Advantages of responses within their groups, by the name of the method.

        "rloo": R_i − mean of the others,  "group_mean" and "dr_grpo": R_i − mean(R),
        "grpo": (R_i − mean(R)) / (std(R) + eps)

    "dr_grpo" and "group_mean" are one formula; what makes Dr. GRPO is to sum tokens and divide by a constant.

    Args:
        rewards: (…, G), a group along the last axis; or any shape together with `group_ids`.
        estimator: one of the four names.
        ddof, eps, scale: as `grpo_advantages`; the others do not read them.
        group_ids: same shape, equal numbers for responses to one prompt, in any order.
    Returns: same shape; exactly 0 in a group of equal rewards or of one.
    Raises: ValueError on an empty or non-finite input, unequal shapes, or another estimator.
    """
    check.option(estimator, "estimator", ESTIMATORS)
    if estimator == "rloo":
        return rloo_advantages(rewards, group_ids=group_ids)
    if estimator == "grpo":
        return grpo_advantages(rewards, ddof=ddof, eps=eps, scale=scale, group_ids=group_ids)
    if estimator == "group_mean" and group_ids is None:
        return group_mean_advantages(rewards)
    return dr_grpo_advantages(rewards, group_ids=group_ids)


def sequence_objective(
    log_probs: ArrayLike,
    old_log_probs: ArrayLike,
    advantages: ArrayLike,
    mask: ArrayLike,
    ref_log_probs: ArrayLike | None = None,
    *,
    clip_epsilon: float,
    clip_epsilon_high: float | None = None,
    ratio_level: str = "token",
    reduction: str = "token_mean",
    max_length: int | None = None,
    kl_coef: float = 0.0,
    kl_estimator: str = "k3",
    kl_weighting: str = "ratio",
) -> SequenceObjective:
    """Clipped objective of sampled responses, less a KL penalty, and its slopes; to be maximised.

        J = surrogate − β · reduce(w_{b,k} κ(ℓ_{b,k})),   ℓ = log π_ref − log π_θ

    The surrogate holds min(r A, clip(r) A). With ratio_level "token" every token has its ratio, and
    `reduction` says how tokens are averaged. With "sequence", r_b = exp Σ log r, or "length_normalized",
    r_b = exp mean log r, a response has one term, and the mean of the responses is taken; `reduction` is then
    only that of the KL.

    The estimators are κ = −ℓ ("k1"), ½ℓ² ("k2"), e^ℓ − 1 − ℓ ("k3"). Tokens were drawn from π_old, and how
    often a token is drawn depends on θ too. With kl_weighting "ratio", w = π_θ/π_old is differentiated with
    the rest: the mean slope is then that of D_KL(π_θ‖π_ref) in the states visited, for "k1" and "k3" exactly,
    for "k2" close to the reference. With "none", w = 1 and the samples count as fixed, as in GRPO: at
    π_θ = π_old the mean slope is then 0 for "k1", that of D_KL(π_θ‖π_ref) for "k2", and that of the other
    divergence, D_KL(π_ref‖π_θ), for "k3".

    Args:
        log_probs: (B, L − 1) token log-probabilities under the current policy, in nats.
        old_log_probs: same shape, frozen when the tokens were sampled.
        advantages: (B,) constants; not read for a response without a token.
        mask: (B, L − 1), `response_mask(…)[:, 1:]`.
        ref_log_probs: (B, L − 1), under the reference policy; needed when kl_coef is above 0.
        clip_epsilon, clip_epsilon_high: as `clipped_objective`.
        ratio_level: "token", "sequence" or "length_normalized".
        reduction, max_length: as `reduce_tokens`.
        kl_coef: β ≥ 0.
        kl_estimator: "k1", "k2" or "k3".
        kl_weighting: "ratio" or "none".
    Returns: value and slopes. A response without a token adds 0 and still counts as a response.
    Raises: ValueError on wrong or unequal shapes, a non-finite valid entry, a hyper-parameter out of range,
        an unknown option, or missing `ref_log_probs`.
    Source: Shao et al., arXiv:2402.03300; Ahmadian et al., arXiv:2402.14740; Zheng et al., arXiv:2507.18071;
        on the slopes of KL estimators: Tang and Munos, arXiv:2506.09477.
    """
    valid = token_mask(mask)
    beta = check.real(kl_coef, "kl_coef", at_least=0)
    if ref_log_probs is None and beta > 0:
        raise ValueError("ref_log_probs is None; it must be given when kl_coef is above 0")
    bounds = clip_bounds(clip_epsilon=clip_epsilon, clip_epsilon_high=clip_epsilon_high)
    token_weights = reduction_weights(valid, reduction, max_length)
    terms = terms_of(valid, token_weights, check.option(ratio_level, "ratio_level", RATIO_LEVELS), bounds)
    penalty = Penalty(
        token_weights,
        check.option(kl_estimator, "kl_estimator", tuple(KL_ESTIMATORS)),
        check.option(kl_weighting, "kl_weighting", KL_WEIGHTINGS),
    )
    current = masked(log_probs, "log_probs", valid)
    log_ratios = current - masked(old_log_probs, "old_log_probs", valid)
    A = per_response(advantages, "advantages", valid, read=np.asarray(valid.any(axis=1)))[:, np.newaxis]
    ratios = term_ratios(log_ratios, terms)
    kl, slopes = 0.0, surrogate_slopes(ratios, A, terms)
    if ref_log_probs is not None:
        ref_log_ratios = masked(ref_log_probs, "ref_log_probs", valid) - current
        kl = kl_value(log_ratios, ref_log_ratios, penalty)
        slopes = slopes - beta * kl_slopes(log_ratios, ref_log_ratios, penalty)
    smaller = clipped_objective(
        ratios,
        np.broadcast_to(A, ratios.shape),
        clip_epsilon=clip_epsilon,
        clip_epsilon_high=clip_epsilon_high,
    )
    surrogate = float((terms.weights * smaller).sum())
    outside, clipped = clip_shares(
        ratios, A, terms, clip_epsilon=clip_epsilon, clip_epsilon_high=clip_epsilon_high
    )
    return SequenceObjective(surrogate - beta * kl, surrogate, kl, slopes, outside, clipped)


def terms_of(valid: Mask, token_weights: Array, ratio_level: str, bounds: ClipBounds) -> Terms:
    """The terms of a batch, from its mask and the weights of its reduction."""
    if ratio_level == "token":
        return Terms(token_weights, valid, valid.astype(np.float64), bounds)
    counts = valid.sum(axis=1, keepdims=True)
    divisors = np.maximum(counts, 1) if ratio_level == "length_normalized" else 1
    return Terms((counts > 0) / len(valid), counts > 0, valid / divisors, bounds)


def term_ratios(log_ratios: Array, terms: Terms) -> Array:
    """Ratio of each term, from log π_θ − log π_old, which must be finite everywhere."""
    spread = log_ratios * terms.spread
    return limited_exp(spread if terms.weights.shape == spread.shape else spread.sum(axis=1, keepdims=True))


def surrogate_slopes(ratios: Array, advantages: Array, terms: Terms) -> Array:
    """(B, L − 1) derivative of the surrogate in each log-probability; advantages are (B, 1)."""
    active = clip_is_active(ratios, advantages, terms.bounds)
    slopes: Array = np.where(active, 0.0, terms.weights * advantages * ratios) * terms.spread
    return slopes


def clip_shares(
    ratios: Array, advantages: Array, terms: Terms, *, clip_epsilon: float, clip_epsilon_high: float | None
) -> tuple[float, float]:
    """`outside_fraction` and `clipped_fraction` of the terms that count; advantages are (B, 1)."""
    if not terms.counted.any():
        return 0.0, 0.0
    r = ratios[terms.counted]
    A = np.broadcast_to(advantages, ratios.shape)[terms.counted]
    return (
        outside_fraction(r, clip_epsilon=clip_epsilon, clip_epsilon_high=clip_epsilon_high),
        clipped_fraction(r, A, clip_epsilon=clip_epsilon, clip_epsilon_high=clip_epsilon_high),
    )


def kl_value(log_ratios: Array, ref_log_ratios: Array, penalty: Penalty) -> float:
    """Σ weight · w · κ(ℓ): see `sequence_objective`. Both log-ratios must be finite everywhere."""
    values = KL_ESTIMATORS[penalty.estimator](ref_log_ratios)
    if penalty.weighting == "ratio":
        values = limited_exp(log_ratios) * values
    return float((penalty.weights * values).sum())


def kl_slopes(log_ratios: Array, ref_log_ratios: Array, penalty: Penalty) -> Array:
    """(B, L − 1) derivative of `kl_value` in log π_θ, with (w κ)′ = w (κ + κ′) where w is a ratio."""
    slopes = _estimator_slopes(ref_log_ratios, penalty.estimator)
    if penalty.weighting == "ratio":
        values = KL_ESTIMATORS[penalty.estimator](ref_log_ratios)
        slopes = limited_exp(log_ratios) * (values + slopes)
    weighted: Array = penalty.weights * slopes
    return weighted


def _estimator_slopes(ref_log_ratios: Array, estimator: str) -> Array:
    """κ′: derivative of the estimator in log π_θ, which lowers ℓ = log π_ref − log π_θ as it rises."""
    if estimator == "k1":
        return np.ones_like(ref_log_ratios)
    ell = np.clip(ref_log_ratios, -LOG_RATIO_LIMIT, LOG_RATIO_LIMIT)
    return -ell if estimator == "k2" else -np.expm1(ell)

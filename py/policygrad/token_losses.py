"""From token values to one number, and from one reward to token values.

Arrays are (B, L − 1) and the mask is `response_mask(…)[:, 1:]`, as in `sequences`. What lies outside the mask
is never read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check
from ._tokens import limited_exp, masked, per_response, token_log_ratios, token_mask
from .surrogate import clipped_objective

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._checks import Array, Mask

REDUCTIONS = ("token_mean", "sequence_mean", "sequence_sum", "constant_length")


def reduce_tokens(
    values: ArrayLike, mask: ArrayLike, *, reduction: str, max_length: int | None = None
) -> float:
    """One number from token values. How tokens are averaged decides how much a long response weighs.

        "token_mean":       Σ_b Σ_k m v / Σ_b Σ_k m             every token the same
        "sequence_mean":    (1/B) Σ_b (Σ_k m v / Σ_k m)         every response the same
        "sequence_sum":     (1/B) Σ_b Σ_k m v                   every token the same, longer weighs more
        "constant_length":  Σ_b Σ_k m v / (B · max_length)      the same, divided by a constant

    Args:
        values: (B, L − 1), in any unit.
        mask: same shape, m, `response_mask(…)[:, 1:]`.
        reduction: one of the four names.
        max_length: ≥ 1, for "constant_length" only.
    Returns: a number in the unit of `values`. A response without a token adds 0 and still counts as one
        of the B responses; without any token the result is 0.
    Raises: ValueError on wrong or unequal shapes, a non-finite valid entry, another reduction, or a missing
        `max_length`.
    Source: sequence_mean: Shao et al., arXiv:2402.03300; token_mean: Yu et al., arXiv:2503.14476;
        constant_length: Liu et al., arXiv:2503.20783.
    """
    valid = token_mask(mask)
    return _reduced(masked(values, "values", valid), valid, reduction, max_length)


def token_clipped_objective(
    log_probs: ArrayLike,
    old_log_probs: ArrayLike,
    advantages: ArrayLike,
    mask: ArrayLike,
    *,
    clip_epsilon: float,
    reduction: str,
    clip_epsilon_high: float | None = None,
    max_length: int | None = None,
) -> float:
    """PPO's clipped objective with one ratio per token and one advantage per response, to be maximised.

        reduce over tokens of  min(r_{b,k} A_b, clip(r_{b,k}, 1 − ε, 1 + ε_high) A_b)

    Args:
        log_probs, old_log_probs, mask: as `sequence_ratios`.
        advantages: (B,), each spread over the tokens of its response; not read for a response without one.
        clip_epsilon, clip_epsilon_high: as `clipped_objective`.
        reduction, max_length: as `reduce_tokens`.
    Returns: a number in the units of the advantage.
    Raises: ValueError as these three.
    Source: Shao et al., arXiv:2402.03300, equation 3, without its KL term.
    """
    valid = token_mask(mask)
    ratios = limited_exp(token_log_ratios(log_probs, old_log_probs, valid))
    has_token: Mask = np.asarray(valid.any(axis=1))
    weights = per_response(advantages, "advantages", valid, read=has_token)
    terms = clipped_objective(
        ratios,
        np.where(valid, weights[:, np.newaxis], 0.0),
        clip_epsilon=clip_epsilon,
        clip_epsilon_high=clip_epsilon_high,
    )
    return _reduced(terms, valid, reduction, max_length)


def kl_in_reward(
    rewards: ArrayLike, log_probs: ArrayLike, ref_log_probs: ArrayLike, mask: ArrayLike, *, kl_coef: float
) -> Array:
    """Rewards less the sampled KL to a reference policy: a number of the sample, no gradient goes through it.

        R_b − β Σ_k mask[b, k] (log π_θ − log π_ref)

    For tokens drawn from π_θ the sum is on average D_KL(π_θ‖π_ref) of whole responses. This takes the place
    of a KL term in the loss: with both, the policy is held back twice.

    Args:
        rewards: (B,) reward of each response.
        log_probs: (B, L − 1) token log-probabilities under the policy that generated them, in nats.
        ref_log_probs: same shape, under the reference policy.
        mask: same shape, `response_mask(…)[:, 1:]`.
        kl_coef: β ≥ 0, in reward units per nat.
    Returns: (B,) in reward units.
    Raises: ValueError on wrong or unequal shapes, a non-finite reward or valid entry, or β below 0.
    Source: Ziegler et al., arXiv:1909.08593, equation 2.
    """
    valid = token_mask(mask)
    beta = check.real(kl_coef, "kl_coef", at_least=0)
    scores = per_response(rewards, "rewards", valid)
    current = masked(log_probs, "log_probs", valid)
    reference = masked(ref_log_probs, "ref_log_probs", valid)
    shaped: Array = scores - beta * (current - reference).sum(axis=1)
    return shaped


def token_rewards(rewards: ArrayLike, token_kl: ArrayLike, mask: ArrayLike, *, kl_coef: float) -> Array:
    """Rewards of single tokens: the KL penalty where it arises, the response's reward at its last token.

        out[b, k] = mask[b, k] · (−β kl[b, k] + [k is the last valid column of b] R_b)

    Args:
        rewards: (B,) reward of each response.
        token_kl: (B, L − 1) KL estimate of each token, in nats; not read outside the mask.
        mask: same shape, `response_mask(…)[:, 1:]`.
        kl_coef: β ≥ 0, in reward units per nat.
    Returns: (B, L − 1) in reward units; a row of zeros for a response without a token.
    Raises: ValueError on wrong or unequal shapes, a non-finite reward or valid entry, or β below 0.
    """
    valid = token_mask(mask)
    beta = check.real(kl_coef, "kl_coef", at_least=0)
    scores = per_response(rewards, "rewards", valid)
    result = 0.0 - beta * masked(token_kl, "token_kl", valid)
    last = valid.shape[1] - 1 - np.argmax(valid[:, ::-1], axis=1)
    rows = np.flatnonzero(valid.any(axis=1))
    result[rows, last[rows]] += scores[rows]
    return result


def reduction_weights(valid: Mask, reduction: str, max_length: int | None) -> Array:
    """(B, L − 1) weights w of a reduction: it is Σ_b Σ_k w v, and its slope in v is w. 0 outside the mask."""
    check.option(reduction, "reduction", REDUCTIONS)
    longest = None if max_length is None else check.whole(max_length, "max_length", at_least=1)
    divisor: int | NDArray[np.intp]
    if reduction == "token_mean":
        divisor = max(int(valid.sum()), 1)
    elif reduction == "sequence_mean":
        divisor = len(valid) * np.maximum(valid.sum(axis=1, keepdims=True), 1)
    elif reduction == "sequence_sum":
        divisor = len(valid)
    elif longest is not None:
        divisor = len(valid) * longest
    else:
        raise ValueError('max_length is None; it must be given with reduction "constant_length"')
    weights: Array = valid / divisor
    return weights


def _reduced(values: Array, valid: Mask, reduction: str, max_length: int | None) -> float:
    """`reduce_tokens` for values that are 0 outside the mask."""
    return float((reduction_weights(valid, reduction, max_length) * values).sum())

"""Log-probabilities, masks and ratios of sampled responses, token by token.

A batch holds B sequences of L tokens: prompt, response, padding. Column k of the logits scores the token in
column k + 1, so everything about tokens has L − 1 columns: column j belongs to token j + 1, and its mask is
`response_mask(…)[:, 1:]`. What lies outside the mask is never read, so NaN or infinity there changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check
from ._tokens import limited_exp, masked, response_means, token_log_ratios, token_mask
from .distributions import log_softmax

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._checks import Array


def token_log_probs(logits: ArrayLike, tokens: ArrayLike) -> Array:
    """Log-probability of every token but the first, given the tokens before it, in nats.

        out[b, k] = log softmax(logits[b, k])[tokens[b, k + 1]], k in [0, L − 1)

    Nothing precedes the first token, and the last column of the logits scores a token that is not there;
    it is not read.

    Args:
        logits: (B, L, V), already divided by the sampling temperature; −infinity for impossible tokens.
        tokens: (B, L) indices from 0 to V − 1, L ≥ 2; padding needs a valid index too.
    Returns: (B, L − 1); −infinity for an impossible token.
    Raises: ValueError on wrong shapes, NaN or +infinity in a logit that is read, or a token out of range.
    """
    scores = check.numbers(logits, "logits", ndim=3)
    batch, length, size = scores.shape
    ids = check.indices(check.numbers(tokens, "tokens", ndim=2), "tokens", size=size)
    if ids.shape != (batch, length):
        raise ValueError(
            f"tokens has shape {ids.shape}; it must have the first two axes of logits, {(batch, length)}"
        )
    if length < 2:
        raise ValueError(f"tokens has shape {ids.shape}; it must have at least two columns")
    log_probs = log_softmax(scores[:, :-1])
    return np.take_along_axis(log_probs, ids[:, 1:, np.newaxis], axis=2)[:, :, 0]


def response_mask(
    tokens: ArrayLike,
    prompt_lengths: ArrayLike,
    *,
    eos_id: int,
    pad_id: int,
    lengths: ArrayLike | None = None,
) -> NDArray[np.int64]:
    """Which tokens were generated: 1 through the first generated EOS, 0 before, after and on padding.

        mask[b, k] = 1  for  prompt_lengths[b] ≤ k < end[b]
        end: just after the first generated EOS, else where the padding starts, else L

    Without `lengths` the run of `pad_id` at the right is taken as padding. When `pad_id == eos_id` a response
    that was cut off and then padded looks as if it had ended: its first padding token is read as its EOS.

    Args:
        tokens: (B, L) whole numbers: prompt from column 0, response, padding on the right.
        prompt_lengths: (B,) from 0 to L. An EOS inside the prompt ends nothing.
        eos_id, pad_id: whole numbers, equal or not.
        lengths: (B,) tokens of prompt and response together, from prompt_lengths to L, if known.
    Returns: (B, L) of 0 and 1.
    Raises: ValueError on wrong shapes, numbers that are not whole, or lengths out of range.
    """
    ids = check.finite(tokens, "tokens", ndim=2)
    batch, width = ids.shape
    eos = check.whole(eos_id, "eos_id")
    pad = check.whole(pad_id, "pad_id")
    starts = _column_counts(prompt_lengths, "prompt_lengths", ids)
    columns = np.arange(width)
    if lengths is not None:
        ends = _column_counts(lengths, "lengths", ids)
        for b in np.flatnonzero(ends < starts):
            raise ValueError(
                f"lengths[{b}] is {ends[b]}; it must be at least prompt_lengths[{b}], {starts[b]}"
            )
    elif pad == eos:
        ends = np.full(batch, width)  # the first EOS ends the response, whichever of the two it was
    else:
        ends = np.where(ids != pad, columns + 1, 0).max(axis=1)  # after the last token that is not padding
    inside = (columns >= starts[:, np.newaxis]) & (columns < ends[:, np.newaxis])
    is_eos = inside & (ids == eos)
    earlier_eos = np.cumsum(is_eos, axis=1) - is_eos
    mask: NDArray[np.int64] = (inside & (earlier_eos == 0)).astype(np.int64)
    return mask


def sequence_log_probs(token_log_probs: ArrayLike, mask: ArrayLike) -> Array:
    """Log-probability of each whole response, in nats: the sum over its tokens, not their mean.

        log π(y_b|x_b) = Σ_k mask[b, k] · log π(token k + 1 | tokens 0 … k)

    Args:
        token_log_probs: (B, L − 1), not read outside the mask.
        mask: (B, L − 1), `response_mask(…)[:, 1:]`.
    Returns: (B,); 0 for a response without a token.
    Raises: ValueError on wrong or unequal shapes or a non-finite valid entry.
    """
    sums: Array = masked(token_log_probs, "token_log_probs", token_mask(mask)).sum(axis=1)
    return sums


def sequence_ratios(log_probs: ArrayLike, old_log_probs: ArrayLike, mask: ArrayLike) -> Array:
    """Probability ratio of each whole response: the product of its token ratios.

        exp Σ_k mask[b, k] (log π_θ − log π_old), the sum limited to ±700

    Args:
        log_probs: (B, L − 1) token log-probabilities under the current policy, in nats.
        old_log_probs: same shape, under the policy that generated the tokens.
        mask: same shape, `response_mask(…)[:, 1:]`.
    Returns: (B,) finite numbers above 0; 1 for a response without a token.
    Raises: ValueError on wrong or unequal shapes or a non-finite valid entry.
    """
    return limited_exp(token_log_ratios(log_probs, old_log_probs, token_mask(mask)).sum(axis=1))


def length_normalized_ratios(log_ratios: ArrayLike, mask: ArrayLike) -> Array:
    """Geometric mean of each response's token ratios (GSPO): not the ratio of the response's probabilities.

        exp( Σ_k mask[b, k] log r_{b,k} / Σ_k mask[b, k] ), the mean limited to ±700

    Args:
        log_ratios: (B, L − 1) token values of log π_θ − log π_old.
        mask: same shape, `response_mask(…)[:, 1:]`.
    Returns: (B,) finite numbers above 0; 1 for a response without a token.
    Raises: ValueError on wrong or unequal shapes or a non-finite valid entry.
    Source: Zheng et al., arXiv:2507.18071, equation 7.
    """
    valid = token_mask(mask)
    return limited_exp(response_means(masked(log_ratios, "log_ratios", valid), valid))


def _column_counts(values: ArrayLike, name: str, tokens: Array) -> NDArray[np.intp]:
    """(B,) whole numbers from 0 to L."""
    batch, width = tokens.shape
    counts = check.indices(values, name, size=width + 1)
    if counts.shape != (batch,):
        raise ValueError(
            f"{name} has shape {counts.shape}; it must have one entry per row of tokens, {(batch,)}"
        )
    return counts

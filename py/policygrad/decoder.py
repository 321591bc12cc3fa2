"""A language model small enough to look at: an autoregressive decoder with exactly 423 parameters.

    embedding 9·8 = 72,  GRU 18·8 + 18·6 + 18 + 18 = 288,  output 9·6 + 9 = 63;  72 + 288 + 63 = 423

It reads a sequence of tokens from a vocabulary of 9, turns each into 8 numbers, keeps a state of 6 in a gated
recurrent unit with two bias vectors, and reads the logits of the next token off the state. The state starts
at zero. For some response every one of the parameters has a gradient, that of EOS's embedding too, because
prompts begin with the token that ends responses.

The parameters are one vector, `params`, so that an update is one line; `decoder_weights` gives it names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check
from ._tokens import per_response, token_mask
from .decoder_passes import (
    HIDDEN,
    NUM_PARAMS,
    SHAPES,
    VOCABULARY,
    DecoderWeights,
    chosen_gradients,
    chosen_log_probs,
    read,
    separate_gradients,
    summed_gradient,
    weights_of,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._checks import Array, Mask


@dataclass(frozen=True, slots=True)
class MaskedUpdate:
    """One policy-gradient step of the decoder, and what it did to the responses that it learned from."""

    params: Array
    """(423,) parameters after the step."""
    gradient: Array
    """(423,) mean over the responses of advantage times score."""
    log_probs: Array
    """(B,) log-probability of each response before the step, in nats."""
    new_log_probs: Array
    """(B,) and after it."""


def decoder_params(*, rng: np.random.Generator) -> Array:
    """Parameters to begin with, drawn as PyTorch's layers draw them but without its normal distribution.

        embedding ~ U(−√3, √3), of variance 1;  everything else ~ U(−1/√6, 1/√6)

    Args:
        rng: source of all draws. Only `rng.random` is used: its numbers are the same in every engine.
    Returns: (423,).
    Raises: ValueError when `rng` is not a generator.
    """
    uniform = 2.0 * check.generator(rng, "rng").random(NUM_PARAMS) - 1.0
    embedded = SHAPES[0][0] * SHAPES[0][1]
    widths = np.full(NUM_PARAMS, HIDDEN**-0.5)
    widths[:embedded] = 3**0.5
    params: Array = uniform * widths
    return params


def decoder_weights(params: ArrayLike) -> DecoderWeights:
    """The seven arrays that the vector of parameters is made of, embedding first.

        72 + 144 + 108 + 18 + 18 + 54 + 9 = 423

    Args:
        params: (423,).
    Returns: copies by name; see `DecoderWeights`.
    Raises: ValueError on a wrong shape or non-finite numbers.
    """
    return weights_of(checked_params(params).copy())


def decoder_log_probs(params: ArrayLike, tokens: ArrayLike) -> Array:
    """Log-probability of every token but the first, given the tokens before it, in nats.

        out[b, k] = log π(tokens[b, k + 1] | tokens[b, 0 … k])

    Args:
        params: (423,) parameters θ.
        tokens: (B, L) indices from 0 to 8, L ≥ 2: prompt, response, padding. A token after column k has no
            influence on out[b, k] or on anything before it.
    Returns: (B, L − 1), to be used with `response_mask(…)[:, 1:]`.
    Raises: ValueError on wrong shapes, non-finite parameters or a token out of range.
    """
    ids = _tokens(tokens)
    return chosen_log_probs(read(weights_of(checked_params(params)), ids[:-1], first=0), ids[1:]).T


def response_log_probs(params: ArrayLike, tokens: ArrayLike, mask: ArrayLike) -> Array:
    """Log-probability of each whole response under the decoder, in nats.

        log π(y_b|x_b) = Σ_k mask[b, k] log π(tokens[b, k + 1] | tokens[b, 0 … k])

    Args:
        params, tokens: as `decoder_log_probs`.
        mask: (B, L − 1), `response_mask(…)[:, 1:]`.
    Returns: (B,); 0 for a response without a token.
    Raises: ValueError on wrong shapes, non-finite parameters, a token out of range or a mask of other values.
    """
    ids = _tokens(tokens)
    valid = _mask(mask, ids)
    reading = read(weights_of(checked_params(params)), ids[:-1], first=0)
    sums: Array = (chosen_log_probs(reading, ids[1:]).T * valid).sum(axis=1)
    return sums


def response_scores(params: ArrayLike, tokens: ArrayLike, mask: ArrayLike) -> Array:
    """Score of each response: the gradient of its log-probability in all 423 parameters.

        score_b = ∇_θ log π_θ(y_b|x_b) = Σ_k mask[b, k] ∇_θ log π_θ(tokens[b, k + 1] | tokens[b, 0 … k])

    Tokens of the prompt add no term of their own, but the gradient passes through them: they made the state
    that the response starts from.

    Args:
        params, tokens, mask: as `response_log_probs`.
    Returns: (B, 423).
    Raises: ValueError as `response_log_probs`.
    """
    ids = _tokens(tokens)
    valid = _mask(mask, ids)
    weights = weights_of(checked_params(params))
    reading = read(weights, ids[:-1], first=0)
    return separate_gradients(
        weights, reading, chosen_gradients(reading, ids[1:], valid.T.astype(np.float64))
    )


def masked_update(
    params: ArrayLike, tokens: ArrayLike, mask: ArrayLike, advantages: ArrayLike, *, learning_rate: float
) -> MaskedUpdate:
    """One step of gradient ascent on whole responses: REINFORCE with one advantage per response.

        g = (1/B) Σ_b A_b Σ_k mask[b, k] ∇_θ log π_θ(tokens[b, k + 1] | …),   θ ← θ + learning_rate · g

    Args:
        params, tokens, mask: as `response_log_probs`.
        advantages: (B,) A, constants; not read for a response without a token.
        learning_rate: ≥ 0.
    Returns: the new parameters, the gradient, and the responses' log-probabilities before and after.
    Raises: ValueError as `response_log_probs`, and on a learning rate below 0.
    """
    ids = _tokens(tokens)
    valid = _mask(mask, ids)
    theta = checked_params(params)
    A = per_response(advantages, "advantages", valid, read=np.asarray(valid.any(axis=1)))
    rate = check.real(learning_rate, "learning_rate", at_least=0)
    weights = weights_of(theta)
    reading = read(weights, ids[:-1], first=0)
    token_weights = np.where(valid, A[:, np.newaxis], 0.0).T / len(valid)
    gradient = summed_gradient(weights, reading, chosen_gradients(reading, ids[1:], token_weights))
    after = theta + rate * gradient
    return MaskedUpdate(
        params=after,
        gradient=gradient,
        log_probs=(chosen_log_probs(reading, ids[1:]).T * valid).sum(axis=1),
        new_log_probs=response_log_probs(after, tokens, valid),
    )


def checked_params(params: ArrayLike) -> Array:
    """The decoder's parameters: 423 finite numbers."""
    vector = check.finite(params, "params", ndim=1)
    if vector.shape != (NUM_PARAMS,):
        raise ValueError(f"params has shape {vector.shape}; it must have shape {(NUM_PARAMS,)}")
    return vector


def _tokens(tokens: ArrayLike) -> NDArray[np.intp]:
    """(L, B) indices."""
    ids = check.indices(check.numbers(tokens, "tokens", ndim=2), "tokens", size=VOCABULARY)
    if ids.shape[1] < 2:
        raise ValueError(f"tokens has shape {ids.shape}; it must have at least two columns")
    return np.ascontiguousarray(ids.T)


def _mask(mask: ArrayLike, ids: NDArray[np.intp]) -> Mask:
    """(B, L − 1)."""
    valid = token_mask(mask)
    needed = (ids.shape[1], len(ids) - 1)
    if valid.shape != needed:
        raise ValueError(
            f"mask has shape {valid.shape}; it must have one entry per token but the first, {needed}"
        )
    return valid

"""The tiny decoder in one call: parameters from a seed, responses, their scores and one update."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .decoder import decoder_log_probs, decoder_params, masked_update, response_scores
from .decoder_passes import NUM_PARAMS
from .sequence_policy import END
from .sequences import response_mask

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._checks import Array


@dataclass(frozen=True, slots=True)
class DecoderStep:
    """What a decoder makes of given responses, before and after it has learned from them once."""

    num_params: int
    """423."""
    mask: NDArray[np.int64]
    """(B, L − 1) 1 for the tokens of the responses."""
    token_log_probs: Array
    """(B, L − 1) log-probability of each of these tokens, in nats; 0 outside the mask."""
    log_probs: Array
    """(B,) and of each whole response."""
    score_norms: Array
    """(B,) length of each response's score, the gradient of its log-probability."""
    moving_params: NDArray[np.int64]
    """(B,) how many of the parameters have a gradient for each response: embeddings not read have none."""
    gradient_norm: float
    """Length of the mean of advantage times score."""
    new_log_probs: Array
    """(B,) log-probability of each response after the update, in nats."""


def decoder_step(
    tokens: ArrayLike,
    prompt_lengths: ArrayLike,
    advantages: ArrayLike,
    *,
    learning_rate: float,
    rng: np.random.Generator,
    lengths: ArrayLike | None = None,
) -> DecoderStep:
    """One masked update of a newly drawn decoder on responses that are given; see `masked_update`.

        θ ← θ + learning_rate · (1/B) Σ_b A_b ∇_θ log π_θ(y_b|x_b)

    Args:
        tokens: (B, L) indices from 0 to 8: prompt, response, then END, which is 0, as padding.
        prompt_lengths: (B,) tokens of each prompt, from 1 to L.
        advantages: (B,), in reward units.
        learning_rate: ≥ 0.
        rng: source of the parameters, as `decoder_params`.
        lengths: (B,) tokens of prompt and response together; without them each response ends with its first
            END, and one that was cut off and then padded looks as if it had ended.
    Raises: ValueError as `masked_update` and `response_mask`.
    """
    params = decoder_params(rng=rng)
    by_token = decoder_log_probs(params, tokens)
    mask = response_mask(tokens, prompt_lengths, eos_id=END, pad_id=END, lengths=lengths)[:, 1:]
    scores = response_scores(params, tokens, mask)
    update = masked_update(params, tokens, mask, advantages, learning_rate=learning_rate)
    return DecoderStep(
        num_params=NUM_PARAMS,
        mask=mask,
        token_log_probs=np.where(mask, by_token, 0.0),
        log_probs=update.log_probs,
        score_norms=np.linalg.norm(scores, axis=1),
        moving_params=(scores != 0).sum(axis=1),
        gradient_norm=float(np.linalg.norm(update.gradient)),
        new_log_probs=update.new_log_probs,
    )

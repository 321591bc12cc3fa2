"""Three small writing tasks whose answers a program can check, and a policy that samples answers.

A prompt is two tokens: END, with which every text begins, and the name of a task. A response is letters, then
END, which the policy samples like any other token: how long to write is a part of what it learns.

    same     two letters, both equal                      d d END
    mirror   three letters, the last equal to the first   b e b END
    rise     three letters, each after the one before     a c d END

END is the padding too, so the mask of a response needs the lengths: without them a response that was cut off
looks as if it had ended there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check
from .decoder import checked_params
from .decoder_passes import (
    VOCABULARY,
    DecoderWeights,
    Reading,
    chosen_log_probs,
    log_probs_after,
    token_inputs,
    weights_of,
)
from .recurrent import Tape, blank_tape, walk
from .sequences import response_mask

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._checks import Array, Mask

TOKENS = ("END", "same", "mirror", "rise", "a", "b", "c", "d", "e")
"""What the nine tokens are called."""
END = 0
SAME, MIRROR, RISE = TASKS = (1, 2, 3)
FIRST_LETTER = 4
PROMPT_LENGTH = 2
LETTERS_NEEDED = {SAME: 2, MIRROR: 3, RISE: 3}
MOST_LETTERS = 3


@dataclass(frozen=True, slots=True)
class SampledResponses:
    """Responses sampled from a policy, with what the policy gave them at that time."""

    tokens: NDArray[np.intp]
    """(B, L) prompt, response, then END as padding; L is where the longest one ends."""
    lengths: NDArray[np.intp]
    """(B,) tokens of prompt and response together."""
    ended: Mask
    """(B,) true where the policy sampled END, false where the response was cut off."""
    mask: NDArray[np.int64]
    """(B, L − 1) 1 for sampled tokens, a sampled END with them; shifted like `log_probs`."""
    log_probs: Array
    """(B, L − 1) log-probability of each token when it was sampled, in nats; 0 outside the mask."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Sampled responses as the trainer uses them, the batch last."""

    tokens: NDArray[np.intp]
    """(L, B)."""
    lengths: NDArray[np.intp]
    """(B,)."""
    ended: Mask
    """(B,)."""
    reading: Reading
    """The states that the tokens were sampled from: the policy's first reading of its own responses."""


def sample_responses(
    params: ArrayLike, prompts: ArrayLike, *, max_tokens: int, rng: np.random.Generator
) -> SampledResponses:
    """Let the decoder write one response to each prompt, token by token, until END or the limit.

        y_t ~ π_θ(·|x, y_0 … y_{t−1}),  t = 0, 1, … until y_t = END or t = max_tokens − 1

    Two ways to stop, two meanings: a sampled END is an action of the policy, has a log-probability and is in
    the mask; a cut-off is done to the policy, adds no token, and leaves open how the response would have gone
    on.

    Args:
        params: (423,) parameters of the decoder.
        prompts: (B, P) tokens from 0 to 8, P ≥ 1.
        max_tokens: tokens that a response may have, END included; ≥ 1.
        rng: source of all draws. Only `rng.random` is used, once.
    Returns: the responses; none is empty.
    Raises: ValueError on wrong shapes, non-finite parameters, a token out of range or `max_tokens` below 1.
    """
    ids = check.indices(check.numbers(prompts, "prompts", ndim=2), "prompts", size=VOCABULARY)
    limit = check.whole(max_tokens, "max_tokens", at_least=1)
    weights = weights_of(checked_params(params))
    sampled = draw(weights, ids.T, max_tokens=limit, rng=check.generator(rng, "rng"))
    tokens = sampled.tokens.T.copy()
    starts = np.full(len(ids), ids.shape[1])
    mask = response_mask(tokens, starts, eos_id=END, pad_id=END, lengths=sampled.lengths)[:, 1:]
    log_probs = np.zeros(mask.shape)
    log_probs[:, ids.shape[1] - 1 :] = chosen_log_probs(sampled.reading, sampled.tokens[ids.shape[1] :]).T
    return SampledResponses(
        tokens=tokens,
        lengths=sampled.lengths,
        ended=sampled.ended,
        mask=mask,
        log_probs=np.where(mask, log_probs, 0.0),
    )


def verify_responses(tokens: ArrayLike, lengths: ArrayLike, *, cutoff_reward: float = 0.0) -> Array:
    """Rewards of responses to the three tasks, checked by rule: no model judges them.

        R = (1 + conditions that hold) / (1 + conditions of the task), 0 when the form is wrong

    The form: only letters, as many as the task needs, then END. The conditions: for "same" y₀ = y₁; for
    "mirror" y₀ = y₂; for "rise" y₀ before y₁ and y₁ before y₂. A right answer has reward 1.

    A response without END was cut off. It might have gone on, so its letters are not judged at all; it gets
    `cutoff_reward`, whatever it says.

    Args:
        tokens: (B, L) tokens from 0 to 8: END, the task (1, 2 or 3), the response, anything after it.
        lengths: (B,) tokens of prompt and response together, from 2 to L.
        cutoff_reward: a finite number, in reward units.
    Returns: (B,) in reward units.
    Raises: ValueError on wrong shapes, numbers out of range, or a row that does not begin with such a prompt.
    """
    ids = check.indices(check.numbers(tokens, "tokens", ndim=2), "tokens", size=VOCABULARY)
    batch, width = ids.shape
    if width < PROMPT_LENGTH:
        raise ValueError(f"tokens has shape {ids.shape}; it must have at least two columns, the prompt's")
    wrong = (ids[:, 0] != END) | (ids[:, 1] == END) | (ids[:, 1] >= FIRST_LETTER)
    for b in np.flatnonzero(wrong):
        raise ValueError(
            f"tokens[{b}] begins with {ids[b, 0]}, {ids[b, 1]}; it must begin with 0 and a task, 1 to 3"
        )
    ends = check.indices(lengths, "lengths", size=width + 1)
    if ends.shape != (batch,):
        raise ValueError(
            f"lengths has shape {ends.shape}; it must have one entry per row of tokens, {(batch,)}"
        )
    for b in np.flatnonzero(ends < PROMPT_LENGTH):
        raise ValueError(f"lengths[{b}] is {ends[b]}; it must be at least 2, the length of the prompt")
    return rewards_of(ids.T, ends, check.real(cutoff_reward, "cutoff_reward"))


def response_text(tokens: ArrayLike) -> str:
    """Tokens in words: `b e b END`.

        0 … 8 → END same mirror rise a b c d e

    Args:
        tokens: (L,) indices from 0 to 8.
    Raises: ValueError on a wrong shape or a token out of range.
    """
    ids = check.indices(check.numbers(tokens, "tokens", ndim=1), "tokens", size=VOCABULARY)
    return " ".join(TOKENS[token] for token in ids)


def draw(
    weights: DecoderWeights, prompts: NDArray[np.intp], *, max_tokens: int, rng: np.random.Generator
) -> Draw:
    """`sample_responses` without checks, for prompts (P, B).

    The random numbers of all steps are drawn first, so a draw takes the same from `rng` whatever is sampled.
    """
    columns, batch = prompts.shape
    uniform = rng.random((max_tokens, batch))
    tape = blank_tape(columns + max_tokens - 1, np.zeros((weights.hidden_weights.shape[1], batch)))
    table = token_inputs(weights)
    bias = weights.hidden_bias[:, np.newaxis]
    tokens = np.full((columns + max_tokens, batch), END)
    tokens[:columns] = prompts
    finished = np.zeros(batch, dtype=bool)
    steps = []
    for t in range(columns + max_tokens - 1):
        walk(tape, t, np.take(table, tokens[t], axis=1), weights.hidden_weights, bias)
        if t < columns - 1:
            continue
        log_probs = log_probs_after(tape.states[t + 1], weights)  # (V, B)
        steps.append(log_probs)
        chosen = sampled_index(log_probs, uniform[t - columns + 1])
        tokens[t + 1] = np.where(finished, END, chosen)
        finished |= chosen == END
        if finished.all():
            break
    read = columns + len(steps) - 1
    tokens = tokens[: read + 1]
    is_end = tokens[columns:] == END
    ended: Mask = is_end.any(axis=0)
    lengths = np.where(ended, columns + 1 + is_end.argmax(axis=0), read + 1)
    used = Tape(tape.states[: read + 1], tape.gates[:read], tape.recalled[:read])
    return Draw(tokens, lengths, ended, Reading(tokens[:-1], used, np.array(steps)))


def sampled_index(log_probs: Array, uniform: Array) -> NDArray[np.intp]:
    """(B,) draws from the distributions (V, B): the first token at which the sum passes a uniform number."""
    cumulative = np.add.accumulate(np.exp(log_probs), axis=0)
    # Against the last sum, which rounding may leave beside 1, no draw falls past the last token.
    index: NDArray[np.intp] = np.add.reduce(cumulative[:-1] <= uniform * cumulative[-1], axis=0)
    return index


def rewards_of(tokens: NDArray[np.intp], lengths: NDArray[np.intp], cutoff_reward: float) -> Array:
    """`verify_responses` without checks, for tokens (L, B)."""
    batch = tokens.shape[1]
    task = tokens[1]
    written = np.full((MOST_LETTERS, batch), END)
    seen = tokens[PROMPT_LENGTH : PROMPT_LENGTH + MOST_LETTERS]
    written[: len(seen)] = seen
    needed = np.array([0, *LETTERS_NEEDED.values()])[task]  # task numbers begin at 1
    response = lengths - PROMPT_LENGTH
    ended = (response > 0) & (tokens[lengths - 1, np.arange(batch)] == END)
    letters_first = np.logical_and.accumulate(written >= FIRST_LETTER, axis=0).sum(axis=0)
    well_formed = ended & (response == needed + 1) & (letters_first >= needed)
    first, second, third = written
    held = np.select(
        [task == SAME, task == MIRROR],
        [first == second, first == third],
        (first < second).astype(np.intp) + (second < third),
    )
    conditions = np.where(task == RISE, 2, 1)
    judged = np.where(well_formed, (1 + held) / (1 + conditions), 0.0)
    return np.where(ended, judged, cutoff_reward)

"""The tiny decoder's way forwards and back, without checks: `decoder` has the checked functions.

Sampling, training and the public functions all go through here. Arrays have the batch last: tokens are
(L, B), log-probabilities (K, V, B) for the K columns that are read out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .recurrent import Tape, blank_tape, summed_products, walk, walk_back

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._checks import Array

VOCABULARY = 9
EMBEDDING = 8
HIDDEN = 6
SHAPES = (
    (VOCABULARY, EMBEDDING),
    (3 * HIDDEN, EMBEDDING),
    (3 * HIDDEN, HIDDEN),
    (3 * HIDDEN,),
    (3 * HIDDEN,),
    (VOCABULARY, HIDDEN),
    (VOCABULARY,),
)
"""Of the arrays in `DecoderWeights`, in its order."""
NUM_PARAMS = sum(math.prod(shape) for shape in SHAPES)


class DecoderWeights(NamedTuple):
    """The decoder's 423 parameters as the seven arrays that they are, in the order of the vector."""

    embedding: Array
    """(9, 8), 72 numbers: what each token is read as."""
    input_weights: Array
    """(18, 8), 144 numbers: from the embedding to the gates r, z, n."""
    hidden_weights: Array
    """(18, 6), 108 numbers: from the state before to the gates."""
    input_bias: Array
    """(18,)."""
    hidden_bias: Array
    """(18,)."""
    output_weights: Array
    """(9, 6), 54 numbers: from the state to the logits."""
    output_bias: Array
    """(9,)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the decoder made of a batch of tokens."""

    tokens: NDArray[np.intp]
    """(T, B) tokens that were read, one column of the batch after the other."""
    tape: Tape
    """The GRU's states and gates, T steps."""
    log_probs: Array
    """(K, V, B) log-probabilities of the tokens that follow the last K of the columns read."""


def weights_of(params: Array) -> DecoderWeights:
    """The arrays inside the vector: views, nothing is copied."""
    arrays = []
    start = 0
    for shape in SHAPES:
        size = math.prod(shape)
        arrays.append(params[start : start + size].reshape(shape))
        start += size
    return DecoderWeights(*arrays)


def token_inputs(weights: DecoderWeights) -> Array:
    """(3H, V) what every token sends to the gates, W_i e(token) + b_i: nine columns serve a whole batch."""
    table: Array = weights.input_weights @ weights.embedding.T
    table += weights.input_bias[:, np.newaxis]
    return table


def log_probs_after(states: Array, weights: DecoderWeights) -> Array:
    """(…, V, B) log-probabilities of the next token in the states (…, H, B)."""
    logits: Array = weights.output_weights @ states
    logits += weights.output_bias[:, np.newaxis]
    logits -= np.maximum.reduce(logits, axis=-2, keepdims=True)
    logits -= np.log(np.add.reduce(np.exp(logits), axis=-2, keepdims=True))
    return logits


def read(weights: DecoderWeights, tokens: NDArray[np.intp], *, first: int) -> Reading:
    """Read the tokens (T, B) and score what may follow column `first` and the columns after it."""
    steps, batch = tokens.shape
    tape = blank_tape(steps, np.zeros((HIDDEN, batch)))
    from_input = np.take(token_inputs(weights), tokens, axis=1)  # (3H, T, B)
    bias = weights.hidden_bias[:, np.newaxis]
    for t in range(steps):
        walk(tape, t, from_input[:, t], weights.hidden_weights, bias)
    return Reading(tokens, tape, log_probs_after(tape.states[first + 1 :], weights))


def chosen_places(tokens: NDArray[np.intp]) -> NDArray[np.intp]:
    """Where the log-probabilities of the tokens (K, B) are in a flattened (K, V, B) array."""
    columns, batch = tokens.shape
    rows = np.arange(columns)[:, np.newaxis] * VOCABULARY + tokens
    places: NDArray[np.intp] = rows * batch + np.arange(batch)
    return places


def chosen_log_probs(reading: Reading, tokens: NDArray[np.intp]) -> Array:
    """(K, B) log-probabilities of the tokens that followed."""
    chosen: Array = reading.log_probs.reshape(-1)[chosen_places(tokens)]
    return chosen


def chosen_gradients(reading: Reading, tokens: NDArray[np.intp], token_weights: Array) -> Array:
    """Gradient in the logits of Σ weight · log π(token): weight · (one-hot − π), (K, V, B).

    Args:
        tokens: (K, B) tokens that followed.
        token_weights: (K, B).
    """
    gradients = np.exp(reading.log_probs)
    gradients *= -token_weights[:, np.newaxis]
    gradients.reshape(-1)[chosen_places(tokens)] += token_weights
    return gradients


def summed_gradient(weights: DecoderWeights, reading: Reading, logit_gradients: Array) -> Array:
    """(423,) gradient of a number whose gradient in the logits is (K, V, B)."""
    in_states, in_input, in_hidden = _back(weights, reading, logit_gradients)
    one_hot = np.eye(VOCABULARY)[reading.tokens].transpose(0, 2, 1)  # (T, V, B)
    in_table = summed_products(in_input, one_hot)  # (3H, V)
    parts = (
        in_table.T @ weights.input_weights,
        in_table @ weights.embedding,
        summed_products(in_hidden, reading.tape.states[:-1]),
        in_table.sum(axis=1),
        in_hidden.sum(axis=(0, 2)),
        summed_products(logit_gradients, in_states),
        logit_gradients.sum(axis=(0, 2)),
    )
    return np.concatenate([part.ravel() for part in parts])


def separate_gradients(weights: DecoderWeights, reading: Reading, logit_gradients: Array) -> Array:
    """(B, 423): the same for each member of the batch alone."""
    in_states, in_input, in_hidden = _back(weights, reading, logit_gradients)
    one_hot = np.eye(VOCABULARY)[reading.tokens].transpose(0, 2, 1)
    in_table = _products(in_input, one_hot)  # (B, 3H, V)
    parts = (
        in_table.transpose(0, 2, 1) @ weights.input_weights,
        in_table @ weights.embedding,
        _products(in_hidden, reading.tape.states[:-1]),
        in_table.sum(axis=2),
        in_hidden.sum(axis=0).T,
        _products(logit_gradients, in_states),
        logit_gradients.sum(axis=0).T,
    )
    return np.concatenate([part.reshape(len(part), -1) for part in parts], axis=1)


def _back(weights: DecoderWeights, reading: Reading, logit_gradients: Array) -> tuple[Array, Array, Array]:
    """The states that were read out, and the gradients in W_i x + b_i and in W_h h + b_h, (T, 3H, B)."""
    silent = len(reading.tokens) - len(logit_gradients)  # columns of the prompt that no one reads out
    state_gradients = np.zeros_like(reading.tape.recalled)
    np.matmul(weights.output_weights.T, logit_gradients, out=state_gradients[silent:])
    gates = walk_back(reading.tape, state_gradients, weights.hidden_weights).gates  # n, r, z, r∘n
    in_input = np.concatenate([gates[:, HIDDEN : 3 * HIDDEN], gates[:, :HIDDEN]], axis=1)
    return reading.tape.states[silent + 1 :], in_input, gates[:, HIDDEN:]


def _products(left: Array, right: Array) -> Array:
    """Σ_t left[t, :, b] right[t, :, b]ᵀ for every b: (T, M, B), (T, N, B) → (B, M, N)."""
    products: Array = np.matmul(left.transpose(2, 1, 0), right.transpose(2, 0, 1))
    return products

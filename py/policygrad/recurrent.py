"""A gated recurrent unit (GRU), forwards and backwards, with gradients written out by hand.

One step from h to h′ with input x, gates in PyTorch's order r, z, n and with its two bias vectors:

    r = σ(W_ir x + b_ir + W_hr h + b_hr)            reset gate: how much of h the candidate sees
    z = σ(W_iz x + b_iz + W_hz h + b_hz)            update gate: how much of h stays
    n = tanh(W_in x + b_in + r ∘ (W_hn h + b_hn))   candidate
    h′ = (1 − z) ∘ n + z ∘ h

The three blocks of each weight lie below each other: `input_weights` (3H, I), `hidden_weights` (3H, H),
`input_bias` (3H,), `hidden_bias` (3H,). The reset gate multiplies b_hn too, which is why two biases are not
one. A GRU is the plain sequence of these four arrays, and so are its gradients: `clip_by_global_norm` takes
both as they are.

Public functions take the batch first. Inside, the batch comes last, (…, features, B): a gate is then a
block of memory without gaps, and weights multiply from the left as they are stored.

Source: Cho et al., arXiv:1406.1078; in this form `torch.nn.GRU`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from ._checks import Array

WEIGHTS = ("input_weights", "hidden_weights", "input_bias", "hidden_bias")


@dataclass(frozen=True, slots=True)
class GRUGradients:
    """Gradients of one number in everything that a GRU was given; each has the shape of its namesake."""

    inputs: Array
    """(B, L, I)."""
    hidden: Array
    """(B, H), in the state before the first step."""
    parameters: tuple[Array, Array, Array, Array]
    """In the four weights, summed over steps and batch."""


@dataclass(frozen=True, slots=True)
class Tape:
    """What the way forwards leaves for the way back. The batch is the last axis."""

    states: Array
    """(L + 1, H, B): `states[t]` is read by step t, `states[t + 1]` written by it."""
    gates: Array
    """(L, 3H, B): r, z, n."""
    recalled: Array
    """(L, H, B): W_hn h + b_hn, what the reset gate multiplies."""


@dataclass(frozen=True, slots=True)
class TapeGradients:
    """Gradients at the inner ends of the way back. The batch is the last axis."""

    gates: Array
    """(L, 4H, B): n, r, z, r∘n. The first three belong to W_i x + b_i, the last three to W_h h + b_h."""
    hidden: Array
    """(H, B), in the state before the first step."""


def gru_cell(parameters: Sequence[ArrayLike], inputs: ArrayLike, hidden: ArrayLike) -> Array:
    """One step of a GRU; see the equations at the top of `recurrent`.

        h′ = (1 − z) ∘ n + z ∘ h

    Args:
        parameters: input_weights (3H, I), hidden_weights (3H, H), input_bias (3H,), hidden_bias (3H,).
        inputs: (B, I) x.
        hidden: (B, H) h.
    Returns: (B, H) h′; between −1 and 1 when h is.
    Raises: ValueError on wrong shapes or non-finite numbers.
    Source: `torch.nn.GRUCell`.
    """
    x = check.finite(inputs, "inputs", ndim=2)
    network = _checked(x[:, np.newaxis], hidden, parameters)
    after: Array = _unfolded(network).states[1].T.copy()
    return after


def gru_sequence(parameters: Sequence[ArrayLike], inputs: ArrayLike, hidden: ArrayLike) -> Array:
    """A GRU along a sequence: the state after every step.

        h_{t+1} = GRU(x_t, h_t), t = 0 … L − 1

    Args:
        parameters: as `gru_cell`.
        inputs: (B, L, I) x_0 … x_{L−1}.
        hidden: (B, H) h_0.
    Returns: (B, L, H) h_1 … h_L.
    Raises: ValueError on wrong shapes or non-finite numbers.
    Source: `torch.nn.GRU`.
    """
    x = check.finite(inputs, "inputs", ndim=3)
    network = _checked(x, hidden, parameters)
    return _unfolded(network).states[1:].transpose(2, 0, 1).copy()


def gru_sequence_gradients(
    state_gradients: ArrayLike, parameters: Sequence[ArrayLike], inputs: ArrayLike, hidden: ArrayLike
) -> GRUGradients:
    """Backpropagation through time: from gradients in the states to gradients in what made them.

        ∂f/∂h_t = (∂f/∂h_t directly) + (∂h_{t+1}/∂h_t)ᵀ ∂f/∂h_{t+1}, from t = L back to 0

    Args:
        state_gradients: (B, L, H) ∂f/∂h_1 … ∂f/∂h_L, where each h_t is looked at directly.
        parameters, inputs, hidden: as `gru_sequence`.
    Returns: the gradient of f in each of them.
    Raises: ValueError on wrong shapes or non-finite numbers.
    Source: Werbos, "Backpropagation through time", 1990.
    """
    x = check.finite(inputs, "inputs", ndim=3)
    network = _checked(x, hidden, parameters)
    from_outside = check.finite(state_gradients, "state_gradients", ndim=3)
    needed = (*x.shape[:2], network.hidden.shape[0])
    if from_outside.shape != needed:
        raise ValueError(
            f"state_gradients has shape {from_outside.shape}; it must have one entry per state, {needed}"
        )
    tape = _unfolded(network)
    back = walk_back(tape, np.ascontiguousarray(from_outside.transpose(1, 2, 0)), network.hidden_weights)
    size = len(network.hidden)
    in_input = np.roll(back.gates[:, : 3 * size], -size, axis=1)  # (L, 3H, B), now r, z, n
    in_hidden = back.gates[:, size:]
    return GRUGradients(
        inputs=(network.input_weights.T @ in_input).transpose(2, 0, 1).copy(),
        hidden=back.hidden.T.copy(),
        parameters=(
            summed_products(in_input, network.inputs),
            summed_products(in_hidden, tape.states[:-1]),
            in_input.sum(axis=(0, 2)),
            in_hidden.sum(axis=(0, 2)),
        ),
    )


def blank_tape(steps: int, hidden: Array) -> Tape:
    """Room for so many steps from `hidden`, (H, B)."""
    size, batch = hidden.shape
    states = np.empty((steps + 1, size, batch))
    states[0] = hidden
    return Tape(states, np.empty((steps, 3 * size, batch)), np.empty((steps, size, batch)))


def walk(tape: Tape, t: int, from_input: Array, hidden_weights: Array, hidden_bias: Array) -> None:
    """Step t, written onto the tape.

    Args:
        from_input: (3H, B) W_i x + b_i.
        hidden_weights, hidden_bias: (3H, H) and (3H, 1).
    """
    hidden, after, gates, recalled = tape.states[t], tape.states[t + 1], tape.gates[t], tape.recalled[t]
    size = len(hidden)
    from_hidden = hidden_weights @ hidden
    from_hidden += hidden_bias
    recalled[...] = from_hidden[2 * size :]
    reset_and_update = gates[: 2 * size]
    np.add(from_input[: 2 * size], from_hidden[: 2 * size], out=reset_and_update)
    reset_and_update *= 0.5  # σ(x) = (1 + tanh(x/2))/2, which cannot overflow
    np.tanh(reset_and_update, out=reset_and_update)
    reset_and_update += 1.0
    reset_and_update *= 0.5
    candidate = gates[2 * size :]
    np.multiply(gates[:size], recalled, out=candidate)
    candidate += from_input[2 * size :]
    np.tanh(candidate, out=candidate)
    np.subtract(hidden, candidate, out=after)
    after *= gates[size : 2 * size]
    after += candidate


def walk_back(tape: Tape, state_gradients: Array, hidden_weights: Array) -> TapeGradients:
    """From gradients in the states, (L, H, B), to gradients before the gates' curves.

    What does not depend on later steps is computed for all steps at once; the loop is left with products.
    """
    steps, size, batch = state_gradients.shape
    reset, update, candidate = (tape.gates[:, i * size : (i + 1) * size] for i in range(3))
    before = tape.states[:-1]
    kept = 1.0 - update
    to_candidate = kept * (1.0 - np.square(candidate))
    to_update = (before - candidate) * update * kept
    to_reset = tape.recalled * reset * (1.0 - reset)
    gates = np.empty((steps, 4 * size, batch))
    hidden = np.zeros((size, batch))
    transposed = np.ascontiguousarray(hidden_weights.T)
    for t in range(steps - 1, -1, -1):
        hidden += state_gradients[t]
        block = gates[t]
        np.multiply(hidden, to_candidate[t], out=block[:size])
        np.multiply(block[:size], to_reset[t], out=block[size : 2 * size])
        np.multiply(hidden, to_update[t], out=block[2 * size : 3 * size])
        np.multiply(block[:size], reset[t], out=block[3 * size :])
        hidden *= update[t]
        hidden += transposed @ block[size:]
    return TapeGradients(gates, hidden)


def summed_products(left: Array, right: Array) -> Array:
    """Σ_t left[t] right[t]ᵀ: (L, M, B), (L, N, B) → (M, N)."""
    total: Array = np.matmul(left, right.transpose(0, 2, 1)).sum(axis=0)
    return total


@dataclass(frozen=True, slots=True)
class _Network:
    """Checked arguments, the batch last."""

    inputs: Array
    hidden: Array
    input_weights: Array
    hidden_weights: Array
    input_bias: Array
    hidden_bias: Array


def _checked(inputs: Array, hidden: ArrayLike, parameters: Sequence[ArrayLike]) -> _Network:
    batch, _, features = inputs.shape
    h = check.finite(hidden, "hidden", ndim=2)
    size = h.shape[1]
    if len(h) != batch:
        raise ValueError(f"hidden has shape {h.shape}; it must have one row per row of inputs, {batch}")
    shapes = ((3 * size, features), (3 * size, size), (3 * size,), (3 * size,))
    if not isinstance(parameters, (tuple, list)) or len(parameters) != len(WEIGHTS):
        raise ValueError(
            f"parameters is {check.shown(parameters)}; it must be the four arrays {', '.join(WEIGHTS)}"
        )
    arrays = []
    for number, (name, shape) in enumerate(zip(WEIGHTS, shapes, strict=True)):
        array = check.finite(parameters[number], f"parameters[{number}]")
        if array.shape != shape:
            raise ValueError(
                f"parameters[{number}] has shape {array.shape}; {name} of {features} inputs and "
                f"{size} hidden units must have shape {shape}"
            )
        arrays.append(array)
    return _Network(inputs.transpose(1, 2, 0), h.T, *arrays)


def _unfolded(network: _Network) -> Tape:
    from_input = network.input_weights @ network.inputs + network.input_bias[:, np.newaxis]  # (L, 3H, B)
    tape = blank_tape(len(from_input), network.hidden)
    bias = network.hidden_bias[:, np.newaxis]
    for t, part in enumerate(from_input):
        walk(tape, t, part, network.hidden_weights, bias)
    return tape

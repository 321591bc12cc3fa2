"""Multilayer perceptrons (MLPs), forwards and backwards, with gradients written out by hand.

    x_0 = input,  x_{l+1} = tanh(W_l x_l + b_l),  output = W_L x_L + b_L without a curve

A network is the plain tuple of its parameters (W_0, b_0, W_1, b_1, …), so that it goes into
`clip_by_global_norm` as it is. Weights are stored as (outputs, inputs), like those of `torch.nn.Linear`; data
has the batch first. Policy and value are two such networks that share nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike

    from ._checks import Array

    Parameters = tuple[Array, ...]
    """(W_0, b_0, W_1, b_1, …)."""


def orthogonal_matrix(rows: int, columns: int, *, gain: float, rng: np.random.Generator) -> Array:
    """A random matrix whose shorter side is orthonormal, times a gain: it keeps the length of signals.

        W Wᵀ = gain²·I (rows ≤ columns)  or  Wᵀ W = gain²·I (rows ≥ columns), uniform among all of them

    Args:
        rows, columns: size of W, each ≥ 1.
        gain: ≥ 0, length of each row or column of the shorter side.
        rng: source of rows·columns normal numbers.
    Returns: (rows, columns).
    Raises: ValueError on a size below 1, a gain below 0, or an `rng` that is not a generator.
    Source: Saxe et al., arXiv:1312.6120; for PPO: Huang et al., "The 37 Implementation Details", 2022.
    """
    height = check.whole(rows, "rows", at_least=1)
    width = check.whole(columns, "columns", at_least=1)
    length = check.real(gain, "gain", at_least=0)
    normal = check.generator(rng, "rng").standard_normal((max(height, width), min(height, width)))
    q, r = np.linalg.qr(normal)
    # QR is unique only with a positive diagonal; without it the signs would be the library's, not random.
    tall = length * q * np.sign(np.diag(r))
    matrix: Array = tall if height >= width else tall.T.copy()
    return matrix


def init_mlp(sizes: Sequence[int], *, gains: Sequence[float], rng: np.random.Generator) -> Parameters:
    """Parameters of a new MLP: orthogonal weights, biases 0.

        W_l orthogonal with gain_l,  b_l = 0

    Args:
        sizes: (L + 1,) inputs, units of each hidden layer, outputs: at least two numbers ≥ 1.
        gains: (L,) one per layer. PPO takes √2 for hidden layers, 0.01 for a policy's last layer, so that it
            begins with almost equal probabilities, and 1 for a value's.
        rng: source of the weights, layer after layer.
    Returns: (W_0, b_0, …, W_{L−1}, b_{L−1}), W_l of shape (sizes[l + 1], sizes[l]).
    Raises: ValueError on too few sizes, gains of another number, or numbers out of range.
    Source: Huang et al., "The 37 Implementation Details of PPO", ICLR blog track 2022, detail 2.
    """
    layers = check.finite(sizes, "sizes", ndim=1)
    lengths = check.finite(gains, "gains", ndim=1)
    if len(layers) < 2:
        raise ValueError(f"sizes has length {len(layers)}; it must have at least 2: inputs and outputs")
    if len(lengths) != len(layers) - 1:
        raise ValueError(
            f"gains has length {len(lengths)}; it must have one per layer, {len(layers) - 1}: "
            "one less than sizes"
        )
    units = [check.whole(size, f"sizes[{i}]", at_least=1) for i, size in enumerate(layers.tolist())]
    parameters: list[Array] = []
    for layer, gain in enumerate(lengths.tolist()):
        check.real(gain, f"gains[{layer}]", at_least=0)
        outputs, inputs = units[layer + 1], units[layer]
        parameters += [orthogonal_matrix(outputs, inputs, gain=gain, rng=rng), np.zeros(outputs)]
    return tuple(parameters)


def mlp(parameters: Iterable[ArrayLike], inputs: ArrayLike) -> Array:
    """Outputs of an MLP with tanh between its layers.

        x ← tanh(W x + b) for every layer but the last, W x + b for the last

    Args:
        parameters: (W_0, b_0, …), W_l (outputs, inputs) and b_l (outputs,).
        inputs: (B, I), one row per sample.
    Returns: (B, O).
    Raises: ValueError on parameters that do not fit together or to the inputs, or non-finite numbers.
    """
    network, x = _checked(parameters, inputs)
    return activations(network, x)[-1]


def mlp_gradients(
    output_gradients: ArrayLike, parameters: Iterable[ArrayLike], inputs: ArrayLike
) -> Parameters:
    """Backpropagation: from gradients in the outputs to gradients in the parameters.

        ∂f/∂W_l = Σ_batch d_l x_lᵀ,  ∂f/∂b_l = Σ_batch d_l,  d_{l−1} = (W_lᵀ d_l) ∘ (1 − x_l²)

    d_l is the gradient in layer l's W x + b, x_l what went into the layer; 1 − x² is the slope of tanh.

    Args:
        output_gradients: (B, O) ∂f/∂output. A mean over the batch has its 1/B in here already.
        parameters, inputs: as `mlp`.
    Returns: one gradient per parameter, of its shape, in the same order.
    Raises: ValueError on wrong shapes or non-finite numbers.
    Source: Rumelhart, Hinton and Williams, "Learning representations by back-propagating errors", 1986.
    """
    network, x = _checked(parameters, inputs)
    layers = activations(network, x)
    last = check.finite(output_gradients, "output_gradients", ndim=2)
    if last.shape != layers[-1].shape:
        raise ValueError(
            f"output_gradients has shape {last.shape}; it must have the shape of the outputs, "
            f"{layers[-1].shape}"
        )
    return backward(network, layers, last)


def activations(parameters: Parameters, inputs: Array) -> list[Array]:
    """[x_0, x_1, …, output], unchecked: what the way back needs."""
    layers = [inputs]
    last = len(parameters) - 2
    for i in range(0, len(parameters), 2):
        weights, bias = parameters[i], parameters[i + 1]
        linear = layers[-1] @ weights.T + bias
        layers.append(linear if i == last else np.tanh(linear))
    return layers


def backward(parameters: Parameters, layers: list[Array], output_gradients: Array) -> Parameters:
    """Gradients of the parameters, unchecked; `layers` are the `activations`."""
    gradients: list[Array] = []
    upper = output_gradients
    for i in range(len(parameters) - 2, -1, -2):
        x = layers[i // 2]
        gradients[:0] = [upper.T @ x, upper.sum(axis=0)]
        if i > 0:
            upper = (upper @ parameters[i]) * (1.0 - np.square(x))
    return tuple(gradients)


def joined(arrays: Iterable[Array]) -> Array:
    """All entries in one vector, so that an optimiser steps once for all parameters."""
    return np.concatenate([array.ravel() for array in arrays])


def split_like(vector: Array, arrays: Iterable[Array]) -> Parameters:
    """The way back from `joined`: views of the vector, shaped like the arrays."""
    parts: list[Array] = []
    start = 0
    for array in arrays:
        parts.append(vector[start : start + array.size].reshape(array.shape))
        start += array.size
    return tuple(parts)


def _checked(parameters: Iterable[ArrayLike], inputs: ArrayLike) -> tuple[Parameters, Array]:
    """Parameters and inputs that fit together, layer after layer."""
    arrays = tuple(check.arrays(parameters, "parameters"))
    if len(arrays) < 2 or len(arrays) % 2:
        raise ValueError(
            f"parameters has length {len(arrays)}; it must hold weights and bias of each layer in turn"
        )
    x = check.finite(inputs, "inputs", ndim=2)
    width = x.shape[1]
    for i in range(0, len(arrays), 2):
        weights, bias = arrays[i], arrays[i + 1]
        if weights.ndim != 2 or weights.shape[1] != width:
            raise ValueError(
                f"parameters[{i}] has shape {weights.shape}; it must have shape (outputs, {width}), "
                f"as {'inputs' if i == 0 else 'the layer before'} has {width} columns"
            )
        width = len(weights)
        if bias.shape != (width,):
            raise ValueError(f"parameters[{i + 1}] has shape {bias.shape}; it must have shape ({width},)")
    return arrays, x

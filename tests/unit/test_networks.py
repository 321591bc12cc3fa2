"""Multilayer perceptrons: a small one by hand, orthogonal weights, and parameters as one vector."""

from __future__ import annotations

import math

import numpy as np
import pytest
from expecting import close, refused

from policygrad import init_mlp, mlp, mlp_gradients, orthogonal_matrix
from policygrad.networks import joined, split_like

W0, B0 = [[1.0, -1.0]], [0.5]
W1, B1 = [[2.0], [-3.0]], [0.0, 1.0]
NETWORK = (W0, B0, W1, B1)
"""Two inputs, one hidden unit, two outputs."""


def test_a_forward_pass_by_hand() -> None:
    # 1·0.5 − 1·1 + 0.5 = 0, and tanh 0 = 0: outputs are the last biases.
    # 1·1 − 1·0.5 + 0.5 = 1: outputs are 2 tanh 1 and −3 tanh 1 + 1.
    t = math.tanh(1)
    close(mlp(NETWORK, [[0.5, 1.0], [1.0, 0.5]]), [[0, 1], [2 * t, 1 - 3 * t]], within=1e-15)


def test_a_network_without_hidden_layer_is_linear() -> None:
    close(mlp(([[2.0, 3.0]], [1.0]), [[10.0, 100.0]]), [[321.0]], within=0)


def test_a_backward_pass_by_hand() -> None:
    # Hidden unit h = tanh 1; gradient in the outputs (1, 2).
    # W₁: (1, 2)·h; b₁: (1, 2). Back: 2·1 − 3·2 = −4, times 1 − h². W₀: that times the inputs; b₀: that.
    h = math.tanh(1)
    inner = -4 * (1 - h * h)
    gradients = mlp_gradients([[1.0, 2.0]], NETWORK, [[1.0, 0.5]])
    expected = ([[inner, 0.5 * inner]], [inner], [[h], [2 * h]], [1.0, 2.0])
    for gradient, right in zip(gradients, expected, strict=True):
        close(gradient, right, within=1e-15)


def test_gradients_add_up_over_the_batch() -> None:
    rng = np.random.default_rng(0)
    network = init_mlp([3, 4, 2], gains=[1.4, 1.0], rng=rng)
    inputs, outer = rng.normal(size=(5, 3)), rng.normal(size=(5, 2))
    together = mlp_gradients(outer, network, inputs)
    one_by_one = [mlp_gradients(outer[i : i + 1], network, inputs[i : i + 1]) for i in range(5)]
    for gradient, *parts in zip(together, *one_by_one, strict=True):
        close(gradient, sum(parts), within=1e-14)


@pytest.mark.parametrize("shape", [(3, 3), (2, 5), (5, 2), (1, 4), (4, 1), (1, 1)])
def test_the_shorter_side_is_orthonormal(shape: tuple[int, int]) -> None:
    rows, columns = shape
    matrix = orthogonal_matrix(rows, columns, gain=1.5, rng=np.random.default_rng(0))
    assert matrix.shape == shape
    products = matrix @ matrix.T if rows <= columns else matrix.T @ matrix
    close(products, 2.25 * np.eye(min(shape)), within=1e-14)


def test_no_orthogonal_matrix_is_preferred() -> None:
    # Uniform means that every entry is as often above 0 as below; the sign of QR alone would not be.
    rng = np.random.default_rng(0)
    draws = np.array([orthogonal_matrix(2, 2, gain=1, rng=rng) for _ in range(2000)])
    assert np.abs((draws > 0).mean(axis=0) - 0.5).max() < 0.045  # four standard errors of 0.011
    assert abs((np.linalg.det(draws) > 0).mean() - 0.5) < 0.045  # rotations and reflections


def test_new_networks_have_their_gains_and_no_biases() -> None:
    network = init_mlp([4, 32, 2], gains=[2**0.5, 0.01], rng=np.random.default_rng(0))
    assert [array.shape for array in network] == [(32, 4), (32,), (2, 32), (2,)]
    close(network[0].T @ network[0], 2 * np.eye(4), within=1e-14)
    close(network[2] @ network[2].T, 1e-4 * np.eye(2), within=1e-14)
    assert not network[1].any()
    assert not network[3].any()


def test_a_gain_of_0_gives_zeros() -> None:
    assert not orthogonal_matrix(2, 3, gain=0, rng=np.random.default_rng(0)).any()


def test_parameters_as_one_vector_and_back() -> None:
    arrays = (np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([5.0]), np.array([[6.0, 7.0]]))
    vector = joined(arrays)
    assert vector.tolist() == [1, 2, 3, 4, 5, 6, 7]
    for part, array in zip(split_like(vector, arrays), arrays, strict=True):
        assert np.array_equal(part, array)
        assert np.shares_memory(part, vector)


def test_wrong_arguments_are_named() -> None:
    rng = np.random.default_rng(0)
    with refused("sizes has length 1; it must have at least 2: inputs and outputs"):
        init_mlp([4], gains=[1], rng=rng)
    with refused("gains has length 2; it must have one per layer, 1: one less than sizes"):
        init_mlp([4, 2], gains=[1, 1], rng=rng)
    with refused("sizes[1] is 0; it must be at least 1"):
        init_mlp([4, 0], gains=[1], rng=rng)
    with refused("gains[0] is -1; it must be at least 0"):
        init_mlp([4, 2], gains=[-1], rng=rng)
    with refused("parameters has length 3; it must hold weights and bias of each layer in turn"):
        mlp(NETWORK[:3], [[1.0, 1.0]])
    with refused("parameters has length 0; it must hold weights and bias of each layer in turn"):
        mlp((), [[1.0]])
    with refused("parameters[0] has shape (1, 2); it must have shape (outputs, 3), as inputs has 3 columns"):
        mlp(NETWORK, [[1.0, 1.0, 1.0]])
    with refused(
        "parameters[2] has shape (1, 2); it must have shape (outputs, 1), as the layer before has 1 columns"
    ):
        mlp((W0, B0, [[1.0, 2.0]], [0.0]), [[1.0, 1.0]])
    with refused("parameters[1] has shape (2,); it must have shape (1,)"):
        mlp((W0, B1, W1, B1), [[1.0, 1.0]])
    with refused("parameters[3][1] is NaN; it must be finite"):
        mlp((W0, B0, W1, [0.0, np.nan]), [[1.0, 1.0]])
    with refused("output_gradients has shape (2, 1); it must have the shape of the outputs, (1, 2)"):
        mlp_gradients([[1.0], [1.0]], NETWORK, [[1.0, 1.0]])

"""The gated recurrent unit: single gates by hand, sequences, shapes and errors."""

from __future__ import annotations

from math import exp, tanh

import numpy as np
import pytest
from expecting import close, refused

from policygrad import clip_by_global_norm, gru_cell, gru_sequence, gru_sequence_gradients

SHUT, OPEN = -1000.0, 1000.0
"""Biases at which σ is 0 or 1 in float64."""


def one_unit(
    *,
    input_weights: tuple[float, float, float] = (0, 0, 0),
    hidden_weights: tuple[float, float, float] = (0, 0, 0),
    input_bias: tuple[float, float, float] = (0, 0, 0),
    hidden_bias: tuple[float, float, float] = (0, 0, 0),
) -> list[np.ndarray]:
    """One input, one hidden unit; each tuple holds the numbers of the gates r, z, n."""
    columns = [np.array([input_weights]).T, np.array([hidden_weights]).T]
    return [*columns, np.array(input_bias), np.array(hidden_bias)]


def random_network(inputs: int, hidden: int, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    shapes = [(3 * hidden, inputs), (3 * hidden, hidden), (3 * hidden,), (3 * hidden,)]
    return [rng.normal(size=shape) for shape in shapes]


def test_without_weights_half_of_the_state_stays() -> None:
    # r = z = σ(0) = 1/2, n = tanh 0 = 0: h′ = h/2
    close(gru_cell(one_unit(), [[7.0]], [[0.8]]), [[0.4]], within=1e-15)


def test_all_three_gates_by_hand() -> None:
    parameters = one_unit(
        input_weights=(0.5, -1.0, 2.0),
        hidden_weights=(1.0, 0.4, -3.0),
        input_bias=(0.1, 0.2, 0.3),
        hidden_bias=(-0.2, 0.1, 0.7),
    )
    x, h = 0.6, -0.5
    r = 1 / (1 + exp(-(0.5 * x + 0.1 + 1.0 * h - 0.2)))
    z = 1 / (1 + exp(-(-1.0 * x + 0.2 + 0.4 * h + 0.1)))
    n = tanh(2.0 * x + 0.3 + r * (-3.0 * h + 0.7))  # r multiplies the bias 0.7 too
    close(gru_cell(parameters, [[x]], [[h]]), [[(1 - z) * n + z * h]], within=1e-15)


def test_an_open_update_gate_keeps_the_state() -> None:
    keeps = one_unit(input_weights=(1, 0, 1), input_bias=(0, OPEN, 0))
    assert gru_cell(keeps, [[3.0]], [[0.37]]).tolist() == [[0.37]]


def test_a_shut_update_gate_forgets_it() -> None:
    forgets = one_unit(input_weights=(0, 0, 1), input_bias=(0, SHUT, 0))
    close(gru_cell(forgets, [[0.5]], [[0.37]]), [[tanh(0.5)]], within=1e-15)


def test_the_reset_gate_hides_the_state_and_the_second_bias() -> None:
    base = {"hidden_weights": (0, 0, 5), "hidden_bias": (0, 0, 2)}
    hidden = one_unit(input_weights=(0, 0, 1), input_bias=(SHUT, SHUT, 0.25), **base)
    seen = one_unit(input_weights=(0, 0, 1), input_bias=(OPEN, SHUT, 0.25), **base)
    close(gru_cell(hidden, [[0.5]], [[0.1]]), [[tanh(0.75)]], within=1e-15)
    close(gru_cell(seen, [[0.5]], [[0.1]]), [[tanh(0.75 + 5 * 0.1 + 2)]], within=1e-15)


def test_a_bias_of_the_input_is_not_a_bias_of_the_state() -> None:
    in_input = gru_cell(one_unit(input_bias=(0, 0, 1)), [[0.0]], [[0.0]])
    in_state = gru_cell(one_unit(hidden_bias=(0, 0, 1)), [[0.0]], [[0.0]])
    close(in_input, [[tanh(1) / 2]], within=1e-15)
    close(in_state, [[tanh(0.5) / 2]], within=1e-15)  # r = 1/2 halves it


def test_enormous_inputs_stay_finite() -> None:
    with np.errstate(all="raise", under="ignore"):
        after = gru_cell(random_network(2, 3), [[1e300, -1e300]], [[0.5, -0.5, 0.0]])
    assert np.abs(after).max() <= 1


def test_a_sequence_is_its_cells_one_after_the_other() -> None:
    network = random_network(3, 4)
    rng = np.random.default_rng(1)
    inputs, hidden = rng.normal(size=(5, 6, 3)), rng.normal(size=(5, 4))
    states = gru_sequence(network, inputs, hidden)
    for t in range(6):
        hidden = gru_cell(network, inputs[:, t], hidden)
        close(states[:, t], hidden, within=1e-15)


def test_members_of_a_batch_do_not_meet() -> None:
    network = random_network(3, 4)
    rng = np.random.default_rng(2)
    inputs, hidden = rng.normal(size=(3, 5, 3)), rng.normal(size=(3, 4))
    together = gru_sequence(network, inputs, hidden)
    for b in range(3):
        close(together[b], gru_sequence(network, inputs[[b]], hidden[[b]])[0], within=1e-15)


def test_gradients_have_the_shapes_of_what_they_belong_to() -> None:
    network = random_network(3, 2)
    inputs, hidden = np.ones((4, 5, 3)), np.zeros((4, 2))
    gradients = gru_sequence_gradients(np.ones((4, 5, 2)), network, inputs, hidden)
    assert gradients.inputs.shape == inputs.shape
    assert gradients.hidden.shape == hidden.shape
    assert [g.shape for g in gradients.parameters] == [w.shape for w in network]
    assert clip_by_global_norm(gradients.parameters, max_norm=1.0).norm > 1


def test_a_later_input_has_no_influence_on_an_earlier_state() -> None:
    network = random_network(3, 2)
    only_first = np.zeros((1, 4, 2))
    only_first[0, 1] = 1.0
    gradients = gru_sequence_gradients(only_first, network, np.ones((1, 4, 3)), np.zeros((1, 2)))
    assert (gradients.inputs[0, :2] != 0).all()
    assert (gradients.inputs[0, 2:] == 0).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({0: np.ones((5, 3))}, "parameters[0] has shape (5, 3); input_weights of 3 inputs and 2 hidden "),
        ({1: np.ones((6, 3))}, "parameters[1] has shape (6, 3); hidden_weights of 3 inputs and 2 hidden "),
        ({2: np.ones(3)}, "parameters[2] has shape (3,); input_bias of 3 inputs and 2 hidden "),
        ({3: np.ones((6, 1))}, "parameters[3] has shape (6, 1); hidden_bias of 3 inputs and 2 hidden "),
    ],
)
def test_each_parameter_has_its_shape(change: dict[int, np.ndarray], message: str) -> None:
    network = random_network(3, 2)
    for place, value in change.items():
        network[place] = value
    shape = [(6, 3), (6, 2), (6,), (6,)][next(iter(change))]
    with refused(f"{message}units must have shape {shape}"):
        gru_cell(network, np.ones((1, 3)), np.zeros((1, 2)))


def test_errors() -> None:
    network, x, h = random_network(3, 2), np.ones((4, 5, 3)), np.zeros((4, 2))
    with refused("inputs has shape (4, 5, 3); it must have 2 axes"):
        gru_cell(network, x, h)
    with refused("inputs has shape (4, 3); it must have 3 axes"):
        gru_sequence(network, x[:, 0], h)
    with refused("hidden has shape (3, 2); it must have one row per row of inputs, 4"):
        gru_sequence(network, x, h[:3])
    with refused("state_gradients has shape (4, 5, 3); it must have one entry per state, (4, 5, 2)"):
        gru_sequence_gradients(x, network, x, h)
    with refused(
        "parameters is [1, 2]; it must be the four arrays "
        "input_weights, hidden_weights, input_bias, hidden_bias"
    ):
        gru_cell([1, 2], x[:, 0], h)
    network[1][0, 1] = np.nan
    with refused("parameters[1][0, 1] is NaN; it must be finite"):
        gru_sequence(network, x, h)

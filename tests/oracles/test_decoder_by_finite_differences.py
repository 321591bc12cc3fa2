"""Every gradient of the GRU and of the decoder against central differences of what it belongs to."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from policygrad import (
    decoder_params,
    gru_sequence,
    gru_sequence_gradients,
    masked_update,
    response_log_probs,
    response_mask,
    response_scores,
)

WIDTH = 1e-6


def slopes(function: Callable[[np.ndarray], np.ndarray], at: np.ndarray) -> np.ndarray:
    """Central differences, one entry at a time; the last axis of the result runs over the entries of `at`."""
    columns = []
    for place in np.ndindex(*at.shape):
        shift = np.zeros_like(at)
        shift[place] = WIDTH
        columns.append((function(at + shift) - function(at - shift)) / (2 * WIDTH))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize(("batch", "length", "inputs", "hidden"), [(1, 1, 1, 1), (2, 1, 3, 2), (3, 4, 2, 3)])
def test_gru(batch: int, length: int, inputs: int, hidden: int) -> None:
    rng = np.random.default_rng(batch)
    shapes = [(3 * hidden, inputs), (3 * hidden, hidden), (3 * hidden,), (3 * hidden,)]
    network = [rng.normal(size=shape) for shape in shapes]
    x, h = rng.normal(size=(batch, length, inputs)), rng.normal(size=(batch, hidden))
    weights = rng.normal(size=(batch, length, hidden))

    def value(parameters: list[np.ndarray], x: np.ndarray, h: np.ndarray) -> np.ndarray:
        return np.asarray((gru_sequence(parameters, x, h) * weights).sum())

    gradients = gru_sequence_gradients(weights, network, x, h)
    expected_x = slopes(lambda moved: value(network, moved, h), x).reshape(x.shape)
    expected_h = slopes(lambda moved: value(network, x, moved), h).reshape(h.shape)
    np.testing.assert_allclose(gradients.inputs, expected_x, atol=1e-8)
    np.testing.assert_allclose(gradients.hidden, expected_h, atol=1e-8)
    for place, array in enumerate(network):

        def moved_value(moved: np.ndarray, place: int = place) -> np.ndarray:
            return value([*network[:place], moved, *network[place + 1 :]], x, h)

        expected = slopes(moved_value, array).reshape(array.shape)
        np.testing.assert_allclose(gradients.parameters[place], expected, atol=1e-8)


TOKENS = np.array(
    [[0, 1, 4, 4, 0, 0, 0], [0, 3, 5, 6, 8, 0, 0], [0, 2, 4, 7, 1, 3, 2], [5, 8, 8, 0, 0, 0, 0]]
)
MASK = response_mask(TOKENS, [2, 2, 2, 1], eos_id=0, pad_id=0, lengths=[5, 6, 7, 1])[:, 1:]


@pytest.mark.parametrize("seed", range(3))
def test_scores_of_responses_in_all_423_parameters(seed: int) -> None:
    params = 1.5 * decoder_params(rng=np.random.default_rng(seed))
    expected = slopes(lambda moved: response_log_probs(moved, TOKENS, MASK), params)
    np.testing.assert_allclose(response_scores(params, TOKENS, MASK), expected, atol=1e-8)
    assert (expected[3] == 0).all()  # no token


def test_gradient_of_a_masked_update() -> None:
    params, advantages = decoder_params(rng=np.random.default_rng(5)), np.array([1.0, -0.5, 2.0, 3.0])
    update = masked_update(params, TOKENS, MASK, advantages, learning_rate=0.1)
    expected = slopes(
        lambda moved: np.asarray((advantages * response_log_probs(moved, TOKENS, MASK)).mean()), params
    )
    np.testing.assert_allclose(update.gradient, expected, atol=1e-8)

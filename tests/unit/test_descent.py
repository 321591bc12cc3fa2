"""Epochs of minibatches: order, norm, and the stop before the step."""

from __future__ import annotations

import math

import numpy as np
import pytest
from expecting import close

from policygrad.descent import Proposal, descend, fresh_adam, shuffled_minibatches


def indices(count: int) -> list[np.ndarray]:
    return [np.array([i]) for i in range(count)]


def test_every_epoch_sees_every_sample_once_in_a_new_order() -> None:
    pieces = list(shuffled_minibatches(10, epochs=3, minibatch_size=4, rng=np.random.default_rng(0)))
    assert [len(piece) for piece in pieces] == [4, 4, 2] * 3
    epochs = [np.concatenate(pieces[3 * i : 3 * i + 3]) for i in range(3)]
    assert all(sorted(epoch) == list(range(10)) for epoch in epochs)
    assert len({tuple(epoch) for epoch in epochs}) == 3


def test_a_minibatch_may_be_larger_than_the_batch() -> None:
    pieces = list(shuffled_minibatches(3, epochs=2, minibatch_size=100, rng=np.random.default_rng(0)))
    assert [sorted(piece) for piece in pieces] == [[0, 1, 2], [0, 1, 2]]


def test_the_gradient_is_scaled_before_the_step() -> None:
    # Norm 5 → 1: (0.6, 0.8). Adam's memory after one step is a tenth and a thousandth of what it was given.
    state = fresh_adam(np.array([1.0, 1.0]))
    result = descend(
        state,
        indices(1),
        lambda params, _: Proposal(np.array([3.0, 4.0]), 0.0),
        learning_rate=0.1,
        adam_eps=1e-8,
        max_norm=1.0,
        target_kl=None,
    )
    close(result.state.mean, [0.06, 0.08], within=1e-7)
    close(result.state.mean_square, [0.36e-3, 0.64e-3], within=1e-8)
    close(result.gradient_norm, 5.0, within=1e-15)  # as it was before
    close(result.state.params, [0.9, 0.9], within=1e-7)  # Adam's first step has the length of its rate
    close(state.params, [1.0, 1.0], within=0)


def test_without_a_bound_the_gradient_stays() -> None:
    result = descend(
        fresh_adam(np.zeros(2)),
        indices(1),
        lambda params, _: Proposal(np.array([3.0, 4.0]), 0.0),
        learning_rate=0.1,
        adam_eps=1e-8,
        max_norm=None,
        target_kl=None,
    )
    close(result.state.mean, [0.3, 0.4], within=1e-15)
    close(result.gradient_norm, 5.0, within=1e-15)


@pytest.mark.parametrize(("target_kl", "steps"), [(None, 4), (0.01, 2), (0.02, 4), (0.001, 0)])
def test_the_kl_stops_an_update_before_the_step(target_kl: float | None, steps: int) -> None:
    seen = iter([0.005, 0.012, 0.02, 0.01])  # with target 0.01 the third is above 0.015
    result = descend(
        fresh_adam(np.zeros(1)),
        indices(4),
        lambda params, _: Proposal(np.ones(1), next(seen)),
        learning_rate=0.1,
        adam_eps=1e-8,
        max_norm=None,
        target_kl=target_kl,
    )
    assert (result.steps, result.state.steps, result.stopped_early) == (steps, steps, steps < 4)
    assert math.isnan(result.gradient_norm) == (steps == 0)


def test_each_proposal_sees_the_parameters_of_the_step_before() -> None:
    seen: list[float] = []

    def propose(params: np.ndarray, chosen: np.ndarray) -> Proposal:
        seen.append(float(params[0]))
        return Proposal(np.array([1.0]), 0.0)

    descend(
        fresh_adam(np.zeros(1)),
        indices(3),
        propose,
        learning_rate=0.5,
        adam_eps=1e-12,
        max_norm=None,
        target_kl=None,
    )
    close(seen, [0.0, -0.5, -1.0], within=1e-9)  # equal gradients: every step is the rate

"""Laws of the Fisher matrix, natural gradients and steps under a KL bound."""

from __future__ import annotations

import numpy as np
import pytest
from drawing import logits_and_values, numbers
from hypothesis import given
from hypothesis import strategies as st

from policygrad import (
    conjugate_gradient,
    exact_policy_gradient,
    fisher_matrix,
    fisher_vector_product,
    kl_divergence,
    natural_gradient,
    softmax,
    trajectory_ratio,
    trust_region_step,
)

BOUNDS = st.sampled_from([1e-6, 1e-3, 0.01, 0.2, 5.0])


@given(logits_and_values())
def test_the_fisher_matrix_is_symmetric_and_never_negative(drawn: tuple[np.ndarray, np.ndarray]) -> None:
    logits, vector = drawn
    fisher = fisher_matrix(softmax(logits))
    np.testing.assert_array_equal(fisher, fisher.T)
    np.testing.assert_allclose(fisher.sum(axis=1), 0, atol=1e-14)
    assert np.linalg.eigvalsh(fisher).min() >= -1e-14
    product = fisher_vector_product(softmax(logits), vector)
    np.testing.assert_allclose(product, fisher @ vector, atol=1e-11)
    assert vector @ product >= -1e-9


@given(logits_and_values())
def test_the_natural_gradient_is_values_minus_their_mean(drawn: tuple[np.ndarray, np.ndarray]) -> None:
    logits, values = drawn
    probs, gradient = softmax(logits), exact_policy_gradient(logits, values)
    np.testing.assert_allclose(natural_gradient(probs, gradient), values - values.mean(), atol=1e-9)


@given(logits_and_values(), st.sampled_from([1e-3, 0.1, 10.0]))
def test_damped_solutions_solve(drawn: tuple[np.ndarray, np.ndarray], damping: float) -> None:
    logits, vector = drawn
    probs = softmax(logits)
    solution = natural_gradient(probs, vector, damping=damping)
    residual = fisher_matrix(probs) @ solution + damping * solution - vector
    np.testing.assert_allclose(residual, 0, atol=1e-8)


@given(logits_and_values(), BOUNDS)
def test_a_step_improves_within_its_bound_or_is_not_taken(
    drawn: tuple[np.ndarray, np.ndarray], max_kl: float
) -> None:
    logits, values = drawn
    step = trust_region_step(logits, values, max_kl=max_kl)
    divergence = kl_divergence(softmax(logits), softmax(step.logits))
    assert divergence <= max_kl
    assert step.kl == pytest.approx(divergence, abs=1e-15)
    if step.accepted:
        assert step.improvement > 0
        assert (softmax(step.logits) - softmax(logits)) @ values >= -1e-9
    else:
        np.testing.assert_array_equal(step.logits, logits)
        assert step.improvement == 0


@given(logits_and_values(), BOUNDS, st.floats(-50, 50))
def test_constants_in_logits_and_values_do_not_matter(
    drawn: tuple[np.ndarray, np.ndarray], max_kl: float, constant: float
) -> None:
    logits, values = drawn
    values = np.round(values, 1)
    first = trust_region_step(logits, values, max_kl=max_kl)
    second = trust_region_step(logits + constant, values + 2, max_kl=max_kl)
    assert first.accepted == second.accepted
    np.testing.assert_allclose(softmax(first.logits), softmax(second.logits), atol=1e-6)


@given(numbers((4, 4)), numbers(4))
def test_conjugate_gradients_solve(root: np.ndarray, vector: np.ndarray) -> None:
    matrix = root @ root.T / 100 + np.eye(4)
    solution = conjugate_gradient(matrix, vector, iterations=200)
    np.testing.assert_allclose(matrix @ solution, vector, atol=1e-6 * max(1.0, float(np.abs(vector).max())))


@given(numbers(st.integers(1, 8)))
def test_there_and_back_is_a_ratio_of_one(log_probs: np.ndarray) -> None:
    old = log_probs[::-1]
    assert trajectory_ratio(log_probs, log_probs) == 1.0
    assert trajectory_ratio(log_probs, old) * trajectory_ratio(old, log_probs) == pytest.approx(1)

"""The trust region against finite differences and dense linear algebra."""

from __future__ import annotations

import numpy as np
import pytest

from policygrad import (
    conjugate_gradient,
    exact_policy_gradient,
    fisher_matrix,
    fisher_vector_product,
    kl_divergence,
    natural_gradient,
    score,
    softmax,
    trust_region_step,
)

LOGITS = np.array([0.4, -1.2, 0.1, 2.0])
PROBS = softmax(LOGITS)


def test_the_fisher_matrix_is_the_mean_square_of_the_scores() -> None:
    expected = sum(PROBS[a] * np.outer(score(PROBS, a), score(PROBS, a)) for a in range(4))
    np.testing.assert_allclose(fisher_matrix(PROBS), expected, atol=1e-15)


def test_the_fisher_matrix_is_the_curvature_of_the_kl() -> None:
    width, hessian = 1e-4, np.zeros((4, 4))
    basis = width * np.eye(4)
    for i in range(4):
        for j in range(4):
            corners = [
                sign_i
                * sign_j
                * float(kl_divergence(PROBS, softmax(LOGITS + sign_i * basis[i] + sign_j * basis[j])))
                for sign_i in (1, -1)
                for sign_j in (1, -1)
            ]
            hessian[i, j] = sum(corners) / (4 * width**2)
    np.testing.assert_allclose(fisher_matrix(PROBS), hessian, atol=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_products_agree_with_the_matrix(seed: int) -> None:
    rng = np.random.default_rng(seed)
    probs, vectors = softmax(3 * rng.normal(size=(6, 4))), rng.normal(size=(6, 4))
    expected = np.einsum("bij,bj->bi", fisher_matrix(probs), vectors)
    np.testing.assert_allclose(fisher_vector_product(probs, vectors), expected, atol=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_the_natural_gradient_is_the_shortest_solution(seed: int) -> None:
    rng = np.random.default_rng(seed)
    logits, values = rng.normal(size=(2, 5))
    probs, gradient = softmax(logits), exact_policy_gradient(logits, values)
    solution = natural_gradient(probs, gradient)
    np.testing.assert_allclose(fisher_matrix(probs) @ solution, gradient, atol=1e-14)
    # For probabilities of one size the pseudo-inverse finds the same.
    np.testing.assert_allclose(solution, np.linalg.pinv(fisher_matrix(probs)) @ gradient, atol=1e-10)


def test_a_rare_action_is_where_the_pseudo_inverse_fails() -> None:
    logits, values = np.array([0.0, -40.0, 1.0]), np.array([0.0, 5.0, 1.0])
    probs, gradient = softmax(logits), exact_policy_gradient(logits, values)
    np.testing.assert_allclose(natural_gradient(probs, gradient), values - 2, atol=1e-12)
    assert np.abs(np.linalg.pinv(fisher_matrix(probs)) @ gradient - (values - 2)).max() > 1


@pytest.mark.parametrize("damping", [1e-6, 1e-3, 0.1, 1.0, 100.0])
@pytest.mark.parametrize("seed", range(3))
def test_damping_solves_the_damped_system(damping: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    probs, gradient = softmax(4 * rng.normal(size=6)), rng.normal(size=6)  # any gradient has a solution
    expected = np.linalg.solve(fisher_matrix(probs) + damping * np.eye(6), gradient)
    np.testing.assert_allclose(natural_gradient(probs, gradient, damping=damping), expected, rtol=1e-8)


@pytest.mark.parametrize("size", [1, 2, 5, 20])
def test_conjugate_gradients_solve_positive_systems(size: int) -> None:
    rng = np.random.default_rng(size)
    root = rng.normal(size=(size, size))
    matrix, vector = root @ root.T + np.eye(size), rng.normal(size=size)
    solution = conjugate_gradient(matrix, vector, iterations=3 * size)
    np.testing.assert_allclose(solution, np.linalg.solve(matrix, vector), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_a_small_step_gains_what_the_theory_says(seed: int) -> None:
    """For a small bound δ the gain is √(2 δ gᵀF⁻¹g), and no step of that KL gains noticeably more."""
    rng = np.random.default_rng(seed)
    logits, values = rng.normal(size=(2, 4))
    probs, gradient, bound = softmax(logits), exact_policy_gradient(logits, values), 1e-6
    step = trust_region_step(logits, values, max_kl=bound)
    best = np.sqrt(2 * bound * gradient @ natural_gradient(probs, gradient))
    assert step.kl <= bound
    # Either the full step, or half of it when the KL of the full one is just over the bound.
    shares = [share for share in (1, 0.5) if step.improvement == pytest.approx(share * best, rel=0.01)]
    assert shares
    for _ in range(200):
        direction = rng.normal(size=4)
        other = direction * np.sqrt(2 * bound / (direction @ fisher_matrix(probs) @ direction))
        assert (softmax(logits + other) - probs) @ values <= best * 1.01
    assert step.improvement == pytest.approx((softmax(step.logits) - probs) @ values, rel=1e-6)


@pytest.mark.parametrize("max_kl", [1e-4, 1e-2, 0.3])
def test_repeated_steps_reach_the_best_action(max_kl: float) -> None:
    logits, values = np.array([4.0, 0.0, -3.0]), np.array([0.0, 0.5, 1.0])
    rewards = []
    for _ in range(400):
        step = trust_region_step(logits, values, max_kl=max_kl)
        assert kl_divergence(softmax(logits), softmax(step.logits)) <= max_kl * (1 + 1e-9)
        logits = step.logits
        rewards.append(float(softmax(logits) @ values))
    assert (np.diff(rewards) >= 0).all()
    assert rewards[-1] > 0.9

"""Conjugate gradients and backtracking, by hand."""

from __future__ import annotations

import numpy as np
from expecting import close, refused

from policygrad import conjugate_gradient, fisher_matrix, fisher_vector_product, natural_gradient
from policygrad.search import Trial, backtrack

FRACTIONS = {
    1.0: Trial(0.5, 0.02),
    0.5: Trial(0.3, 0.012),
    0.25: Trial(0.1, 0.004),
    0.125: Trial(0.05, 0.001),
}


def test_first_step_of_conjugate_gradients_by_hand() -> None:
    # A = diag(1, 3), b = (1, 1): α = bᵀb / bᵀA b = 2/4, x = (½, ½)
    close(conjugate_gradient([[1, 0], [0, 3]], [1, 1], iterations=1), [0.5, 0.5])


def test_as_many_steps_as_unknowns_solve_the_system() -> None:
    # The second step ends at (1, 1/3).
    close(conjugate_gradient([[1, 0], [0, 3]], [1, 1], iterations=2), [1, 1 / 3])
    close(conjugate_gradient([[1, 0], [0, 3]], [1, 1], iterations=50), [1, 1 / 3])


def test_a_zero_vector_has_the_solution_zero() -> None:
    close(conjugate_gradient([[2.0]], [0.0]), [0.0], within=0)


def test_products_alone_are_enough() -> None:
    probs, gradient = np.array([0.5, 0.3, 0.2]), np.array([0.1, -0.12, 0.02])
    exact = natural_gradient(probs, gradient)
    by_matrix = conjugate_gradient(fisher_matrix(probs), gradient)
    by_product = conjugate_gradient(lambda v: fisher_vector_product(probs, v), gradient)
    # Solutions of a singular system differ by a multiple of (1, 1, 1).
    close(by_matrix - by_matrix.mean(), exact)
    close(by_product - by_product.mean(), exact)


def test_backtracking_wants_improvement_and_the_bound() -> None:
    assert backtrack(FRACTIONS.__getitem__, max_kl=0.01) == 0.25
    assert backtrack(FRACTIONS.__getitem__, max_kl=0.012) == 0.5  # on the bound is within it
    assert backtrack(lambda fraction: Trial(fraction - 0.6, 0.0), max_kl=0.01) == 1.0
    assert backtrack(lambda fraction: Trial(0.3 - fraction, 0.0), max_kl=0.01) == 0.25


def test_backtracking_may_find_nothing() -> None:
    assert backtrack(lambda _: Trial(0.0, 0.0), max_kl=0.01) is None  # no improvement is not one
    assert backtrack(FRACTIONS.__getitem__, max_kl=0.01, max_tries=2) is None
    assert backtrack(lambda _: Trial(float("nan"), float("nan")), max_kl=0.01) is None


def test_wrong_arguments_are_named() -> None:
    with refused("matrix has shape (1, 2); it must have shape (2, 2), as vector has length 2"):
        conjugate_gradient([[1, 0]], [1, 1])
    with refused("matrix is not equal to its transpose; it must be symmetric"):
        conjugate_gradient([[1, 2], [0, 1]], [1, 1])
    with refused("matrix gives dᵀA d = -2 along a direction d; it must be positive semi-definite"):
        conjugate_gradient([[-1, 0], [0, -1]], [1, 1])
    with refused("iterations is 0; it must be at least 1"):
        conjugate_gradient([[1]], [1], iterations=0)
    with refused("shrink is 1; it must be above 0 and below 1"):
        backtrack(FRACTIONS.__getitem__, max_kl=0.01, shrink=1)
    with refused("max_kl is 0; it must be above 0"):
        backtrack(FRACTIONS.__getitem__, max_kl=0)

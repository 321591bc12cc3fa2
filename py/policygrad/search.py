"""Finding a step: conjugate gradients for its direction, backtracking for its length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from ._checks import Array

ROUNDING = 1e-12
"""Relative size below which dᵀA d counts as 0."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What one fraction of a step would do."""

    improvement: float
    """Change of the surrogate, to be above 0."""
    kl: float
    """D_KL(π_old‖π_new) in nats, to be within the bound."""


def conjugate_gradient(
    matrix: ArrayLike | Callable[[Array], Array],
    vector: ArrayLike,
    *,
    iterations: int = 10,
    tolerance: float = 1e-10,
) -> Array:
    """Solution of A x = b from products with A alone; for networks, whose Fisher matrix is never formed.

        x ← x + α d,  r ← r − α A d,  α = ‖r‖²/(dᵀA d),  d ← r + (‖r_new‖²/‖r‖²) d,  from x = 0, r = d = b

    Args:
        matrix: A, symmetric and positive semi-definite, (P, P); or a function that gives A v for a v of (P,).
        vector: (P,) b; when A is singular it must be in the range of A.
        iterations: at most so many products, ≥ 1; P of them solve the system up to rounding.
        tolerance: stops when ‖r‖ ≤ tolerance·‖b‖, ≥ 0.
    Returns: (P,).
    Raises: ValueError on wrong shapes, non-finite numbers, a hyper-parameter out of range, or a direction
        along which dᵀA d is below 0.
    Source: Hestenes and Stiefel, 1952; in TRPO: Schulman et al., arXiv:1502.05477, appendix C.
    """
    b = check.finite(vector, "vector", ndim=1)
    rounds = check.whole(iterations, "iterations", at_least=1)
    smallest = check.real(tolerance, "tolerance", at_least=0)
    product = matrix if callable(matrix) else _product_with(matrix, b)
    x = np.zeros_like(b)
    residual = b.copy()
    direction = b.copy()
    squared = float(residual @ residual)
    goal = smallest**2 * squared
    for _ in range(rounds):
        if squared <= goal:
            break
        image = product(direction)
        curvature = float(direction @ image)
        if curvature < -ROUNDING * float(np.linalg.norm(direction) * np.linalg.norm(image)):
            raise ValueError(
                f"matrix gives dᵀA d = {check.shown(curvature)} along a direction d; "
                "it must be positive semi-definite"
            )
        if curvature <= 0:
            break
        step = squared / curvature
        x = x + step * direction
        residual = residual - step * image
        previous, squared = squared, float(residual @ residual)
        direction = residual + squared / previous * direction
    return x


def backtrack(
    attempt: Callable[[float], Trial], *, max_kl: float, shrink: float = 0.5, max_tries: int = 10
) -> float | None:
    """The first fraction of a step that improves the surrogate and keeps to the KL bound, both.

        1, shrink, shrink², …  until  improvement > 0  and  D_KL(π_old‖π_new) ≤ max_kl

    Args:
        attempt: what a fraction of the step would do.
        max_kl: bound in nats, above 0.
        shrink: above 0 and below 1.
        max_tries: ≥ 1.
    Returns: the fraction, or None when no try is good; the old policy is then kept.
    Raises: ValueError on a hyper-parameter out of range.
    Source: Schulman et al., arXiv:1502.05477, appendix C.
    """
    bound = check.real(max_kl, "max_kl", above=0)
    factor = check.real(shrink, "shrink", above=0, below=1)
    fraction = 1.0
    for _ in range(check.whole(max_tries, "max_tries", at_least=1)):
        trial = attempt(fraction)
        if trial.improvement > 0 and trial.kl <= bound:
            return fraction
        fraction *= factor
    return None


def _product_with(matrix: ArrayLike, vector: Array) -> Callable[[Array], Array]:
    """v ↦ A v for a checked square matrix."""
    a = check.finite(matrix, "matrix", ndim=2)
    size = len(vector)
    if a.shape != (size, size):
        raise ValueError(
            f"matrix has shape {a.shape}; it must have shape {(size, size)}, as vector has length {size}"
        )
    if np.abs(a - a.T).max() > 1e-9 * np.abs(a).max():
        raise ValueError("matrix is not equal to its transpose; it must be symmetric")
    return lambda v: a @ v

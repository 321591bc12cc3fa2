"""Adam as a pure function: state in, state out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._checks import Array


@dataclass(frozen=True, slots=True)
class AdamUpdate:
    """Parameters and moments after one Adam step."""

    params: Array
    """Parameters after the step."""
    mean: Array
    """Running mean m of the gradients, before its bias correction."""
    mean_square: Array
    """Running mean v of their squares, before its bias correction."""


def adam_update(
    params: ArrayLike,
    gradient: ArrayLike,
    mean: ArrayLike,
    mean_square: ArrayLike,
    *,
    step: int,
    learning_rate: float,
    beta_1: float = 0.9,
    beta_2: float = 0.999,
    eps: float = 1e-8,
) -> AdamUpdate:
    """One step of Adam down a gradient; for an objective to be maximised give its negative gradient.

        m ← β₁ m + (1 − β₁) g,  v ← β₂ v + (1 − β₂) g²
        θ ← θ − learning_rate · m̂ / (√v̂ + eps),  m̂ = m/(1 − β₁^step),  v̂ = v/(1 − β₂^step)

    Args:
        params: (…) θ.
        gradient: same shape, g of the loss.
        mean, mean_square: same shape, m and v ≥ 0 of the steps before; zeros before the first.
        step: number of this step, from 1.
        learning_rate: ≥ 0; a step moves no parameter much further than this.
        beta_1, beta_2: from 0 to below 1.
        eps: above 0. Added to the corrected root, as in PyTorch; PPO implementations often take 1e-5.
    Returns: new arrays.
    Raises: ValueError on unequal shapes, non-finite numbers or a hyper-parameter out of range.
    Source: Kingma and Ba, arXiv:1412.6980, algorithm 1.
    """
    theta = check.finite(params, "params")
    g = check.finite(gradient, "gradient")
    m = check.finite(mean, "mean")
    v = check.non_negative_entries(mean_square, "mean_square")
    for array, name in ((g, "gradient"), (m, "mean"), (v, "mean_square")):
        check.same_shape(array, name, theta, "params")
    count = check.whole(step, "step", at_least=1)
    rate = check.real(learning_rate, "learning_rate", at_least=0)
    decay_1 = check.real(beta_1, "beta_1", at_least=0, below=1)
    decay_2 = check.real(beta_2, "beta_2", at_least=0, below=1)
    offset = check.real(eps, "eps", above=0)
    m = decay_1 * m + (1 - decay_1) * g
    v = decay_2 * v + (1 - decay_2) * np.square(g)
    corrected = m / (1 - decay_1**count)
    root = np.sqrt(v / (1 - decay_2**count))
    return AdamUpdate(params=theta - rate * corrected / (root + offset), mean=m, mean_square=v)

"""What surrounds the surrogate in an update: value loss, KL coefficient, schedule and the gradient's norm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike

    from ._checks import Array

NORM_OFFSET = 1e-6
"""Added to the norm before the division, as PyTorch's `clip_grad_norm_` does."""
KL_ERROR_LIMIT = 0.2
"""The relative KL error that one step of the adaptive coefficient reacts to at most."""


@dataclass(frozen=True, slots=True)
class ClippedGradients:
    """Gradients after `clip_by_global_norm`."""

    gradients: tuple[Array, ...]
    """Scaled copies, in the order given."""
    norm: float
    """Norm of all arrays together before scaling."""


def value_loss(
    values: ArrayLike,
    targets: ArrayLike,
    *,
    old_values: ArrayLike | None = None,
    value_clip: float | None = None,
) -> float:
    """Half the mean squared error of the values, to be minimised.

        ½ mean (v − R)²,   clipped:  ½ mean max((v − R)², (v_old + clip(v − v_old, ±c) − R)²)

    Args:
        values: (…) predictions v.
        targets: same shape, regression targets R.
        old_values: same shape, the predictions stored at the rollout; together with `value_clip` only.
        value_clip: c ≥ 0, how far a prediction may move from the old one; depends on the rewards' scale.
    Raises: ValueError on unequal shapes, non-finite numbers, or one of the last two without the other.
    Source: clipping as in Huang et al., "The 37 Implementation Details of PPO", ICLR blog track 2022.
    """
    values = check.finite(values, "values")
    targets = check.finite(targets, "targets")
    check.same_shape(targets, "targets", values, "values")
    errors = np.square(values - targets)
    if old_values is None and value_clip is None:
        return 0.5 * float(np.mean(errors))
    if old_values is None:
        raise ValueError("old_values is None; it must be given together with value_clip")
    if value_clip is None:
        raise ValueError("value_clip is None; it must be given together with old_values")
    width = check.real(value_clip, "value_clip", at_least=0)
    old = check.finite(old_values, "old_values")
    check.same_shape(old, "old_values", values, "values")
    moved = old + np.clip(values - old, -width, width)
    return 0.5 * float(np.mean(np.maximum(errors, np.square(moved - targets))))


def adaptive_kl_coef(
    kl_coef: float, observed_kl: float, *, target: float, horizon: float, num_steps: float
) -> float:
    """The KL coefficient after a step: larger when the observed KL is above its target.

        β ← β (1 + clip(KL/target − 1, ±0.2) · num_steps/horizon)

    Args:
        kl_coef: β ≥ 0.
        observed_kl: a KL estimate in nats; a sampled one may be below 0.
        target, horizon: above 0.
        num_steps: samples since the last change, ≥ 0; at most 5·horizon keeps β from changing its sign.
    Raises: ValueError on non-finite numbers or a hyper-parameter out of range.
    Source: Ziegler et al., arXiv:1909.08593, section 2.2.
    """
    beta = check.real(kl_coef, "kl_coef", at_least=0)
    observed = check.real(observed_kl, "observed_kl")
    goal = check.real(target, "target", above=0)
    share = check.real(num_steps, "num_steps", at_least=0) / check.real(horizon, "horizon", above=0)
    error = min(max(observed / goal - 1.0, -KL_ERROR_LIMIT), KL_ERROR_LIMIT)
    return beta * (1.0 + error * share)


def linear_schedule(initial: float, num_updates: int) -> Array:
    """A hyper-parameter that falls in equal steps: the full value first, 0 just after the last update.

        initial · (1 − i/num_updates), i = 0 … num_updates − 1

    Args:
        initial: finite value of the first update.
        num_updates: whole number ≥ 1.
    Returns: (num_updates,).
    Raises: ValueError on a non-finite `initial` or a `num_updates` below 1.
    """
    start = check.real(initial, "initial")
    count = check.whole(num_updates, "num_updates", at_least=1)
    return start * (1.0 - np.arange(count) / count)


def explained_variance(values: ArrayLike, targets: ArrayLike) -> float:
    """How much of the targets' variance the values explain: 1 is all of it, 0 no more than a constant.

        1 − Var(targets − values) / Var(targets)

    Args:
        values: (…) predictions.
        targets: same shape.
    Returns: at most 1, NaN when all targets are equal.
    Raises: ValueError on unequal shapes or non-finite numbers.
    """
    values = check.finite(values, "values")
    targets = check.finite(targets, "targets")
    check.same_shape(targets, "targets", values, "values")
    total = _variance(targets)
    return 1.0 - _variance(targets - values) / total if total > 0 else float("nan")


def clip_by_global_norm(gradients: Iterable[ArrayLike], *, max_norm: float) -> ClippedGradients:
    """Gradients made shorter together, so that their common norm is at most `max_norm`.

        g ← g · min(1, max_norm / (‖g‖ + 1e-6)), ‖g‖ over all entries of all arrays

    Args:
        gradients: arrays of any shapes, at least one.
        max_norm: above 0.
    Returns: copies (the arrays given are not changed) and the norm before.
    Raises: ValueError on no arrays, an empty one, non-finite numbers, or `max_norm` not above 0.
    Source: `torch.nn.utils.clip_grad_norm_`.
    """
    limit = check.real(max_norm, "max_norm", above=0)
    arrays = check.arrays(gradients, "gradients")
    if not arrays:
        raise ValueError("gradients is empty; it must hold at least one array")
    # Squares of numbers divided by the largest cannot overflow or vanish.
    largest = max(float(np.abs(g).max()) for g in arrays)
    norm = 0.0
    if largest > 0:
        norm = largest * float(np.sqrt(sum(float(np.square(g / largest).sum()) for g in arrays)))
    scale = min(1.0, limit / (norm + NORM_OFFSET))
    return ClippedGradients(gradients=tuple(g * scale for g in arrays), norm=norm)


def _variance(array: Array) -> float:
    """Population variance, exactly 0 for equal entries: the mean of three 0.1 is not 0.1 in floats."""
    return 0.0 if array.min() == array.max() else float(np.var(array))

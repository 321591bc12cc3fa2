"""What every function of token values does first: check the shapes, and put zeros where the mask is 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check
from .surrogate import LOG_RATIO_LIMIT

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._checks import Array, Mask


def token_mask(mask: ArrayLike) -> Mask:
    """The mask as booleans, (B, L − 1)."""
    valid = check.mask(mask, "mask")
    if valid.ndim != 2:
        raise ValueError(f"mask has shape {valid.shape}; it must have two axes, (responses, tokens)")
    return valid


def masked(values: ArrayLike, name: str, valid: Mask) -> Array:
    """Token values of the mask's shape, 0 outside it."""
    array = check.numbers(values, name)
    check.same_shape(array, name, valid, "mask")
    return check.finite_where(array, name, valid)


def token_log_ratios(log_probs: ArrayLike, old_log_probs: ArrayLike, valid: Mask) -> Array:
    """log π_θ − log π_old at valid tokens, 0 elsewhere."""
    return masked(log_probs, "log_probs", valid) - masked(old_log_probs, "old_log_probs", valid)


def limited_exp(log_ratios: Array) -> Array:
    """exp of log-ratios limited to ±700: a finite ratio above 0."""
    return np.exp(np.clip(log_ratios, -LOG_RATIO_LIMIT, LOG_RATIO_LIMIT))


def per_response(values: ArrayLike, name: str, valid: Mask, *, read: Mask | None = None) -> Array:
    """(B,) numbers; only those in `read` must be finite."""
    array = check.numbers(values, name)
    if array.shape != valid.shape[:1]:
        raise ValueError(
            f"{name} has shape {array.shape}; it must have one entry per row of mask, {valid.shape[:1]}"
        )
    return check.finite(array, name) if read is None else check.finite_where(array, name, read)


def response_means(values: Array, valid: Mask) -> Array:
    """(B,) mean over the valid tokens of each response, 0 without any."""
    means: Array = values.sum(axis=1) / np.maximum(valid.sum(axis=1), 1)
    return means

"""Checks of arguments: a mistake is a ValueError that names the argument, what it was and what it must be.

Each function returns its argument in the form that the arithmetic needs (float64 arrays, Python floats and
integers, boolean masks), so that a checked line is also the converting line. Inputs are never changed: a
returned array may be the caller's own and is only ever read.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    from numpy.typing import ArrayLike, NDArray

    Array: TypeAlias = NDArray[np.float64]
    """float64 numbers. A function of arrays gives a NumPy float where the result has no axis left."""
    Mask: TypeAlias = NDArray[np.bool_]

LOWEST_PROBABILITY = -1e-12
"""Rounding may leave a probability this far below 0; it is read as 0."""
SUM_TOLERANCE = 1e-9
"""How far the sum of a distribution may be from 1."""
LARGEST_EXACT = 2**53
"""Integers up to here are floats without rounding."""


def shown(value: object) -> str:
    """A value as an error message quotes it: short, with NaN and infinity in words a reader knows."""
    if isinstance(value, (float, np.floating)):
        number = float(value)
        if math.isnan(number):
            return "NaN"
        if math.isinf(number):
            return "infinity" if number > 0 else "-infinity"
        return f"{number:.12g}"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def numbers(value: ArrayLike, name: str, *, ndim: int | None = None) -> Array:
    """`value` as a float64 array that is not empty, with `ndim` axes when that is given."""
    try:
        raw = np.asarray(value)
    except ValueError:  # rows of unequal length
        raise ValueError(f"{name} has rows of unequal length; it must be a rectangular array") from None
    if np.ma.is_masked(value):  # NumPy would hand out what is under the mask
        raise ValueError(f"{name} is a masked array; fill it, or give the mask as an argument of its own")
    if raw.dtype.kind not in "biuf":
        needed = "a real number" if ndim == 0 else "real numbers"
        raise ValueError(f"{name} is {shown(value)}; it must be {needed}")
    if raw.size == 0:
        raise ValueError(f"{name} is empty, shape {raw.shape}; it must hold at least one number")
    if ndim is not None and raw.ndim != ndim:
        axes = "no axis (a single number)" if ndim == 0 else "one axis" if ndim == 1 else f"{ndim} axes"
        raise ValueError(f"{name} has shape {raw.shape}; it must have {axes}")
    return raw.astype(np.float64, copy=False)


def _place(name: str, wrong: Mask) -> tuple[str, tuple[int, ...]]:
    """The name of the first wrong entry, such as `rewards[2]`, and its index."""
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    return (f"{name}[{', '.join(map(str, index))}]" if index else name), index


def finite(value: ArrayLike, name: str, *, ndim: int | None = None) -> Array:
    """`value` as a float64 array without NaN and infinity."""
    array = numbers(value, name, ndim=ndim)
    valid = np.isfinite(array)
    if not valid.all():
        place, index = _place(name, ~valid)
        raise ValueError(f"{place} is {shown(array[index])}; it must be finite")
    return array


def finite_where(value: ArrayLike, name: str, where: Mask) -> Array:
    """`value` with zeros where the mask is false; only the entries inside the mask must be finite."""
    array = numbers(value, name)
    same_shape(array, name, where, "its mask")
    return finite(np.where(where, array, 0.0), name)


def non_negative_entries(value: ArrayLike, name: str) -> Array:
    """`value` as a finite array without an entry below 0."""
    array = finite(value, name)
    if array.min() < 0:
        place, index = _place(name, array < 0)
        raise ValueError(f"{place} is {shown(array[index])}; it must not be below 0")
    return array


def mask(value: ArrayLike, name: str) -> Mask:
    """`value`, made of booleans or of zeros and ones, as a boolean array."""
    if (
        isinstance(value, np.ndarray)
        and value.dtype == np.bool_
        and value.size
        and not np.ma.is_masked(value)
    ):
        return value
    array = numbers(value, name)
    wrong = (array != 0) & (array != 1)
    if wrong.any():
        place, index = _place(name, wrong)
        raise ValueError(f"{place} is {shown(array[index])}; it must be 0 or 1")
    ones: Mask = array == 1
    return ones


def probabilities(value: ArrayLike, name: str) -> Array:
    """Distributions over the last axis: finite, not below -1e-12 (read as 0), summing to 1 within 1e-9."""
    array = finite(value, name)
    if array.ndim == 0:
        raise ValueError(f"{name} is {shown(array[()])}; it must be an array of probabilities")
    if array.min() < LOWEST_PROBABILITY:
        place, index = _place(name, array < LOWEST_PROBABILITY)
        raise ValueError(f"{place} is {shown(array[index])}; a probability must not be below 0")
    sums = np.asarray(array.sum(axis=-1))
    wrong = np.abs(sums - 1) > SUM_TOLERANCE
    if wrong.any():
        place, index = _place(name, wrong)
        raise ValueError(f"{place} sums to {shown(sums[index])}; probabilities must sum to 1 within 1e-9")
    return np.maximum(array, 0.0)


def logits(value: ArrayLike, name: str = "logits") -> Array:
    """Scores over the last axis: finite, or -infinity for an unavailable action, but not for all."""
    array = numbers(value, name)
    if array.ndim == 0:
        raise ValueError(f"{name} is {shown(array[()])}; it must be an array of logits")
    wrong = np.isnan(array) | (array == np.inf)
    if wrong.any():
        place, index = _place(name, wrong)
        raise ValueError(f"{place} is {shown(array[index])}; a logit must be finite or -infinity")
    none_left = np.asarray(array.max(axis=-1) == -np.inf)
    if none_left.any():
        place, _ = _place(name, none_left)
        raise ValueError(f"{place} is -infinity for every action; at least one logit must be finite")
    return array


def indices(value: ArrayLike, name: str, *, size: int) -> NDArray[np.intp]:
    """Whole numbers from 0 to `size - 1`."""
    array = finite(value, name)
    wrong = (array != np.floor(array)) | (array < 0) | (array >= size)
    if wrong.any():
        place, index = _place(name, wrong)
        raise ValueError(f"{place} is {shown(array[index])}; it must be a whole number from 0 to {size - 1}")
    return array.astype(np.intp)


def same_shape(first: NDArray[Any], first_name: str, second: NDArray[Any], second_name: str) -> None:
    """Both arrays must have one shape: (N,) beside (N, 1) would silently become (N, N)."""
    if first.shape != second.shape:
        raise ValueError(
            f"{first_name} has shape {first.shape}; it must have the shape of {second_name}, {second.shape}"
        )


def same_shape_or_number(
    first: NDArray[Any], first_name: str, second: NDArray[Any], second_name: str
) -> None:
    """Both arrays must have one shape, or one of them is a single number that goes with every entry."""
    if first.ndim and second.ndim:
        same_shape(first, first_name, second, second_name)


def real(
    value: float,
    name: str,
    *,
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    below: float | None = None,
) -> float:
    """One finite number inside its limits, as a Python float."""
    if type(value) is float or (type(value) is int and abs(value) < LARGEST_EXACT):
        number = float(value)  # the usual case, without a detour through an array
    else:
        number = float(numbers(value, name, ndim=0))
    low_enough = (at_most is None or number <= at_most) and (below is None or number < below)
    high_enough = (at_least is None or number >= at_least) and (above is None or number > above)
    if low_enough and high_enough and math.isfinite(number):
        return number
    limits = {"at least": at_least, "above": above, "at most": at_most, "below": below}
    words = [f"{word} {shown(limit)}" for word, limit in limits.items() if limit is not None]
    if not math.isfinite(number):
        words.insert(0, "finite")
    raise ValueError(f"{name} is {shown(number)}; it must be {' and '.join(words)}")


def whole(value: int, name: str, *, at_least: int | None = None, at_most: int | None = None) -> int:
    """One whole number inside its limits, as a Python integer."""
    number = real(value, name, at_least=at_least, at_most=at_most)
    if number != math.floor(number):
        raise ValueError(f"{name} is {shown(number)}; it must be a whole number")
    if abs(number) > LARGEST_EXACT:
        raise ValueError(f"{name} is {shown(number)}; a whole number must be at most {LARGEST_EXACT} in size")
    return int(number)


def arrays(value: Iterable[ArrayLike], name: str) -> list[Array]:
    """A sequence of finite arrays of any shapes, such as the parameters of a network."""
    if isinstance(value, str) or not np.iterable(value):
        raise ValueError(f"{name} is {shown(value)}; it must be a sequence of arrays")
    return [finite(entry, f"{name}[{i}]") for i, entry in enumerate(value)]


def option(value: str, name: str, choices: Sequence[str]) -> str:
    """One of the named options."""
    if not isinstance(value, str) or value not in choices:
        quoted = [f'"{choice}"' for choice in choices]
        words = quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
        raise ValueError(f"{name} is {shown(value)}; it must be {words}")
    return value


def generator(value: np.random.Generator, name: str) -> np.random.Generator:
    """The source of random numbers, always the caller's own."""
    if not isinstance(value, np.random.Generator):
        raise ValueError(f"{name} is {shown(value)}; it must be a np.random.Generator")
    return value


def unwrapped(array: Array) -> Array:
    """The array itself, or its NumPy float when it has no axis left."""
    result: Array = array[()]
    return result

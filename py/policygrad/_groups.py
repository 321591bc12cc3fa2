"""Means and standard deviations within groups, exact where it matters.

Numbers are flat arrays; `index` says which group an entry belongs to, and `counts` how large each group is.
Every mean is taken of differences from one member of the group. Equal members then give exactly 0, which
x − mean(x) does not: the mean of three 0.1 is 0.10000000000000002.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._checks import Array


@dataclass(frozen=True, slots=True)
class Groups:
    """Which entries belong together."""

    index: NDArray[np.intp]
    """(n,) number of the group of each entry."""
    counts: NDArray[np.intp]
    """(groups,) how many entries each group has, at least one."""


def one_group(size: int) -> Groups:
    """All entries together."""
    return Groups(np.zeros(size, dtype=np.intp), np.array([size], dtype=np.intp))


def reward_groups(rewards: Array, group_ids: ArrayLike | None) -> Groups:
    """Groups of `rewards`: those with one id, or, without ids, each row of the last axis."""
    if rewards.ndim == 0:
        raise ValueError(f"rewards is {check.shown(rewards[()])}; it must be an array of rewards")
    if group_ids is None:
        size = rewards.shape[-1]
        rows = rewards.size // size
        return Groups(np.repeat(np.arange(rows), size), np.full(rows, size, dtype=np.intp))
    ids = check.finite(group_ids, "group_ids")
    check.same_shape(ids, "group_ids", rewards, "rewards")
    _, index, counts = np.unique(ids.ravel(), return_inverse=True, return_counts=True)
    return Groups(index, counts)


def centred(values: Array, groups: Groups) -> Array:
    """values − mean of their group; exactly 0 throughout a group of equal values or of one."""
    member = np.empty(len(groups.counts))
    member[groups.index] = values
    relative = values - member[groups.index]
    means = np.bincount(groups.index, weights=relative) / groups.counts
    deviations: Array = relative - means[groups.index]
    return deviations


def standardised(values: Array, groups: Groups, *, ddof: int, eps: float, common: bool = False) -> Array:
    """(values − mean)/(std + eps) within groups; exactly 0 throughout a group of equal values or of one.

    With `common` the standard deviation is that of all values together, whatever their group.
    """
    deviations = centred(values, groups)
    if common:
        everyone = one_group(len(values))
        stds = _standard_deviations(centred(values, everyone), everyone, ddof)[everyone.index]
    else:
        stds = _standard_deviations(deviations, groups, ddof)[groups.index]
    divisors = stds + eps
    return np.divide(deviations, divisors, out=np.zeros_like(deviations), where=divisors > 0)


def _standard_deviations(deviations: Array, groups: Groups, ddof: int) -> Array:
    """(groups,) from differences to the groups' means."""
    # Squares of numbers divided by the largest of the group cannot overflow or vanish.
    largest = np.zeros(len(groups.counts))
    np.maximum.at(largest, groups.index, np.abs(deviations))
    scale = np.where(largest > 0, largest, 1.0)
    squares = np.bincount(groups.index, weights=np.square(deviations / scale[groups.index]))
    stds: Array = scale * np.sqrt(squares / np.maximum(groups.counts - ddof, 1))
    return stds

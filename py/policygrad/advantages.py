"""Advantage estimates from a rollout with two masks, time first.

Arrays are (T,) or (T, N): row t holds step t of each of N environments, for t in [0, T). Two questions are
kept apart. `terminated`: did the task end, so that nothing follows and no value may be added? `trace_cut`:
does row t + 1 belong to something else, so that no estimate may flow back over the border? A time limit or
the end of the rollout cuts the trace and still has a value after it. `next_values` are values of the states
that the actions led to, before any reset: at the end of an episode those of its final observation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from . import _checks as check
from ._groups import one_group, standardised

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._checks import Array, Mask


class _Steps(NamedTuple):
    """Checked rewards and values of one shape."""

    rewards: Array
    values: Array
    next_values: Array
    """V(s′), and 0 where the task ended."""
    terminated: Mask


def td_errors(
    rewards: ArrayLike, values: ArrayLike, next_values: ArrayLike, terminated: ArrayLike, *, gamma: float
) -> Array:
    """One-step temporal-difference errors, in reward units.

        δ_t = r_t + γ (1 − terminated_t) V(s′_t) − V(s_t)

    Args:
        rewards: (T,) or (T, N) reward after action t, for t in [0, T).
        values: same shape, V(s_t).
        next_values: same shape, V of the state that action t led to, before any reset; not read where
            `terminated`, so it may be anything there.
        terminated: same shape, 1 where the task ended; a time limit is not an end.
        gamma: discount γ from 0 to 1.
    Returns: same shape.
    Raises: ValueError on unequal shapes, non-finite numbers or γ out of range.
    Source: Schulman et al., arXiv:1506.02438, section 3; time limits: Pardo et al., arXiv:1712.00378.
    """
    steps = _steps(rewards, values, next_values, terminated)
    return _deltas(steps, check.real(gamma, "gamma", at_least=0, at_most=1))


def n_step_advantages(
    rewards: ArrayLike,
    values: ArrayLike,
    next_values: ArrayLike,
    terminated: ArrayLike,
    trace_cut: ArrayLike,
    *,
    gamma: float,
    n: int,
) -> Array:
    """Advantages from n rewards and the value after them, in reward units.

        Â_t = Σ_{k<m} γ^k r_{t+k} + γ^m (1 − terminated_{t+m−1}) V(s′_{t+m−1}) − V(s_t)

    m = n, or less where a trace cut comes first: the window ends with the row that is cut.

    Args:
        rewards, values, next_values, terminated, gamma: as `td_errors`.
        trace_cut: same shape, 1 where row t + 1 is not the continuation of row t; the last row is always cut.
        n: how many rewards at most, ≥ 1.
    Returns: same shape.
    Raises: ValueError as `td_errors`, on n below 1, and on a terminated step that is not cut.
    Source: Sutton and Barto, "Reinforcement Learning", 2nd edition, section 7.1.
    """
    steps = _steps(rewards, values, next_values, terminated)
    cut = _cuts(trace_cut, steps.terminated, last_is_cut=True)
    discount = check.real(gamma, "gamma", at_least=0, at_most=1)
    length = min(check.whole(n, "n", at_least=1), len(cut))
    one_step = steps.rewards + discount * steps.next_values
    returns = one_step
    for _ in range(length - 1):  # from returns of k steps to those of k + 1
        longer = one_step.copy()
        continued = steps.rewards[:-1] + discount * returns[1:]
        longer[:-1] = np.where(cut[:-1], one_step[:-1], continued)
        if np.array_equal(longer, returns):  # every window has reached its cut
            break
        returns = longer
    return returns - steps.values


def generalized_advantages(
    rewards: ArrayLike,
    values: ArrayLike,
    next_values: ArrayLike,
    terminated: ArrayLike,
    trace_cut: ArrayLike,
    *,
    gamma: float,
    gae_lambda: float,
    next_advantage: ArrayLike | None = None,
) -> Array:
    """Generalised advantage estimates (GAE), in reward units.

        Â_t = δ_t + γ λ (1 − trace_cut_t) Â_{t+1},   δ_t as in `td_errors`

    Args:
        rewards, values, next_values, terminated, gamma: as `td_errors`.
        trace_cut: same shape, 1 where row t + 1 is not the continuation of row t: a terminated step, a time
            limit, the end of the rollout. The last row is cut in any case unless `next_advantage` is given.
        gae_lambda: λ from 0 (the TD error) to 1 (the whole return minus the value).
        next_advantage: () or (N,), Â_T of the rows that continue these, for a rollout in pieces.
    Returns: same shape.
    Raises: ValueError as `td_errors`, on λ out of range, and on a terminated step that is not cut.
    Source: Schulman et al., arXiv:1506.02438, equation 16.
    """
    steps = _steps(rewards, values, next_values, terminated)
    cut = _cuts(trace_cut, steps.terminated, last_is_cut=next_advantage is None)
    discount = check.real(gamma, "gamma", at_least=0, at_most=1)
    decay = discount * check.real(gae_lambda, "gae_lambda", at_least=0, at_most=1)
    deltas = _deltas(steps, discount)
    kept = np.where(cut, 0.0, decay)
    following = np.zeros(deltas.shape[1:])
    if next_advantage is not None:
        following = _carried(next_advantage, needed=~cut[-1])
    advantages = np.empty_like(deltas)
    # One multiplication and one addition per time step, each over all environments.
    for t in reversed(range(len(deltas))):
        following = deltas[t] + kept[t] * following
        advantages[t] = following
    return advantages


def value_targets(values: ArrayLike, advantages: ArrayLike) -> Array:
    """What the values are trained towards: with GAE advantages these are λ-returns, in reward units.

        target_t = V_old(s_t) + Â_t

    Args:
        values: (…) the values that the advantages were computed with.
        advantages: same shape, before any normalisation.
    Returns: same shape.
    Raises: ValueError on unequal shapes or non-finite numbers.
    """
    old = check.finite(values, "values")
    estimates = check.finite(advantages, "advantages")
    check.same_shape(estimates, "advantages", old, "values")
    return check.unwrapped(old + estimates)


def normalize_advantages(
    advantages: ArrayLike, *, mask: ArrayLike | None = None, ddof: int = 0, eps: float = 1e-8
) -> Array:
    """Advantages with mean 0 and standard deviation 1 over the valid entries: numbers without unit.

        Â ← (Â − mean(Â)) / (std(Â) + eps),   std with n − ddof in the denominator

    Args:
        advantages: (…) any shape; what lies outside the mask is not read.
        mask: same shape, 1 at valid entries; every entry is valid when not given.
        ddof: 0 for the population's standard deviation; 1 for the sample's, as PyTorch has it.
        eps: added to the standard deviation, ≥ 0.
    Returns: same shape; 0 outside the mask; exactly 0 throughout when the valid entries are equal or one.
    Raises: ValueError on unequal shapes, a non-finite valid entry, or a hyper-parameter out of range.
    """
    array = check.numbers(advantages, "advantages")
    valid = np.ones(array.shape, dtype=np.bool_) if mask is None else check.mask(mask, "mask")
    array = check.finite_where(array, "advantages", valid)
    free = check.whole(ddof, "ddof", at_least=0, at_most=1)
    offset = check.real(eps, "eps", at_least=0)
    normalised = np.zeros_like(array)
    chosen = array[valid]
    if chosen.size:
        normalised[valid] = standardised(chosen, one_group(chosen.size), ddof=free, eps=offset)
    return normalised


def _steps(rewards: ArrayLike, values: ArrayLike, next_values: ArrayLike, terminated: ArrayLike) -> _Steps:
    earned = check.finite(rewards, "rewards")
    if earned.ndim not in (1, 2):
        raise ValueError(f"rewards has shape {earned.shape}; it must have shape (T,) or (T, N), time first")
    before = check.finite(values, "values")
    check.same_shape(before, "values", earned, "rewards")
    ended = check.mask(terminated, "terminated")
    check.same_shape(ended, "terminated", earned, "rewards")
    after = check.numbers(next_values, "next_values")
    check.same_shape(after, "next_values", earned, "rewards")
    return _Steps(earned, before, check.finite_where(after, "next_values", ~ended), ended)


def _deltas(steps: _Steps, gamma: float) -> Array:
    # next_values are 0 already where the task ended.
    deltas: Array = steps.rewards + gamma * steps.next_values - steps.values
    return deltas


def _cuts(trace_cut: ArrayLike, terminated: Mask, *, last_is_cut: bool) -> Mask:
    cut = check.mask(trace_cut, "trace_cut")
    check.same_shape(cut, "trace_cut", terminated, "rewards")
    if last_is_cut:
        cut = cut.copy()
        cut[-1] = True
    leaking = terminated & ~cut
    if leaking.any():
        place = ", ".join(str(i) for i in np.argwhere(leaking)[0])
        raise ValueError(
            f"trace_cut[{place}] is 0 where terminated[{place}] is 1; it must be 1: "
            "nothing after the end of the task may flow back over it"
        )
    return cut


def _carried(next_advantage: ArrayLike, *, needed: Mask) -> Array:
    """Â_T for each environment, read only where the last row is not cut."""
    carried = check.numbers(next_advantage, "next_advantage")
    if carried.shape != needed.shape:
        raise ValueError(
            f"next_advantage has shape {carried.shape}; "
            f"it must have the shape of one row of rewards, {needed.shape}"
        )
    return check.finite_where(carried, "next_advantage", needed)

"""Epochs of minibatch steps: gradient, clip of its norm, Adam; and the early stop before a step too far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .optimizers import adam_update
from .updates import clip_by_global_norm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from ._checks import Array

    Indices = NDArray[np.int64]

KL_MARGIN = 1.5
"""An update stops at so many times its target: one minibatch shows the KL with noise."""


@dataclass(frozen=True, slots=True)
class AdamState:
    """All parameters as one vector, with what Adam remembers of earlier steps."""

    params: Array
    """(P,)."""
    mean: Array
    """(P,) running mean of the gradients."""
    mean_square: Array
    """(P,) running mean of their squares."""
    steps: int
    """Steps taken so far."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one minibatch says about the present parameters."""

    gradient: Array
    """(P,) of the loss."""
    kl: float
    """Estimate of D_KL(π_old‖π_θ) in nats, before the step that the gradient would make."""


@dataclass(frozen=True, slots=True)
class Descent:
    """Where the steps of one update led."""

    state: AdamState
    """Parameters and Adam's memory after the last step."""
    steps: int
    """Steps taken in this update."""
    gradient_norm: float
    """Mean norm of their gradients before the clip; NaN without a step."""
    stopped_early: bool
    """Whether the KL ended the update."""


def fresh_adam(params: Array) -> AdamState:
    """Adam before its first step."""
    return AdamState(params, np.zeros_like(params), np.zeros_like(params), 0)


def shuffled_minibatches(
    size: int, *, epochs: int, minibatch_size: int, rng: np.random.Generator
) -> Iterator[Indices]:
    """Each epoch all indices from 0 to size − 1 once, in a new order, in pieces; the last may be smaller."""
    for _ in range(epochs):
        order = rng.permutation(size)
        for start in range(0, size, minibatch_size):
            yield order[start : start + minibatch_size]


def descend(
    state: AdamState,
    minibatches: Iterable[Indices],
    propose: Callable[[Array, Indices], Proposal],
    *,
    learning_rate: float,
    adam_eps: float,
    max_norm: float | None,
    target_kl: float | None,
) -> Descent:
    """One step per minibatch, until they end or one of them shows that the policy has moved too far.

        stop before the step when KL > 1.5·target_kl;  g ← g·min(1, max_norm/‖g‖);  θ ← Adam(θ, g)

    Args:
        state: before the first step; not changed.
        minibatches: indices of the samples of each step.
        propose: gradient and KL of a minibatch at given parameters.
    """
    norms: list[float] = []
    stopped_early = False
    for indices in minibatches:
        proposal = propose(state.params, indices)
        if target_kl is not None and proposal.kl > KL_MARGIN * target_kl:
            stopped_early = True
            break
        # Without a bound the norm is still worth knowing; no gradient reaches the largest float.
        bound = max_norm if max_norm is not None else np.finfo(np.float64).max
        clipped = clip_by_global_norm([proposal.gradient], max_norm=bound)
        norms.append(clipped.norm)
        moved = adam_update(
            state.params,
            clipped.gradients[0],
            state.mean,
            state.mean_square,
            step=state.steps + 1,
            learning_rate=learning_rate,
            eps=adam_eps,
        )
        state = AdamState(moved.params, moved.mean, moved.mean_square, state.steps + 1)
    mean_norm = float(np.mean(norms)) if norms else float("nan")
    return Descent(state, len(norms), mean_norm, stopped_early)

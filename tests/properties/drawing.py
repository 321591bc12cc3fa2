"""What the laws are tried on: small arrays of ordinary numbers, masks, distributions and rollouts."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

ORDINARY = st.floats(-100, 100, allow_subnormal=False)
NUMBERS = st.one_of(ORDINARY, st.sampled_from([0.0, 1.0, -1.0, 0.1, 1 / 3]))
SHARES = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1, allow_subnormal=False))
GARBAGE = st.sampled_from([np.nan, np.inf, -np.inf, 1e308])


def numbers(shape: Any) -> st.SearchStrategy[np.ndarray]:
    return arrays(np.float64, shape, elements=NUMBERS)


def masks(shape: Any) -> st.SearchStrategy[np.ndarray]:
    return arrays(np.bool_, shape)


def garbage(shape: Any) -> st.SearchStrategy[np.ndarray]:
    """What may stand outside a mask."""
    return arrays(np.float64, shape, elements=GARBAGE)


@st.composite
def logits_and_values(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """(A,) logits up to ±30 and action values, 2 ≤ A ≤ 5."""
    size = draw(st.integers(2, 5))
    return draw(arrays(np.float64, size, elements=st.floats(-30, 30))), draw(numbers(size))


@st.composite
def rollouts(draw: st.DrawFn) -> dict[str, np.ndarray]:
    """Rewards, values, next values and both masks, (T,) or (T, N); garbage where a task ended."""
    length = draw(st.integers(1, 7))
    shape = draw(st.sampled_from([(length,), (length, 1), (length, 3)]))
    terminated = draw(masks(shape))
    return {
        "rewards": draw(numbers(shape)),
        "values": draw(numbers(shape)),
        "next_values": np.where(terminated, draw(garbage(shape)), draw(numbers(shape))),
        "terminated": terminated,
        "trace_cut": terminated | draw(masks(shape)),
    }


@st.composite
def token_batches(draw: st.DrawFn) -> dict[str, np.ndarray]:
    """Two arrays of token values and their mask, (B, L − 1); garbage outside the mask."""
    shape = (draw(st.integers(1, 4)), draw(st.integers(1, 5)))
    mask = draw(masks(shape))
    values = arrays(np.float64, shape, elements=st.floats(-5, 5, allow_subnormal=False))
    return {
        "first": np.where(mask, draw(values), draw(garbage(shape))),
        "second": np.where(mask, draw(values), draw(garbage(shape))),
        "mask": mask,
        "rewards": draw(numbers(shape[0])),
    }

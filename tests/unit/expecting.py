"""What the unit tests say again and again."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

WITHIN = 1e-9


def refused(message: str) -> Any:
    """The block must raise a ValueError with exactly this text."""
    return pytest.raises(ValueError, match=f"^{re.escape(message)}$")


def close(actual: Any, expected: Any, *, within: float = WITHIN) -> None:
    """Equal shapes, no NaN, and no entry further than `within` from the expected one."""
    actual, expected = np.asarray(actual, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    assert actual.shape == expected.shape, f"shape {actual.shape}, expected {expected.shape}"
    np.testing.assert_allclose(actual, expected, rtol=0, atol=within)


def right_not(actual: Any, *, right: Any, mistake: Any, within: float = WITHIN) -> None:
    """The right value is reached; the value that a known mistake leads to is another one."""
    close(actual, right, within=within)
    wrong = np.asarray(mistake, dtype=np.float64)
    assert wrong.shape != np.shape(right) or not np.allclose(actual, wrong, rtol=0, atol=within)

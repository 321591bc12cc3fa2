"""Numbers as text, and numbers as JSON holds them."""

from __future__ import annotations

import math
from typing import Any

MINUS = "−"
FRAME_DIGITS = 8
"""Significant digits of an embedded frame: raw floats differ in the last bits between processors."""


def fixed(value: float, decimals: int) -> str:
    """Fixed decimals with a true minus sign, never a minus before zero: 2.4 → "2.40", −0.001 → "0.00"."""
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    digits = f"{abs(value):.{decimals}f}"
    return MINUS + digits if value < 0 and float(digits) != 0 else digits


def signed(value: float, decimals: int) -> str:
    """As `fixed`, with a plus sign before what is above zero after rounding."""
    text = fixed(value, decimals)
    return f"+{text}" if value > 0 and text.strip("0.") else text


def counted(number: int, noun: str) -> str:
    """ "1 update", "2 updates"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def json_number(value: float) -> float | str:
    """A number as JSON can hold it: infinity and NaN become strings, −0 becomes 0."""
    if math.isfinite(value):
        return value if value else abs(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def rounded(value: Any, digits: int = FRAME_DIGITS) -> Any:
    """A view model (or any plain data) with every float at so many significant digits."""
    if isinstance(value, dict):
        return {key: rounded(item, digits) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item, digits) for item in value]
    if isinstance(value, float) and math.isfinite(value):
        return float(f"{value:.{digits}g}") + 0.0
    return value

"""Numbers as text, and numbers as JSON holds them."""

from __future__ import annotations

import math
from typing import Any

MINUS = "−"
FRAME_DIGITS = 8
"""Significant digits of an embedded frame: raw floats differ in the last bits between processors."""
MOST_DECIMALS = 8
"""No number in a sentence is longer."""


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


def apart(first: float, second: float, decimals: int) -> tuple[str, str]:
    """Two different numbers with so many decimals, or as many more as tell them apart: 1.204 and 1.200."""
    texts = fixed(first, decimals), fixed(second, decimals)
    enough = texts[0] != texts[1] or decimals >= MOST_DECIMALS
    return texts if enough or first == second else apart(first, second, decimals + 1)


def telling(value: float, decimals: int) -> str:
    """As `signed`, with as many more decimals as show the sign of a number that is not zero: −0.0009."""
    text = signed(value, decimals)
    enough = text.strip("0.") or decimals >= MOST_DECIMALS
    return text if enough or not value else telling(value, decimals + 1)


def counted(number: int, noun: str) -> str:
    """ "1 update", "2 updates"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def share_is(number: int, total: int, noun: str) -> str:
    """ "no ratio is", "1 of 8 ratios is", "7 of 8 ratios are", "all 8 ratios are"."""
    if number == 0:
        return f"no {noun} is"
    whole = f"all {total} {noun}s" if number == total else f"{number} of {total} {noun}s"
    return f"{whole} {'is' if number == 1 else 'are'}"


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

"""Numbers on their way to a reader: rounded the same on every machine, and shown with true minus signs.

The last bits of a float differ between processors. Values are therefore rounded to a fixed number of
significant digits first, and text is made from the rounded value.
"""

import dataclasses
import math
import re
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from lessonbuild.errors import Fault

VALUE_DIGITS: Final = 10
"""Significant digits of a fixture's value; the tolerance of its check is one part in 10⁹."""
FRAME_DIGITS: Final = 8
"""Significant digits of numbers in a widget's first frame."""
FORMAT: Final = re.compile(r"\+?(?:\.[0-9]{1,2}[fge%]|d)")
_LONGEST: Final = 64
_SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SPECIAL: Final = {"Infinity": ("∞", r"\infty"), "-Infinity": ("−∞", r"{-\infty}")}


@dataclass(frozen=True, slots=True)
class Shown:
    """A number as readers see it."""

    text: str
    """In prose, such as ``−2.8`` or ``1.0 × 10⁻⁵``."""
    tex: str
    """In mathematics, safe to put anywhere in a formula."""


def rounded(value: float, digits: int) -> float:
    """Return the value with `digits` significant digits, and zero without a sign."""
    return float(f"{value:.{digits - 1}e}") + 0.0


def as_json(value: Any, digits: int) -> Any:
    """Return arrays, NumPy numbers and dataclasses as plain JSON values, floats rounded.

    Infinity and NaN become the strings ``"Infinity"``, ``"-Infinity"`` and ``"NaN"``, as over the bridge.
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            entry.name: as_json(getattr(value, entry.name), digits) for entry in dataclasses.fields(value)
        }
    if isinstance(value, dict):
        return {str(key): as_json(entry, digits) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(entry, digits) for entry in value]
    if isinstance(value, float):
        if math.isfinite(value):
            return rounded(value, digits)
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def shown(value: Any, form: str | None) -> Shown:
    """Return a JSON value as readers see it; a short list of numbers in brackets.

    Raises `Fault` for a value that is not a number or a short list of numbers, for NaN, and for a format that
    shows a number as zero, or digits that differ between machines.
    """
    if isinstance(value, list):
        if len(value) > _LONGEST or any(isinstance(entry, list) for entry in value):
            raise Fault("value-format", "the value is a large array; take one number with .field or [index]")
        parts = [shown(entry, form) for entry in value]
        return Shown(
            "[" + ", ".join(part.text for part in parts) + "]", "[" + r",\ ".join(p.tex for p in parts) + "]"
        )
    if isinstance(value, dict):
        fields = ", ".join("." + name for name in value)
        raise Fault("value-format", f"the result has several numbers; take one of {fields}")
    if isinstance(value, str) and value in _SPECIAL:
        return Shown(*_SPECIAL[value])
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Fault("value-finite", f"the value is {value}, which is not a number")
    if form is None and not float(value).is_integer():
        raise Fault("value-format", f"the value {value:.6g} needs a format, such as `| .2f`")
    return _spelt(_formatted(value, form or "d"))


def _formatted(value: int | float, form: str) -> str:
    if form.endswith("d"):
        if not float(value).is_integer():
            raise Fault("value-format", f'the format "{form}" is for whole numbers; the value is {value:.6g}')
        return format(int(value), form)
    text = format(value, form)
    if value != 0 and not re.search("[1-9]", text.partition("e")[0]):
        raise Fault("value-format", f'the format "{form}" shows {value:.3g} as zero; give it more digits')
    digits = re.sub(r"[^0-9]", "", text.partition("e")[0]).lstrip("0")
    if len(digits) > VALUE_DIGITS and not float(value).is_integer():
        raise Fault(
            "value-format",
            f'the format "{form}" shows {len(digits)} digits; machines agree on {VALUE_DIGITS}',
        )
    return text


def _spelt(ascii_text: str) -> Shown:
    mantissa, e, exponent = ascii_text.partition("e")
    text = mantissa.replace("-", "−")
    tex = mantissa.replace("%", r"\%")
    if e:
        text += " × 10" + str(int(exponent)).translate(_SUPERSCRIPTS)
        tex += rf" \times 10^{{{int(exponent)}}}"
    return Shown(text, f"{{{tex}}}" if e or mantissa[0] in "+-" else tex)

"""Numbers as readers see them, and as they are stored."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessonbuild.errors import Fault
from lessonbuild.numerals import as_json, rounded, shown


@dataclass
class Pair:
    first: float
    second: Any


@pytest.mark.parametrize(
    ("value", "form", "text", "tex"),
    [
        (-2.8, ".1f", "−2.8", "{-2.8}"),
        (2.4, "+.1f", "+2.4", "{+2.4}"),
        (0.082282878505, ".6f", "0.082283", "0.082283"),
        (0.5, ".0%", "50%", r"50\%"),
        (1234.5, ".3g", "1.23 × 10³", r"{1.23 \times 10^{3}}"),
        (-6.1e-6, ".1e", "−6.1 × 10⁻⁶", r"{-6.1 \times 10^{-6}}"),
        (3, None, "3", "3"),
        (-2.0, None, "−2", "{-2}"),
        (4, "+d", "+4", "{+4}"),
        ("Infinity", ".2f", "∞", r"\infty"),
        ("-Infinity", ".2f", "−∞", r"{-\infty}"),
        ([0.5, -0.5], ".1f", "[0.5, −0.5]", r"[0.5,\ {-0.5}]"),
        (0.0, ".2f", "0.00", "0.00"),
        (123456789012, "d", "123456789012", "123456789012"),
    ],
)
def test_shown(value: Any, form: str | None, text: str, tex: str) -> None:
    found = shown(value, form)
    assert (found.text, found.tex) == (text, tex)


@pytest.mark.parametrize(
    ("value", "form", "message"),
    [
        (0.5, None, "the value 0.5 needs a format, such as `| .2f`"),
        (0.5, "d", 'the format "d" is for whole numbers; the value is 0.5'),
        (0.004, ".1f", 'the format ".1f" shows 0.004 as zero; give it more digits'),
        (-0.0004, ".1%", 'the format ".1%" shows -0.0004 as zero; give it more digits'),
        (0.123456789012, ".12f", 'the format ".12f" shows 12 digits; machines agree on 10'),
        ("NaN", ".1f", "the value is NaN, which is not a number"),
        (True, ".1f", "the value is True, which is not a number"),
        (None, ".1f", "the value is None, which is not a number"),
        ({"a": 1, "b": 2}, ".1f", "the result has several numbers; take one of .a, .b"),
        ([[1]], ".1f", "the value is a large array; take one number with .field or [index]"),
        ([0.1] * 65, ".1f", "the value is a large array; take one number with .field or [index]"),
    ],
)
def test_refused(value: Any, form: str | None, message: str) -> None:
    with pytest.raises(Fault) as caught:
        shown(value, form)
    assert caught.value.message == message


def test_stored_values_are_plain_and_rounded() -> None:
    value = {
        "x": np.array([1 / 3, np.inf]),
        "y": Pair(np.float64(-0.0), (np.int64(3), np.nan, True, None, "a")),
    }
    assert as_json(value, 10) == {
        "x": [0.3333333333, "Infinity"],
        "y": {"first": 0.0, "second": [3, "NaN", True, None, "a"]},
    }
    assert str(as_json(np.float64(-0.0), 10)) == "0.0"


@settings(derandomize=True, database=None)
@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300))
def test_rounding_is_close_and_settles(value: float) -> None:
    once = rounded(value, 10)
    assert once == pytest.approx(value, rel=1e-9, abs=1e-300)
    assert rounded(once, 10) == once

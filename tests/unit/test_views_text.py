"""Numbers as text and as JSON."""

from __future__ import annotations

import math

import pytest

from policygrad.views.text import counted, fixed, json_number, rounded, signed


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (2.4, 2, "2.40"),
        (-2.8, 2, "−2.80"),
        (0, 2, "0.00"),
        (-0.0, 2, "0.00"),
        (-0.004, 2, "0.00"),
        (-0.006, 2, "−0.01"),
        (12, 0, "12"),
        (1e9, 1, "1000000000.0"),
        (math.inf, 2, "∞"),
        (-math.inf, 2, "−∞"),
        (math.nan, 2, "undefined"),
    ],
)
def test_fixed(value: float, decimals: int, text: str) -> None:
    assert fixed(value, decimals) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(2.4, "+2.40"), (-2.4, "−2.40"), (0.0, "0.00"), (0.004, "0.00"), (-0.004, "0.00"), (math.inf, "+∞")],
)
def test_signed(value: float, text: str) -> None:
    assert signed(value, 2) == text


def test_counted() -> None:
    assert [counted(n, "update") for n in (0, 1, 2)] == ["0 updates", "1 update", "2 updates"]


def test_json_number() -> None:
    assert [json_number(value) for value in (math.inf, -math.inf, math.nan)] == [
        "Infinity",
        "-Infinity",
        "NaN",
    ]
    assert str(json_number(-0.0)) == "0.0"
    assert type(json_number(3)) is int
    assert json_number(0.1) == 0.1


def test_rounded_keeps_eight_significant_digits_everywhere() -> None:
    frame = {
        "a": [0.1234567891234, {"b": -123456789.123}],
        "n": 7,
        "t": "0.123456789123",
        "f": True,
        "z": None,
    }
    assert rounded(frame) == {
        "a": [0.12345679, {"b": -123456790.0}],
        "n": 7,
        "t": "0.123456789123",
        "f": True,
        "z": None,
    }
    assert rounded(1 / 3, digits=3) == 0.333
    assert str(rounded(-0.0)) == "0.0"
    assert rounded(rounded(frame)) == rounded(frame)

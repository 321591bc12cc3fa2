"""Checks: what they return, and every error text in full."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from expecting import refused

from policygrad import _checks as check

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("abc", "x is 'abc'; it must be real numbers"),
        (None, "x is None; it must be real numbers"),
        ([1, "2"], "x is [1, '2']; it must be real numbers"),
        (1 + 2j, "x is (1+2j); it must be real numbers"),
        ([10**400], "x is [1" + 55 * "0" + "...; it must be real numbers"),
        ([], "x is empty, shape (0,); it must hold at least one number"),
        (np.zeros((3, 0)), "x is empty, shape (3, 0); it must hold at least one number"),
        ([[1, 2], [3]], "x has rows of unequal length; it must be a rectangular array"),
    ],
)
def test_numbers_refuses_what_is_not_a_filled_array_of_numbers(value: Any, message: str) -> None:
    with refused(message):
        check.numbers(value, "x")


@pytest.mark.parametrize(
    ("ndim", "message"),
    [
        (0, "x has shape (1, 2); it must have no axis (a single number)"),
        (1, "x has shape (1, 2); it must have one axis"),
        (3, "x has shape (1, 2); it must have 3 axes"),
    ],
)
def test_numbers_says_how_many_axes_it_needs(ndim: int, message: str) -> None:
    with refused(message):
        check.numbers([[1, 2]], "x", ndim=ndim)


def test_numbers_turns_integers_booleans_and_short_floats_into_float64() -> None:
    for value in ([1, 0], [True, False], np.array([1, 0], np.float32)):
        array = check.numbers(value, "x")
        assert array.dtype == np.float64
        assert array.tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (NAN, "x is NaN; it must be finite"),
        ([1.0, INF], "x[1] is infinity; it must be finite"),
        ([[0, 1], [2, -INF]], "x[1, 1] is -infinity; it must be finite"),
    ],
)
def test_finite_names_the_first_entry_that_is_not(value: Any, message: str) -> None:
    with refused(message):
        check.finite(value, "x")


def test_finite_where_ignores_what_the_mask_leaves_out() -> None:
    mask = np.array([True, False])
    assert check.finite_where([2.0, NAN], "x", mask).tolist() == [2.0, 0.0]
    with refused("x[0] is NaN; it must be finite"):
        check.finite_where([NAN, 1.0], "x", mask)
    with refused("x has shape (3,); it must have the shape of its mask, (2,)"):
        check.finite_where([1, 2, 3], "x", mask)


def test_non_negative_entries() -> None:
    assert check.non_negative_entries([0, 1], "x").tolist() == [0.0, 1.0]
    with refused("x[1] is -0.5; it must not be below 0"):
        check.non_negative_entries([0, -0.5], "x")


def test_a_mask_is_booleans_or_zeros_and_ones() -> None:
    for value in ([True, False], [1, 0], [1.0, 0.0]):
        result = check.mask(value, "x")
        assert result.dtype == np.bool_
        assert result.tolist() == [True, False]
    with refused("x[1] is 0.5; it must be 0 or 1"):
        check.mask([1, 0.5], "x")
    with refused("x is empty, shape (0,); it must hold at least one number"):
        check.mask([], "x")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (0.5, "p is 0.5; it must be an array of probabilities"),
        ([1.2, -0.2], "p[1] is -0.2; a probability must not be below 0"),
        ([0.7, 0.2], "p sums to 0.9; probabilities must sum to 1 within 1e-9"),
        ([[0.5, 0.5], [0.5, 0.6]], "p[1] sums to 1.1; probabilities must sum to 1 within 1e-9"),
        ([0.5, NAN], "p[1] is NaN; it must be finite"),
    ],
)
def test_probabilities_refuses_what_is_no_distribution(value: Any, message: str) -> None:
    with refused(message):
        check.probabilities(value, "p")


def test_probabilities_forgives_rounding_and_reads_a_tiny_negative_as_0() -> None:
    assert check.probabilities([1.0 + 5e-13, -5e-13], "p").tolist() == [1.0 + 5e-13, 0.0]
    assert check.probabilities([0.5, 0.5 + 9e-10], "p").tolist() == [0.5, 0.5 + 9e-10]
    with refused("p sums to 1.000000002; probabilities must sum to 1 within 1e-9"):
        check.probabilities([0.5, 0.5 + 2e-9], "p")
    with refused("p[1] is -2e-12; a probability must not be below 0"):
        check.probabilities([1.0, -2e-12], "p")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (0.0, "logits is 0; it must be an array of logits"),
        ([0, NAN], "logits[1] is NaN; a logit must be finite or -infinity"),
        ([INF, 0], "logits[0] is infinity; a logit must be finite or -infinity"),
        ([-INF, -INF], "logits is -infinity for every action; at least one logit must be finite"),
        (
            [[0, 0], [-INF, -INF]],
            "logits[1] is -infinity for every action; at least one logit must be finite",
        ),
    ],
)
def test_logits_may_be_minus_infinity_but_not_all(value: Any, message: str) -> None:
    with refused(message):
        check.logits(value)


@pytest.mark.parametrize(("value", "shown"), [(3, "3"), (-1, "-1"), (0.5, "0.5")])
def test_indices_are_whole_numbers_below_the_size(value: float, shown: str) -> None:
    assert check.indices([0, 2.0], "x", size=3).tolist() == [0, 2]
    with refused(f"x[1] is {shown}; it must be a whole number from 0 to 2"):
        check.indices([0, value], "x", size=3)


def test_equal_shapes_or_a_single_number() -> None:
    row, column, number = np.zeros(2), np.zeros((2, 1)), np.array(1.0)
    check.same_shape(row, "a", row, "b")
    check.same_shape_or_number(row, "a", number, "b")
    check.same_shape_or_number(number, "a", column, "b")
    for compare in (check.same_shape, check.same_shape_or_number):
        with refused("a has shape (2, 1); it must have the shape of b, (2,)"):
            compare(column, "a", row, "b")


@pytest.mark.parametrize(
    ("value", "limits", "message"),
    [
        (1.0, {"at_least": 0, "below": 1}, "x is 1; it must be at least 0 and below 1"),
        (-0.1, {"at_least": 0, "at_most": 1}, "x is -0.1; it must be at least 0 and at most 1"),
        (0, {"above": 0}, "x is 0; it must be above 0"),
        (INF, {"at_least": 0}, "x is infinity; it must be finite and at least 0"),
        (NAN, {}, "x is NaN; it must be finite"),
        ("0.5", {}, "x is '0.5'; it must be a real number"),
        (None, {"at_least": 0}, "x is None; it must be a real number"),
        (10**400, {"above": 0}, "x is 1" + 56 * "0" + "...; it must be a real number"),
        ([0.5], {}, "x has shape (1,); it must have no axis (a single number)"),
    ],
)
def test_real_says_its_limits(value: Any, limits: dict[str, float], message: str) -> None:
    with refused(message):
        check.real(value, "x", **limits)


def test_real_gives_a_python_float() -> None:
    for value in (1, 1.0, np.float32(1), np.array(1), True):
        assert type(check.real(value, "x")) is float


def test_whole() -> None:
    assert check.whole(3.0, "n", at_least=1) == 3
    assert type(check.whole(np.int64(3), "n")) is int
    with refused("n is 1.5; it must be a whole number"):
        check.whole(1.5, "n")
    with refused("n is 0; it must be at least 1"):
        check.whole(0, "n", at_least=1)


@pytest.mark.parametrize("value", [1e308, -(2.0**60), float(2**53) * 2])
def test_a_whole_number_is_one_that_floats_can_count_to(value: float) -> None:
    with refused(f"n is {check.shown(value)}; a whole number must be at most 9007199254740992 in size"):
        check.whole(value, "n")  # type: ignore[arg-type]


def test_what_lies_under_a_mask_is_not_used() -> None:
    hidden = np.ma.masked_array([1.0, 5.0], mask=[False, True])
    message = "x is a masked array; fill it, or give the mask as an argument of its own"
    with refused(message):
        check.finite(hidden, "x")
    with refused(message):
        check.mask(np.ma.masked_array([True, False], mask=[True, False]), "x")
    with refused(message):
        check.real(np.ma.masked, "x")  # type: ignore[arg-type]
    assert check.finite(np.ma.masked_array([1.0, 5.0]), "x").tolist() == [1.0, 5.0]


@pytest.mark.parametrize("value", [None, 1.0, "text", np.float64(1), np.array(1.0)])
def test_arrays_are_a_sequence(value: Any) -> None:
    with refused(f"x is {check.shown(value)}; it must be a sequence of arrays"):
        check.arrays(value, "x")


def test_arrays_names_the_wrong_one() -> None:
    assert [entry.tolist() for entry in check.arrays([[1], [[2.0, 3]]], "x")] == [[1.0], [[2.0, 3.0]]]
    with refused("x[1][0] is NaN; it must be finite"):
        check.arrays([1.0, [np.nan]], "x")


def test_option() -> None:
    assert check.option("a", "mode", ("a", "b")) == "a"
    with refused('mode is \'c\'; it must be "a" or "b"'):
        check.option("c", "mode", ("a", "b"))
    with refused('mode is \'c\'; it must be "a", "b" or "d"'):
        check.option("c", "mode", ("a", "b", "d"))
    with refused("mode is 'c'; it must be \"a\""):
        check.option("c", "mode", ("a",))


def test_unwrapped_keeps_axes_and_drops_their_absence() -> None:
    assert isinstance(check.unwrapped(np.array(2.0)), float)
    assert check.unwrapped(np.array([2.0])).shape == (1,)

"""The truth rule: what counts as a number in prose, and what as a decimal in a formula."""

import pytest

from lessonbuild.source.digits import decimal_in_math, digit_runs, first_digit, stands_for_number


@pytest.mark.parametrize(
    "text",
    [
        *("2", "２", "٣", "۴", "५", "𝟚", "𝟐"),  # decimal digits of several scripts and styles
        *("½", "⅓", "²", "⁻¹"[1], "₀", "①", "⒈", "Ⅳ", "ⅷ", "一", "百"),
    ],
)
def test_every_character_that_stands_for_a_number_counts(text: str) -> None:
    assert stands_for_number(text)
    assert first_digit(f"word {text} word") == text


@pytest.mark.parametrize("text", ["", "two thirds", "ε − λ × π → ∞", "VIII", "№", "°", "…", "é"])
def test_words_and_signs_are_no_numbers(text: str) -> None:
    assert first_digit(text) is None


def test_a_number_is_reported_as_it_is_written() -> None:
    assert list(digit_runs("from 1,000.5 to 2/3, 4. Then k5, x²")) == ["1,000.5", "2/3", "4", "5", "²"]


@pytest.mark.parametrize(
    ("tex", "decimal"),
    [
        ("r = 2.4", "2.4"),
        ("r = .5", ".5"),
        ("2{.}4", "2.4"),
        ("2{{.}}4", "2.4"),
        ("2{,}4", "2,4"),
        (r"2\text{.}4", "2.4"),
        (r"\text{2.4}", "2.4"),
        (r"\mathbf{2}.\mathbf{4}", "2.4"),
        (r"\mathrm 2\mathrm .\mathrm 4", "2.4"),
        (r"{2}{.}{4}", "2.4"),
        (r"2\,.\;4", "2.4"),
        (r"2\ldotp4", "2.4"),
        (r"\frac{1}{2.4}", "2.4"),
        ("x_{0.5}", "0.5"),
        ("2．4", "2.4"),
        ("２", "２"),
        ("½", "½"),
        (r"\value{kl}.5", ".5"),
        ("2ꓸ4", "2.4"),
        (r"24\%", r"24\%"),
        (r"\value{kl}\%", r"\value{kl}\%"),
        (r"3\value{kl}", r"3\value{kl}"),
        (r"\value{kl}{4}", r"\value{kl}{4"),
        (r"\value{a}\value{b}", r"\value{a}\value"),
        (r"\text{about 24 in a hundred}", "24"),
        (r"\mbox{24}", "24"),
    ],
)
def test_a_decimal_in_a_formula_is_found_however_it_is_spelt(tex: str, decimal: str) -> None:
    assert decimal_in_math(tex) == decimal


@pytest.mark.parametrize(
    "tex",
    [
        r"\frac{1}{2} \log 2",
        r"x_1^2 + x_{10}",
        r"a \in \{0, 1\},\ [0,1]",
        r"i = 1, 2, \ldots, n.",
        r"\value{ratio}",
        r"\hspace{1em} r",
        r"V(s). \quad 2",
        r"10^{-9}",
        r"1 - \varepsilon,\, 1 + \varepsilon",
        r"\left.2x\right|_{0}^{1} + \big.3",
        r"\tfrac12 \cdot \value{kl} \text{ nats}",
    ],
)
def test_integers_in_a_formula_are_notation(tex: str) -> None:
    assert decimal_in_math(tex) is None

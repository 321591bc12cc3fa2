"""Decimals in formulas, as readers see them once KaTeX has set the formula."""

from collections.abc import Iterator

import pytest
from lesson_cases import ROOT

from lessonbuild.site.node_renderer import NodeRenderer
from lessonbuild.source.typeset import visible_decimal


@pytest.fixture(scope="module")
def katex() -> Iterator[NodeRenderer]:
    with NodeRenderer(ROOT) as renderer:
        yield renderer


@pytest.mark.parametrize(
    "tex",
    [
        *("2.4", ".4", "2.{}^{}4", "2._{}4", r"2.\pmb{4}", r"2.\underline{4}", r"2.\Bbb4", r"2.\bold{4}"),
        *(r"2.\overset{}{4}", r"2.\vcenter{4}", r"2.\cancel{4}", r"2.\medspace4", r"2.\hat{4}"),
        *(r"2.\notag4", r"2.\noexpand4", r"2.\TextOrMath{3}{4}", "2.%\n4", r"2.\verb|4|", r"\sqrt{2._{}4}"),
        r"\begin{aligned} a &= 2._{}4 \\ b &= 3 \end{aligned}",
    ],
)
def test_a_decimal_is_seen_whatever_stands_between_its_digits(katex: NodeRenderer, tex: str) -> None:
    assert visible_decimal(katex.render(tex, True))


@pytest.mark.parametrize(
    "tex",
    [
        *("2, 4", "[0,1]", r"V(s).\quad 2", r"\frac{1}{2}", r"i = 1, 2, \ldots, n.", r"\left.2x\right|_{0}"),
        *(r"\frac{a.}{2}", r"x_1.", "10^{-9}", r"\sum_{i=1}^{2}"),
        r"\begin{aligned} a &= 2. \\ 3 &= b. \end{aligned}",
        r"\begin{cases} 0. & \text{if } a \\ 1 & \text{otherwise} \end{cases}",
    ],
)
def test_integers_points_and_rows_are_no_decimals(katex: NodeRenderer, tex: str) -> None:
    assert visible_decimal(katex.render(tex, True)) is None

"""Only the fonts that formulas use are shipped, and all of those."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lessonbuild.site.katex_fonts import FONTS, STYLESHEET, faces, reduced_stylesheet, used_files

ROOT = Path(__file__).parents[3]
CSS = (ROOT / STYLESHEET).read_text()

CASES = {
    "plain letters": ("katex mathnormal mord", {"Main-Regular", "Math-Italic"}),
    "upright bold": ("katex mathbf", {"Main-Regular", "Main-Bold"}),
    "blackboard": ("katex mathbb", {"Main-Regular", "AMS-Regular"}),
    "calligraphic": ("katex mathcal", {"Main-Regular", "Caligraphic-Regular"}),
    "large delimiters": ("katex delimsizing size3", {"Main-Regular", "Size3-Regular"}),
    "tall braces": ("katex delimsizing mult delim-size4", {"Main-Regular", "Size4-Regular"}),
    "large operators": ("katex op-symbol large-op", {"Main-Regular", "Size2-Regular"}),
    "a size that is no delimiter's": (
        'katex delimsizing size1"><i class="sizing size3',
        {"Main-Regular", "Size1-Regular"},
    ),
    "no formula at all": ("value cite", set()),
}


def test_every_face_of_katex_is_understood_and_has_its_file() -> None:
    assert len(faces(CSS)) == CSS.count("@font-face")
    assert all((ROOT / FONTS / face.file).is_file() for face in faces(CSS))


@pytest.mark.parametrize(("classes", "expected"), CASES.values(), ids=CASES.keys())
def test_classes_select_fonts(classes: str, expected: set[str]) -> None:
    files = used_files(CSS, [f'<span class="{classes}">x</span>'])
    assert set(files) == {f"KaTeX_{name}.woff2" for name in expected}


def test_the_reduced_stylesheet_names_exactly_the_files_that_are_shipped() -> None:
    files = ["KaTeX_Main-Regular.woff2", "KaTeX_Math-Italic.woff2"]
    reduced = reduced_stylesheet(CSS, files, lambda name: f"fonts/{name}?")
    assert re.findall(r"url\(([^)]*)\)", reduced) == [f"fonts/{name}?" for name in files]
    assert ".katex .mathnormal" in reduced

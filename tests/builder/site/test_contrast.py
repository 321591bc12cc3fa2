"""Every colour can be read where it stands, in both themes (WCAG 2.2, 1.4.3 and 1.4.11)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CSS = Path(__file__).parents[3] / "site/css"
THEMES = {
    "light": (CSS / "tokens.css").read_text(),
    "dark": (CSS / "tokens.css").read_text() + (CSS / "tokens-dark.css").read_text(),
}
ROLES = [
    *("objective-positive", "objective-negative", "objective-zero", "unclipped", "clipped", "old", "new"),
    *("reference", "slope", "p", "q", "positive", "negative", "kl", "reward", "curve", "edge", "outside"),
]
BACKGROUNDS = ("paper", "panel", "well")
ON_FIGURES = ("panel", "role-clip")

TEXT_PAIRS = [
    *((name, ground) for name in ("ink", "ink-soft", "accent") for ground in BACKGROUNDS),
    *((name, wash) for name in ("ink", "accent") for wash in ("accent-wash",)),
    ("accent-ink", "accent"),
    *((f"role-{role}", ground) for role in ROLES for ground in ON_FIGURES),
    *((f"plot-{name}", ground) for name in ("ink", "ink-soft") for ground in ON_FIGURES),
]
CONTROL_PAIRS = [("line-strong", ground) for ground in BACKGROUNDS]


def values(text: str) -> dict[str, str]:
    """Colour tokens; later declarations win, as in the cascade."""
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", text))


def luminance(colour: str) -> float:
    """Relative luminance of an sRGB colour."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    """Contrast ratio, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def test_the_formula_of_the_ratio() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#777777") == pytest.approx(1)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("text", "ground"), TEXT_PAIRS)
def test_text_is_readable(theme: str, text: str, ground: str) -> None:
    tokens = values(THEMES[theme])
    assert contrast(tokens[text], tokens[ground]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("line", "ground"), CONTROL_PAIRS)
def test_controls_can_be_seen(theme: str, line: str, ground: str) -> None:
    tokens = values(THEMES[theme])
    assert contrast(tokens[line], tokens[ground]) >= 3


def test_dark_has_a_value_for_every_colour_that_light_has() -> None:
    light = values(THEMES["light"])
    dark = values((CSS / "tokens-dark.css").read_text())
    assert light.keys() == dark.keys()


def test_one_pair_of_colours_stands_for_the_sign() -> None:
    for text in THEMES.values():
        tokens = values(text)
        for role in ("", "objective-"):
            assert tokens[f"role-{role}positive"] != tokens[f"role-{role}negative"]
        assert tokens["role-positive"] == tokens["role-objective-positive"]
        assert tokens["role-negative"] == tokens["role-objective-negative"]

"""axe finds nothing: every page, both themes, wide and narrow, folded and unfolded, and without Python."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from playwright.sync_api import Page

from .artifact import ROOT
from .hosting import LESSON, Host
from .pages import Guard, open_failing, open_lesson
from .sliders import drag
from .test_exercise import WRONG, answer, question

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
OTHER_PAGES = ["index.html", f"lessons/{LESSON}-solutions.html", "licences.html"]
Theme = Literal["light", "dark"]
THEMES: list[Theme] = ["light", "dark"]
UNFOLD = "() => { for (const one of document.querySelectorAll('details')) one.open = true; }"


def findings(page: Page) -> list[tuple[str, list[Any]]]:
    """Rule and places of everything that axe complains of, all its rules on."""
    if not page.evaluate("'axe' in globalThis"):
        page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run().then((result) => result.violations)")
    return [(one["id"], [node["target"] for node in one["nodes"]]) for one in found]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("path", OTHER_PAGES)
def test_axe_finds_nothing(page: Page, host: Host, guard: Guard, path: str, theme: Theme) -> None:
    page.emulate_media(color_scheme=theme)
    page.goto(host.url(path))
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert findings(page) == [], width
    page.evaluate(UNFOLD)
    assert findings(page) == []


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_in_an_index_without_a_hit(
    page: Page, host: Host, guard: Guard, theme: Theme
) -> None:
    page.emulate_media(color_scheme=theme)
    page.goto(host.url("index.html"))
    page.locator("[data-atlas-search]").fill("zebra crossing")
    page.wait_for_function("document.querySelector('article.card').offsetParent === null")
    assert findings(page) == []


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_in_the_lesson(page: Page, host: Host, guard: Guard, theme: Theme) -> None:
    page.emulate_media(color_scheme=theme)
    open_lesson(page, host, "?ppo-clip.ratio=9")
    assert findings(page) == []
    answer(page, WRONG[0])
    question(page).locator("[data-action=reveal]").click()
    page.evaluate(UNFOLD)
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert findings(page) == [], width


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_when_python_failed(page: Page, host: Host, guard: Guard, theme: Theme) -> None:
    guard.expected = ("Failed to load resource",)
    host.altered = {"image.bin.gz": None}
    page.emulate_media(color_scheme=theme)
    open_failing(page, host)
    drag(page, "ppo-clip", "ratio", 0.5)
    page.evaluate(UNFOLD)
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert findings(page) == [], width

"""Everything a pointer can do, the Tab key reaches, and the reader sees where the focus is."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from .hosting import Host
from .pages import Guard

OPERABLE = """() => [...document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.tabIndex >= 0)
  .filter((one) => one.type !== 'radio' || one === document.querySelector(`[name="${one.name}"]`))
  .map((one, i) => { one.dataset.stop = i; return [i, one.outerHTML.slice(0, 100)]; })"""
"""Marks every element that should be a stop; of a group of radio buttons only one is."""

HERE = """() => {
  const one = document.activeElement;
  const style = getComputedStyle(one);
  const visible = (look) => look && look !== 'none' && !/^rgba\\(0, 0, 0, 0\\)/.test(look);
  const box = one.closest('label')?.matches(':focus-within') ? getComputedStyle(one.closest('label')) : style;
  const thumb = one.type === 'range' ? 'thumb' : '';
  return {
    stop: one.dataset.stop ?? '',
    ring: thumb || (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0)
      || visible(style.boxShadow) || (box.outlineStyle !== 'none' && parseFloat(box.outlineWidth) > 0),
    html: one.outerHTML.slice(0, 100),
  };
}"""


def walk(page: Page, most: int) -> list[dict[str, Any]]:
    """Press Tab until the focus leaves the page."""
    found: list[dict[str, Any]] = []
    # A blur alone would go on from where an earlier test left the focus.
    page.evaluate("() => { document.body.tabIndex = -1; document.body.focus(); scrollTo(0, 0); }")
    for _ in range(most):
        page.keyboard.press("Tab")
        here = page.evaluate(HERE)
        if here["stop"] == "" or (found and here["stop"] == found[0]["stop"]):
            break
        found.append(here)
    return found


def test_tab_reaches_every_control_of_the_lesson_in_order(visited: Page) -> None:
    wanted = visited.evaluate(OPERABLE)
    reached = walk(visited, len(wanted) + 20)
    missed = [html for stop, html in wanted if str(stop) not in {here["stop"] for here in reached}]
    assert missed == []
    stops = [int(here["stop"]) for here in reached]
    assert stops == sorted(stops)
    assert [here["html"] for here in reached if not here["ring"]] == []


def test_the_first_stop_skips_to_the_content(page: Page, host: Host, guard: Guard) -> None:
    page.goto(host.lesson)
    page.keyboard.press("Tab")
    skip = page.locator(":focus")
    assert skip.get_attribute("href") == "#main"
    box = skip.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["y"] >= 0
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")


def test_the_progress_menu_opens_and_closes_by_keyboard(visited: Page) -> None:
    menu = visited.locator("details[data-menu=progress]")
    menu.locator("summary").focus()
    visited.keyboard.press("Enter")
    assert menu.locator("[data-action=export-progress]").is_visible()
    visited.keyboard.press("Tab")
    assert visited.evaluate("document.activeElement.dataset.action") == "export-progress"
    visited.keyboard.press("Escape")
    assert not menu.locator("[data-action=export-progress]").is_visible()
    assert visited.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_the_theme_button_says_what_it_does(visited: Page) -> None:
    button = visited.locator("[data-action=theme]")
    said = []
    for _ in range(2):
        said.append(button.inner_text().strip())
        button.focus()
        visited.keyboard.press("Enter")
    assert len(set(said)) == 2
    assert all("theme" in words.lower() for words in said)

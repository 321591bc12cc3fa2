"""Paper, less motion, forced colours: what the reader's system asks for."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from .artifact import WIDGETS
from .hosting import Host
from .pages import Guard, open_lesson
from .sliders import move, settle, widget
from .test_exercise import SOLUTION, WRONG, answer, question

MOVING = """() => [...document.querySelectorAll('*')]
  .filter((one) => {
    const style = getComputedStyle(one);
    const seconds = (list) => Math.max(...list.split(',').map(parseFloat));
    return seconds(style.transitionDuration) > 0
      || (style.animationName !== 'none' && seconds(style.animationDuration) > 0)
      || style.scrollBehavior === 'smooth';
  })
  .map((one) => one.outerHTML.slice(0, 80))"""


def test_paper_unfolds_what_is_folded_and_hides_controls(visited: Page) -> None:
    move(visited, "ppo-clip", "ratio", 0.6)
    settle(visited, "ppo-clip", {"ratio": 0.6})
    visited.evaluate(
        """() => { globalThis.unfolded = null;
          addEventListener('beforeprint', () => {
            globalThis.unfolded = [...document.querySelectorAll('main details.data')].map((one) => one.open);
          }, { once: true }); }"""
    )
    assert visited.pdf()  # what the browser's own Print does, with its events
    assert visited.evaluate("unfolded") == [True] * len(WIDGETS)
    assert visited.locator("main details.data[open]").count() == 0

    visited.emulate_media(media="print")
    # The circle before each answer stays: paper can be ticked.
    for one in visited.locator("main :is(input, button):not(.set, [type=radio])").all():
        assert not one.is_visible(), one.evaluate("one => one.outerHTML")
    for view in WIDGETS:
        assert widget(visited, view).locator("[data-table]").is_visible()
        assert widget(visited, view).locator("output[data-output]").first.is_visible()
    assert "r = 0.60" in (widget(visited, "ppo-clip").locator(".picture.wide").text_content() or "")


def test_paper_keeps_a_solution_closed_until_it_was_opened(lesson: Page) -> None:
    lesson.emulate_media(media="print")
    assert SOLUTION not in lesson.locator("body").inner_text()
    lesson.emulate_media(media="screen")
    answer(lesson, WRONG[0])
    question(lesson).locator("[data-action=reveal]").click()
    lesson.emulate_media(media="print")
    assert SOLUTION in lesson.locator("body").inner_text()


def test_with_less_motion_nothing_moves_by_itself(page: Page, host: Host, guard: Guard) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_lesson(page, host)
    assert page.evaluate(MOVING) == []
    page.evaluate("document.querySelector('#kl').scrollIntoView()")
    page.locator("[data-action=theme]").click()
    assert page.evaluate("document.getAnimations().length") == 0


def test_motion_is_short(visited: Page) -> None:
    longest = visited.evaluate(
        """() => Math.max(...[...document.querySelectorAll('*')].map((one) =>
          Math.max(...getComputedStyle(one).transitionDuration.split(',').map(parseFloat))))"""
    )
    assert longest <= 0.2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colours_take_figures_that_can_be_seen_on_them(
    page: Page, host: Host, guard: Guard, scheme: str
) -> None:
    """A reader who once chose a theme here and now has forced colours gets figures for those colours."""
    open_lesson(page, host)
    page.emulate_media(color_scheme="dark" if scheme == "light" else "light")
    if page.locator("html").get_attribute("data-theme") == scheme:
        page.locator("[data-action=theme]").click()
    page.emulate_media(color_scheme=scheme, forced_colors="active")  # type: ignore[arg-type]
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == scheme

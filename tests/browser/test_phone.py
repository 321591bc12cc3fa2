"""A phone: nothing scrolls sideways, every target is large enough for a thumb."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from .hosting import LESSON, Host
from .pages import Guard, booted, open_failing, open_lesson
from .sliders import drag, settle
from .test_axe import UNFOLD
from .test_exercise import WRONG, answer, question

PAGES = ["index.html", f"lessons/{LESSON}.html", f"lessons/{LESSON}-solutions.html", "licences.html"]
TOUCH = 44
"""CSS pixels."""
SIDEWAYS = """() => {
  scrollTo(400, scrollY);
  const moved = scrollX;
  scrollTo(0, scrollY);
  // What scrolls or is clipped in a box of its own.
  const inside = (one) =>
    one.closest('.scroll, pre, .katex-display, .katex-mathml, .plot-live, .visually-hidden, .skip, .runtime');
  const wide = [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !inside(one))
    .filter((one) => !(one instanceof SVGElement))
    .map((one) => one.outerHTML.slice(0, 90));
  return { moved, over: document.documentElement.scrollWidth - innerWidth, wide };
}"""
NOT_SIDEWAYS = {"moved": 0, "over": 0, "wide": []}


@pytest.fixture
def phone(browser: Browser, host: Host) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, device_scale_factor=2
    )
    guard = Guard(host.origin)
    guard.watch(context)
    yield context.new_page()
    guard.settle()
    context.close()


@pytest.mark.parametrize("path", PAGES)
def test_no_page_scrolls_sideways(page: Page, host: Host, guard: Guard, path: str) -> None:
    page.goto(host.url(path))
    for width in (320, 360, 639, 640, 768, 1024, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate(SIDEWAYS) == NOT_SIDEWAYS, width
    page.evaluate(UNFOLD)
    for width in (360, 768):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate(SIDEWAYS) == NOT_SIDEWAYS, (width, "unfolded")


def test_the_lesson_in_use_does_not_scroll_sideways(phone: Page, host: Host) -> None:
    open_lesson(phone, host, "?ppo-clip.ratio=9&ppo-clip.advantage=999&kl.p_1=abcdefghijklmnopq")
    answer(phone, WRONG[0])
    question(phone).locator("[data-action=reveal]").click()
    phone.evaluate(UNFOLD)
    drag(phone, "kl", "actions", 3)
    settle(phone, "kl", {"actions": 3})
    phone.locator("[data-action=check-numbers]").click()
    phone.wait_for_selector("[data-check-result][data-agree=true]")
    assert phone.evaluate(SIDEWAYS) == NOT_SIDEWAYS


def test_a_failed_start_does_not_scroll_sideways(page: Page, host: Host, guard: Guard) -> None:
    guard.expected = ("Failed to load resource",)
    host.altered = {"numpy-libraries.tar.gz": None}
    page.set_viewport_size({"width": 360, "height": 740})
    open_failing(page, host)
    page.evaluate(UNFOLD)
    assert page.evaluate(SIDEWAYS) == NOT_SIDEWAYS
    card = page.locator(".runtime").bounding_box()
    assert card is not None
    assert card["x"] >= 0
    assert card["x"] + card["width"] <= 360
    # The text under the note can be read.
    page.locator("[data-action=fold-runtime]").click()
    folded = page.locator(".runtime").bounding_box()
    assert folded is not None
    assert folded["height"] < card["height"]


def test_touch_targets_are_large_enough(phone: Page, host: Host) -> None:
    phone.goto(host.lesson)
    assert booted(phone) == "ready"
    answer(phone, WRONG[0])
    phone.evaluate(UNFOLD)
    small = phone.evaluate(
        """(least) => [...document.querySelectorAll('button, input, summary, label.option, nav a')]
          .filter((one) => one.checkVisibility({ visibilityProperty: true }))
          .filter((one) => !one.closest('p, .try li') && one.type !== 'radio' && one.type !== 'file')
          .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect().height])
          .filter(([, height]) => height < least - 0.5)""",
        TOUCH,
    )
    assert small == []


def test_a_finger_moves_a_slider(phone: Page, host: Host) -> None:
    open_lesson(phone, host)
    control = phone.locator("#ppo-clip-ratio")
    control.scroll_into_view_if_needed()
    box = control.bounding_box()
    assert box is not None
    phone.touchscreen.tap(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    value = float(control.input_value())
    assert 0.3 < value < 0.7
    settle(phone, "ppo-clip", {"ratio": value})

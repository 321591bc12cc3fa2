"""Pictures and live plots: two drawings of one figure that a reader must not be able to tell apart."""

from __future__ import annotations

import base64

import pytest
from playwright.sync_api import Browser, Locator, Page

from .hosting import Host
from .pages import Guard
from .sliders import move, settle, widget

VIEWS = ("ppo-clip", "kl", "two-action-reinforce", "clip-is-not-a-bound")
DIFFERENT = """async ([one, other]) => {
  const pixels = async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height).data;
  };
  const [a, b] = [await pixels(one), await pixels(other)];
  if (a.length !== b.length) return 1;
  let seen = 0;
  for (let i = 0; i < a.length; i += 4) {
    const most = Math.max(...[0, 1, 2].map((part) => Math.abs(a[i + part] - b[i + part])));
    if (most > 64) seen += 1;
  }
  return seen / (a.length / 4);
}"""
"""The share of pixels in which a channel differs by more than a quarter: smoothed edges differ by less."""


def plot(page: Page, view: str) -> Locator:
    """The box of a figure, with its live plot settled."""
    box = widget(page, view).locator("[data-plot]")
    box.scroll_into_view_if_needed()
    page.wait_for_selector(f"section[data-widget='{view}'] [data-plot][data-drawn=plotly]")
    return box


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_the_live_plot_looks_like_the_picture_it_replaces(lesson: Page, width: int, theme: str) -> None:
    lesson.set_viewport_size({"width": width, "height": 900})
    lesson.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
    for view in VIEWS:
        box = plot(lesson, view)
        lesson.mouse.move(0, 0)
        shots = []
        for drawn in ("plotly", "picture"):
            box.evaluate("(box, drawn) => { box.dataset.drawn = drawn; }", drawn)
            shots.append(base64.b64encode(box.screenshot(animations="disabled")).decode())
        assert lesson.evaluate(DIFFERENT, shots) < 0.001, view


def test_paper_shows_the_present_numbers_in_light_colours(lesson: Page) -> None:
    lesson.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
    move(lesson, "ppo-clip", "ratio", 0.6)
    settle(lesson, "ppo-clip", {"ratio": 0.6})
    box = plot(lesson, "ppo-clip")
    dark = box.locator(".picture.wide path").last.evaluate("(path) => getComputedStyle(path).stroke")
    lesson.emulate_media(media="print")
    assert not box.locator(".plot-live").is_visible()
    for size in ("wide", "narrow"):
        assert "r = 0.60" in (box.locator(f".picture.{size}").text_content() or "")
    light = box.locator(".picture.wide path").last.evaluate("(path) => getComputedStyle(path).stroke")
    assert light != dark


def test_the_live_plot_names_what_is_under_the_pointer(lesson: Page) -> None:
    box = plot(lesson, "ppo-clip")
    box.locator(".scatterlayer .points path").first.hover(force=True)
    label = box.locator(".hoverlayer text").first
    label.wait_for()
    assert "probability ratio r 1.4" in (label.text_content() or "")


def test_a_finger_that_starts_on_a_figure_scrolls_the_page(browser: Browser, host: Host) -> None:
    context = browser.new_context(
        viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True, device_scale_factor=1
    )
    guard = Guard(host.origin)
    guard.watch(context)
    page = context.new_page()
    page.goto(host.lesson)
    box = plot(page, "ppo-clip").bounding_box()
    assert box is not None
    before = page.evaluate("() => scrollY")
    touch = context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 16):
        points = [{"x": x, "y": y - 10 * step}]
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
        page.wait_for_timeout(16)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function("(before) => scrollY > before + 100", arg=before)
    guard.settle()
    context.close()

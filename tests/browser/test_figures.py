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
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await pixels(one), await pixels(other)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  const apart = (i, j) => Math.max(...[0, 1, 2].map((part) => Math.abs(i[part] - j[part])));
  const at = ({ data, width }, x, y) => data.subarray(4 * (y * width + x));
  const missing = (here, there) => {
    let seen = 0;
    for (let y = 1; y < here.height - 1; y += 1) {
      for (let x = 1; x < here.width - 1; x += 1) {
        const pixel = at(here, x, y);
        if (apart(pixel, at(there, x, y)) <= 64) continue;
        const around = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => at(there, x + dx, y + dy)));
        if (around.every((near) => apart(pixel, near) > 64)) seen += 1;
      }
    }
    return seen;
  };
  return Math.max(missing(a, b), missing(b, a)) / (a.width * a.height);
}"""
"""The share of pixels whose colour, within a quarter, is nowhere around the same place of the other picture.

Smoothed edges differ by less, and off whole pixels each drawing rounds in its own way.
"""


def plot(page: Page, view: str) -> Locator:
    """The box of a figure, with its live plot settled."""
    box = widget(page, view).locator("[data-plot]")
    box.scroll_into_view_if_needed()
    page.wait_for_selector(f"section[data-widget='{view}'] [data-plot][data-drawn=plotly]")
    return box


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_the_live_plot_looks_like_the_picture_it_replaces(visited: Page, width: int, theme: str) -> None:
    visited.set_viewport_size({"width": width, "height": 900})
    visited.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
    for view in VIEWS:
        box = plot(visited, view)
        visited.mouse.move(0, 0)
        shots = []
        for drawn in ("plotly", "picture"):
            box.evaluate("(box, drawn) => { box.dataset.drawn = drawn; }", drawn)
            shots.append(base64.b64encode(box.screenshot(animations="disabled")).decode())
        assert visited.evaluate(DIFFERENT, shots) < 0.001, view


def test_paper_shows_the_present_numbers_in_light_colours(visited: Page) -> None:
    visited.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
    move(visited, "ppo-clip", "ratio", 0.6)
    settle(visited, "ppo-clip", {"ratio": 0.6})
    box = plot(visited, "ppo-clip")
    dark = box.locator(".picture.wide path").last.evaluate("(path) => getComputedStyle(path).stroke")
    visited.emulate_media(media="print")
    assert not box.locator(".plot-live").is_visible()
    for size in ("wide", "narrow"):
        assert "r = 0.60" in (box.locator(f".picture.{size}").text_content() or "")
    light = box.locator(".picture.wide path").last.evaluate("(path) => getComputedStyle(path).stroke")
    assert light != dark


def test_the_live_plot_names_what_is_under_the_pointer(visited: Page) -> None:
    box = plot(visited, "ppo-clip")
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

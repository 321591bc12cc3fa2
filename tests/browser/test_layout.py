"""Figure and controls in one view: beside each other on wide screens, the figure at the top of small ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Locator, Page

from .artifact import WIDGETS
from .hosting import Host
from .pages import Guard, open_lesson
from .sliders import drag, settle, slider, widget

Box = dict[str, float]
PHONES = [(360, 740), (390, 664), (430, 932)]
"""Width and height, in CSS pixels, of what is left of the screen between a browser's bars."""
COVERED = """(control) => {
  const { left, top, width, height } = control.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return there !== control && !control.contains(there) && !there?.contains(control);
}"""


def box(one: Locator) -> Box:
    found = one.bounding_box()
    assert found is not None
    return dict(found)


def plot(page: Page, view: str) -> Locator:
    return widget(page, view).locator("[data-plot]")


def drag_by_touch(touch: CDPSession, start: tuple[float, float], by: tuple[float, float]) -> None:
    (x, y), (dx, dy), steps = start, by, 12
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, steps + 1):
        point = {"x": x + dx * step / steps, "y": y + dy * step / steps}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.fixture
def phone(browser: Browser, host: Host) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, device_scale_factor=1
    )
    guard = Guard(host.origin)
    guard.watch(context)
    page = context.new_page()
    open_lesson(page, host)
    yield page
    guard.settle()
    context.close()


@pytest.mark.parametrize("width", [1024, 1280, 1600])
def test_on_wide_screens_figure_and_controls_are_seen_together(visited: Page, width: int) -> None:
    visited.set_viewport_size({"width": width, "height": 900})
    for view in WIDGETS:
        section = widget(visited, view)
        section.scroll_into_view_if_needed()
        figure, controls = box(plot(visited, view)), box(section.locator(".controls"))
        assert controls["x"] >= figure["x"] + figure["width"], f"{view}: not beside the figure"
        top = min(figure["y"], box(section.locator(".readouts"))["y"])
        bottom = max(figure["y"] + figure["height"], controls["y"] + controls["height"])
        assert bottom - top <= 760, f"{view} is {bottom - top} high"


def test_a_tablet_keeps_the_figure_above_its_controls(visited: Page) -> None:
    visited.set_viewport_size({"width": 768, "height": 1024})
    for view in WIDGETS:
        figure, controls = box(plot(visited, view)), box(widget(visited, view).locator(".controls"))
        assert controls["y"] >= figure["y"] + figure["height"]


@pytest.mark.parametrize("size", [*PHONES, (768, 1024)], ids=str)
def test_the_figure_stays_in_sight_while_its_controls_pass(visited: Page, size: tuple[int, int]) -> None:
    width, height = size
    visited.set_viewport_size({"width": width, "height": height})
    for view in WIDGETS:
        for name in WIDGETS[view]["frame"]["params"]:
            control = slider(visited, view, name)
            control.evaluate("(one) => one.scrollIntoView({ block: 'end' })")
            figure, thumb = box(plot(visited, view)), box(control)
            assert figure["y"] >= -60, f"{view}, {name}: the figure has left at {figure['y']}"
            assert figure["y"] + figure["height"] <= thumb["y"] + 1, f"{view}, {name} is under its figure"
            assert thumb["y"] + thumb["height"] <= height + 1


def test_a_control_that_takes_the_focus_is_not_covered(visited: Page) -> None:
    visited.set_viewport_size({"width": 360, "height": 740})
    for view in WIDGETS:
        fields = widget(visited, view).locator("form :is(input, button)")
        count = fields.count()
        for i in [*range(count), *reversed(range(count))]:
            fields.nth(i).focus()
            assert not fields.nth(i).evaluate(COVERED), (view, fields.nth(i).evaluate("one => one.outerHTML"))


def test_paper_has_no_figure_that_stays_behind(visited: Page) -> None:
    visited.set_viewport_size({"width": 360, "height": 740})
    visited.emulate_media(media="print")
    assert plot(visited, "kl").evaluate("(one) => getComputedStyle(one).position") != "sticky"


@pytest.mark.parametrize("width", [360, 430, 768, 1024, 1280])
def test_nothing_moves_while_a_control_does(visited: Page, width: int) -> None:
    visited.set_viewport_size({"width": width, "height": 900})
    moves: dict[str, tuple[str, list[float]]] = {
        "two-action-reinforce": ("step", [0, 1, 5, 30, 60]),
        "ppo-clip": ("ratio", [0, 0.5, 0.8, 1, 1.2, 2]),
        "kl": ("q_1", [0, 0.7, 1]),
        "clip-is-not-a-bound": ("epochs", [0, 1, 10, 40]),
    }
    for view, (name, values) in moves.items():
        control = slider(visited, view, name)
        control.scroll_into_view_if_needed()
        places = set()
        for value in values:
            drag(visited, view, name, value)
            settle(visited, view, {name: value})
            places.add((round(box(control)["y"]), round(box(widget(visited, view))["height"])))
        # The table of numbers may grow; it is folded.
        assert len(places) == 1, f"{view}: {places}"


def test_a_vertical_swipe_on_a_slider_scrolls_and_a_horizontal_one_moves_it(phone: Page) -> None:
    touch = phone.context.new_cdp_session(phone)
    control = slider(phone, "two-action-reinforce", "learning_rate")
    control.evaluate("(one) => one.scrollIntoView({ block: 'end' })")
    before: dict[str, Any] = {"scroll": phone.evaluate("scrollY"), "value": control.input_value()}
    at = box(control)
    drag_by_touch(touch, (at["x"] + at["width"] * 0.7, at["y"] + at["height"] / 2), (0, -150))
    phone.wait_for_function("(before) => scrollY > before + 80", arg=before["scroll"])
    assert control.input_value() == before["value"]

    control = slider(phone, "two-action-reinforce", "prob")
    control.evaluate("(one) => one.scrollIntoView({ block: 'end' })")
    phone.wait_for_timeout(300)
    still = phone.evaluate("scrollY")
    at = box(control)
    start = float(control.input_value())
    span = float(control.get_attribute("max") or 0) - float(control.get_attribute("min") or 0)
    thumb = at["x"] + at["width"] * (start - float(control.get_attribute("min") or 0)) / span
    drag_by_touch(touch, (thumb, at["y"] + at["height"] / 2), (120, 0))
    assert float(control.input_value()) > start + 0.2
    settle(phone, "two-action-reinforce", {"prob": float(control.input_value())})
    assert phone.evaluate("scrollY") == still
    figure = box(plot(phone, "two-action-reinforce"))
    assert figure["y"] >= 0, "the reader sees the effect"
    assert figure["y"] + figure["height"] <= 740


def test_a_control_without_effect_says_why_and_moves_nothing_when_it_has_one_again(visited: Page) -> None:
    why = widget(visited, "kl").locator("[data-control=p_2] [data-why]")
    assert why.text_content() == "used with three actions; now the rest, 0.30"
    below = box(slider(visited, "kl", "q_2"))
    drag(visited, "kl", "actions", 3)
    settle(visited, "kl", {"actions": 3})
    assert why.text_content() == ""
    assert box(slider(visited, "kl", "q_2")) == below
    drag(visited, "kl", "actions", 2)
    settle(visited, "kl", {"actions": 2})
    assert "0.30" in (why.text_content() or "")


def test_the_contents_name_the_section_that_is_read(visited: Page) -> None:
    current = visited.locator(".contents-wide [aria-current=location]")
    assert current.count() == 0
    for section in ("engineering-example", "sources", "the-mechanism"):
        visited.evaluate("(id) => document.getElementById(id).scrollIntoView()", section)
        visited.wait_for_function(
            "(id) => document.querySelector('.contents-wide [aria-current=location]')?.hash === `#${id}`",
            arg=section,
        )
        assert current.count() == 1

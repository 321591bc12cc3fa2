"""Moving sliders as a reader without a mouse does, and reading what a widget says."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Locator, Page

KEYS = ("Home", "End", "PageUp", "PageDown", "ArrowRight", "ArrowLeft")


def widget(page: Page, view: str) -> Locator:
    return page.locator(f"section[data-widget='{view}']")


def slider(page: Page, view: str, name: str) -> Locator:
    return widget(page, view).locator(f"input[type=range][name='{name}']")


def move(page: Page, view: str, name: str, value: float) -> None:
    """Take a slider to a value with Home, End, Page and arrow keys only."""
    control = slider(page, view, name)
    control.scroll_into_view_if_needed()
    control.focus()
    step, low, high = (float(control.get_attribute(key) or 0) for key in ("step", "min", "max"))
    page.keyboard.press("Home" if value - low <= high - value else "End")
    for key in ("PageUp", "PageDown", "ArrowRight", "ArrowLeft"):
        up = key in ("PageUp", "ArrowRight")
        for _ in range(1000):
            here = float(control.input_value())
            wanted = value - here if up else here - value
            if wanted < step / 2:
                break
            page.keyboard.press(key)
            after = float(control.input_value())
            moved = abs(after - here)
            assert moved > 0, f"{key} does not move {view}.{name} from {here}"
            if moved > wanted + step / 2:  # a page too far: back, and on with the arrows
                page.keyboard.press({"PageUp": "PageDown", "PageDown": "PageUp"}[key])
                assert float(control.input_value()) == here
                break
    assert abs(float(control.input_value()) - value) < step / 2


def settle(page: Page, view: str, params: dict[str, float]) -> None:
    """Wait until the widget is live and shows these parameters."""
    page.wait_for_function(
        """([view, params]) => {
          const section = document.querySelector(`section[data-widget="${view}"]`);
          return section.dataset.state === 'live' && Object.entries(params).every(([name, value]) =>
            Number(section.querySelector(`input[type=range][name="${name}"]`).value) === value);
        }""",
        arg=[view, params],
    )


def outputs(page: Page, view: str) -> dict[str, float]:
    found = (
        widget(page, view)
        .locator("output[data-output]")
        .evaluate_all("all => all.map((output) => [output.dataset.output, output.dataset.value])")
    )
    return {name: float(value) for name, value in found}


def summary(page: Page, view: str) -> str:
    return widget(page, view).locator("[data-summary]").inner_text().strip()


def stored(page: Page) -> dict[str, Any]:
    """The page's local storage, parsed."""
    entries = page.evaluate("() => Object.entries(localStorage)")
    return {key: json.loads(value) for key, value in entries if value[:1] in "{["}

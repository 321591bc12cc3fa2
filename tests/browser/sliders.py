"""Moving sliders as a reader without a mouse does, and reading what a widget says."""

from __future__ import annotations

import math
import time
from typing import Any

from playwright.sync_api import Locator, Page

from policygrad.views import VIEWS

from .artifact import WIDGETS

Params = dict[str, float]
Model = dict[str, Any]

PATIENCE = 20.0
"""Seconds for an answer from Python, which takes milliseconds on a quiet machine."""
AGREE = 1e-9
"""Between engines, relative; see the parity tests."""

STATE = """(section) => ({
  state: section.dataset.state,
  params: Object.fromEntries([...section.querySelectorAll('input[type=range]')]
    .map((one) => [one.name, one.valueAsNumber])),
  outputs: Object.fromEntries([...section.querySelectorAll('output[data-output]')]
    .map((one) => [one.dataset.output, { value: one.dataset.value, text: one.textContent }])),
  summary: section.querySelector('[data-summary]').textContent.trim(),
  case: section.querySelector('[data-case]').textContent.trim(),
})"""
RESET = """() => {
  document.activeElement.blur();
  document.documentElement.dataset.theme = 'light';
  for (const button of document.querySelectorAll('[data-act=reset]')) button.click();
  for (const one of document.querySelectorAll('main details[open]')) one.open = false;
  scrollTo(0, 0);
}"""


def widget(page: Page, view: str) -> Locator:
    return page.locator(f"section[data-widget='{view}']")


def slider(page: Page, view: str, name: str) -> Locator:
    return widget(page, view).locator(f"input[type=range][name='{name}']")


def number_field(page: Page, view: str, name: str) -> Locator:
    return widget(page, view).locator(f"input[data-number-for='{name}']")


def control(view: str, name: str) -> dict[str, Any]:
    return next(one for one in VIEWS[view].spec()["controls"] if one["name"] == name)


def defaults(view: str) -> Params:
    """Where the lesson's first frame has the controls."""
    return dict(WIDGETS[view]["frame"]["params"])


def move(page: Page, view: str, name: str, value: float) -> None:
    """Take a slider to a value with Home or End, then Page keys, then arrow keys only."""
    spec = control(view, name)
    low, high, step, page_size = (spec[key] for key in ("min", "max", "step", "page"))
    one = slider(page, view, name)
    one.focus()
    from_low = value - low <= high - value
    page.keyboard.press("Home" if from_low else "End")
    assert float(one.input_value()) == (low if from_low else high)
    steps = round(abs(value - (low if from_low else high)) / step)
    pages, arrows = divmod(steps, round(page_size / step))
    for key, times in (("PageUp" if from_low else "PageDown", pages), ("Arrow", arrows)):
        for _ in range(times):
            page.keyboard.press(key if key != "Arrow" else "ArrowRight" if from_low else "ArrowLeft")
    assert abs(float(one.input_value()) - value) < step / 2, (view, name, one.input_value(), value)


def drag(page: Page, view: str, name: str, value: float) -> None:
    """What a mouse or a finger does to a slider, without either."""
    slider(page, view, name).evaluate(
        "(one, value) => { one.value = value; one.dispatchEvent(new Event('input', { bubbles: true })); }",
        value,
    )


def shown(page: Page, view: str) -> dict[str, Any]:
    """Everything that a widget says at this moment."""
    state: dict[str, Any] = widget(page, view).evaluate(STATE)
    return state


def outputs(page: Page, view: str) -> dict[str, float]:
    return {name: float(output["value"]) for name, output in shown(page, view)["outputs"].items()}


def differences(state: dict[str, Any], model: Model, params: Params) -> list[str]:
    """Where a widget differs from the core's model of the position that its sliders are at."""
    found = [] if state["state"] == "live" else [f"its state is {state['state']}"]
    found += [
        f"{name} stands at {state['params'][name]}, not {value}"
        for name, value in params.items()
        if not math.isclose(state["params"][name], value, abs_tol=1e-9)
    ]
    wanted = {output["name"]: output for output in model["outputs"]}
    if state["outputs"].keys() != wanted.keys():
        found.append(f"it has the outputs {sorted(state['outputs'])}")
    for name, output in wanted.items():
        here = state["outputs"].get(name, {"value": "nan", "text": ""})
        value, expected = float(here["value"]), float(output["value"])
        if not (value == expected or math.isclose(value, expected, rel_tol=AGREE, abs_tol=1e-12)):
            found.append(f"{name} is {value}, not {expected}")
        if here["text"] != output["text"]:
            found.append(f"{name} reads {here['text']}, not {output['text']}")
    for key, text in (("summary", model["summary"]), ("case", model["state"]["label"])):
        if state[key] != text:
            found.append(f"its {key} is “{state[key]}”, not “{text}”")
    return found


def settle(page: Page, view: str, params: Params | None = None) -> Model:
    """Wait until the widget shows what the core computes in CPython for where its sliders stand.

    Args:
        params: where some of its sliders must stand by then.
    Returns: the core's model of that position.
    """
    until = time.monotonic() + PATIENCE
    while True:
        state = shown(page, view)
        model: Model = VIEWS[view].model(state["params"])
        found = differences(state, model, params or {})
        if not found:
            return model
        assert time.monotonic() < until, f"{view}: {'; '.join(found)}"
        page.wait_for_timeout(20)


def reset_all(page: Page) -> None:
    """Every widget back to its first frame, by its own button."""
    page.evaluate(RESET)
    for view in WIDGETS:
        settle(page, view, defaults(view))

"""Widgets: a view of the core with its controls, and the first frame that is seen before any script runs."""

import math
from collections.abc import Mapping
from typing import Any

from lessonbuild import core
from lessonbuild.errors import Fault, did_you_mean
from lessonbuild.numerals import FRAME_DIGITS, as_json


def known_view(view: str) -> dict[str, Any]:
    """Return the spec of a view. Raises `Fault` when the core has none of that name."""
    if view not in core.view_ids():
        raise Fault("widget-known", f'unknown widget "{view}"{did_you_mean(view, core.view_ids())}')
    spec: dict[str, Any] = as_json(core.view_spec(view), FRAME_DIGITS)
    return spec


def checked_params(spec: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters. Raises `Fault` for an unknown control or a value that it cannot take."""
    controls = {control["name"]: control for control in spec["controls"]}
    checked: dict[str, Any] = {}
    for name, value in params.items():
        if name not in controls:
            hint = did_you_mean(name, controls)
            raise Fault("widget-control", f'the widget "{spec["view"]}" has no control "{name}"{hint}')
        checked[name] = _checked(controls[name], value)
    return checked


def number(text: str) -> float | int:
    """Read a control's value as an author writes it. Raises `Fault` when it is no number."""
    try:
        value = float(text.replace("−", "-"))
    except ValueError:
        raise Fault("widget-control", f'"{text}" is not a number') from None
    return int(value) if value.is_integer() and "." not in text and "e" not in text.lower() else value


def first_frame(view: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the view model at the view's defaults with these parameters, as it is stored in a lesson."""
    model = core.guarded(view, lambda: core.view_model(view, params))
    frame: dict[str, Any] = as_json(model, FRAME_DIGITS)
    if frame.get("notices"):
        raise Fault("widget-control", f'the widget "{view}" changed the given values: {frame["notices"][0]}')
    return frame


def _checked(control: Mapping[str, Any], value: Any) -> Any:
    name, low, high = control["name"], control["min"], control["max"]
    limits = f"{low:g} to {high:g}"
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Fault("widget-control", f'"{name}" is {value!r}; it needs a number from {limits}')
    if not low <= value <= high:
        raise Fault("widget-control", f'"{name}" is {value}; its range is {limits}')
    steps = (value - low) / control["step"]
    if abs(steps - round(steps)) > 1e-6:
        raise Fault(
            "widget-control", f'"{name}" is {value}; it moves in steps of {control["step"]:g} from {low:g}'
        )
    return value

"""What a widget is (`View`: controls, outputs, actions) and what it shows at one position (`Frame`).

A view is a pure function of its parameters: where a model was computed, at build time or in the page, never
matters. Parameters may come from a link that somebody typed, so nothing about them is an error: what cannot
be used is replaced, and a notice says so.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from .text import MINUS, apart, fixed, json_number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Values = Mapping[str, float]
    """One number per control, on its grid."""


@dataclass(frozen=True, slots=True)
class Control:
    """One slider."""

    name: str
    label: str
    symbol: str
    """How formulas write it; empty when they do not."""
    min: float
    max: float
    step: float
    page: float
    """What PageUp and PageDown add."""
    default: float
    decimals: int
    unit: str = ""
    stops: tuple[float, ...] = ()
    """Positions worth finding, marked along the slider."""

    def on_grid(self, value: float) -> float:
        """The nearest position: 0.1 + 0.2 becomes the 0.3 that the slider shows."""
        steps = math.floor((min(max(value, self.min), self.max) - self.min) / self.step + 0.5)
        place = round(min(self.min + steps * self.step, self.max), self.decimals)
        return place + 0.0 if self.decimals else int(place)

    def shown(self, value: float) -> str:
        return fixed(value, self.decimals)


@dataclass(frozen=True, slots=True)
class Output:
    """One number beside the figure."""

    name: str
    label: str
    unit: str
    decimals: int


@dataclass(frozen=True, slots=True)
class Action:
    """A button that moves one control."""

    control: str
    label: str
    kind: str
    """ "add" moves by `by`, "play" repeats that until the end, "set" goes to `to`."""
    by: float | None = None
    to: float | None = None
    wrap: bool = False
    """Whether adding goes on at the other end of the range."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What one position of the controls shows; `View.model` completes it."""

    outputs: Values
    """Every output by name."""
    spoken: Mapping[str, str]
    """What a control's position means, for screen readers; the value with its unit where none is given."""
    case: str
    """Stable name of the situation the reader is in."""
    label: str
    """The situation in words."""
    summary: str
    """One plain sentence with the numbers of this position."""
    panels: list[dict[str, Any]]
    table: dict[str, Any]
    params: Values = field(default_factory=dict)
    """Controls that the view itself had to move, such as a probability that was left too large."""
    notices: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    """Controls that have no effect at this position; what is spoken of them says why, and is shown."""


@dataclass(frozen=True, slots=True)
class View:
    """One widget: static description, and the function that draws a position of its controls."""

    id: str
    title: str
    controls: tuple[Control, ...]
    outputs: tuple[Output, ...]
    draw: Callable[[Values], Frame]
    actions: tuple[Action, ...] = ()

    def spec(self) -> dict[str, Any]:
        """What never changes, as plain data."""
        return {
            "view": self.id,
            "title": self.title,
            "controls": [asdict(control) | {"stops": list(control.stops)} for control in self.controls],
            "outputs": [asdict(output) for output in self.outputs],
            "actions": [_without_blanks(asdict(action)) for action in self.actions],
        }

    def model(self, params: Mapping[str, object] | None = None) -> dict[str, Any]:
        """The view model at these parameters, as plain JSON values; defaults where none is given."""
        values, notices = self._settled(params or {})
        frame = self.draw(values)
        values = {**values, **frame.params}
        spoken = {c.name: f"{c.label} {c.shown(values[c.name])} {c.unit}".rstrip() for c in self.controls}
        return {
            "view": self.id,
            "params": values,
            "notices": [*notices, *frame.notices],
            "outputs": [
                {
                    "name": output.name,
                    "label": output.label,
                    "value": json_number(frame.outputs[output.name]),
                    "text": fixed(frame.outputs[output.name], output.decimals),
                    "unit": output.unit,
                }
                for output in self.outputs
            ],
            "spoken": spoken | dict(frame.spoken),
            "unused": list(frame.unused),
            "state": {"case": frame.case, "label": frame.label},
            "summary": frame.summary,
            "figure": {"panels": frame.panels},
            "table": frame.table,
        }

    def _settled(self, params: Mapping[str, object]) -> tuple[dict[str, float], list[str]]:
        """Every control on its grid, and a notice for everything that was asked for and is not shown."""
        values, notices = {}, []
        for control in self.controls:
            value, notice = _settle(control, params.get(control.name))
            values[control.name] = value
            if notice:
                notices.append(notice)
        known = ", ".join(values)
        for name in params:
            if name not in values:
                notices.append(
                    f"“{str(name)[:20]}” is not a control of this figure ({known}): it is ignored."
                )
        return values, notices


def _settle(control: Control, wanted: object) -> tuple[float, str]:
    """Where the control stands, and what to tell the reader when that is not where it was asked to."""
    if wanted is None:
        return control.default, ""
    number = _number(wanted)
    if math.isnan(number):
        text = "NaN" if isinstance(wanted, float) else str(wanted)[:20]
        default = control.shown(control.default)
        return control.default, f"“{text}” is not a number: {control.label} stays at {default}."
    value = control.on_grid(number)
    used = control.shown(value)
    if not control.min <= number <= control.max:
        side = "above" if number > control.max else "below"
        limits = f"{control.shown(control.min)} to {control.shown(control.max)}"
        far = 1e6 < abs(number) < math.inf
        # 2.004 is not "2.00 is above 2.00".
        asked = f"{number:.3g}".replace("-", MINUS) if far else apart(number, value, control.decimals)[0]
        return value, f"{control.label} {asked} is {side} its range ({limits}): {used} is used."
    if abs(value - number) > 1e-9:
        return value, f"{control.label} moves in steps of {control.step:g}: {used} is used."
    return value, ""


def _number(wanted: object) -> float:
    """A number as a float, also an integer too large for one; NaN for everything else."""
    if isinstance(wanted, bool) or not isinstance(wanted, (int, float)):
        return math.nan
    try:
        return float(wanted)
    except OverflowError:
        return math.inf if wanted > 0 else -math.inf


def _without_blanks(action: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in action.items() if value is not None and value is not False}

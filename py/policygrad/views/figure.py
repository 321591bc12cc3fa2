"""The panel language: what a figure shows, as plain data. Colours and pixels belong to the page.

A `role` names the meaning of a mark ("old" policy, "clip" interval, …) and the page gives it its look.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .text import fixed, json_number, signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Mark = dict[str, Any]


def axis(
    label: str, limits: tuple[float, float], *, unit: str = "", ticks: Sequence[float] = ()
) -> dict[str, Any]:
    """A numeric axis. Its limits do not follow the data, so that nothing jumps while a control is dragged."""
    result: dict[str, Any] = {"label": label, "unit": unit, "range": list(limits)}
    if ticks:
        result["ticks"] = list(ticks)
    return result


def categories(label: str, names: Sequence[str]) -> dict[str, Any]:
    """An axis of names, for bars."""
    return {"label": label, "unit": "", "categories": list(names)}


def roomy(values: Iterable[float], tops: Sequence[float]) -> float:
    """The first of the given tops that the values fit under: an axis that grows in few, named steps."""
    largest = max(values)
    return next((top for top in tops if largest <= top), tops[-1])


def line(
    role: str, x: Sequence[float], y: Sequence[float], *, label: str = "", label_at: float | None = None
) -> Mark:
    """A curve; `label_at` is where along it, from 0 to 1, the label stands."""
    mark: Mark = {"role": role, "label": label, "x": list(x), "y": list(y)}
    if label_at is not None:
        mark["label_at"] = label_at
    return mark


def point(role: str, x: float, y: float, label: str = "") -> Mark:
    return {"role": role, "x": x, "y": y, "label": label}


def segment(
    role: str, x: tuple[float, float], y: tuple[float, float], label: str = "", *, arrow: bool = False
) -> Mark:
    return {"role": role, "x": list(x), "y": list(y), "label": label, "arrow": arrow}


def rule(role: str, at: float, label: str = "", *, along: str = "x") -> Mark:
    """A line across the panel at one value of the axis `along`."""
    return {"role": role, "axis": along, "at": at, "label": label}


def band(role: str, low: float, high: float, label: str = "", *, along: str = "x") -> Mark:
    """A strip between two values of the axis `along`."""
    return {"role": role, "axis": along, "from": low, "to": high, "label": label}


def bars(
    role: str | list[str],
    names: Sequence[str],
    heights: Sequence[float],
    texts: Sequence[str],
    label: str = "",
) -> Mark:
    return {"role": role, "label": label, "x": list(names), "y": list(heights), "text": list(texts)}


def signed_bars(
    names: Sequence[str], values: Sequence[float], decimals: int, *, top: float, label: str = ""
) -> Mark:
    """Bars whose role says their sign; one that is higher than the panel (or infinite) ends at its top."""
    roles = ["positive" if value >= 0 else "negative" for value in values]
    heights = [max(min(value, top), -top) for value in values]
    return bars(roles, names, heights, [signed(value, decimals) for value in values], label)


def panel(
    name: str, title: str, x: dict[str, Any], y: dict[str, Any], *, main: bool = False, **marks: list[Mark]
) -> dict[str, Any]:
    """One plot: `lines`, `points`, `segments`, `rules`, `bands` and `bars` on two axes.

    A `main` panel is large, and the other panels of its figure stand beside it.
    """
    return {"id": name, "title": title, **({"main": True} if main else {}), "x": x, "y": y, **marks}


def cell(value: float, decimals: int) -> dict[str, Any]:
    """A number in the data table."""
    return {"value": json_number(value), "text": fixed(value, decimals)}


def words(text: str) -> dict[str, Any]:
    """A name in the data table."""
    return {"value": text, "text": text}


def table(
    caption: str, columns: Sequence[tuple[str, str]], rows: Sequence[list[dict[str, Any]]]
) -> dict[str, Any]:
    """The numbers behind a figure; a column is a label and a unit."""
    return {
        "caption": caption,
        "columns": [{"label": label, "unit": unit} for label, unit in columns],
        "rows": list(rows),
    }

"""The points at which an equation is compared: `:at: r=1.4, A=2`, or `:each: r=[0.8, 1.4], A=[-2, 2]`."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from lessonbuild import core
from lessonbuild.errors import Fault, located
from lessonbuild.literals import assignments
from lessonbuild.source.directives import Given

MOST: Final = 500
_RULE: Final = "equation-points"


@dataclass(frozen=True, slots=True)
class Point:
    """Values of all symbols, and the line that gives them."""

    values: dict[str, Any]
    line: int

    def __str__(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.values.items())


def read_points(at: Sequence[Given], each: Sequence[Given]) -> list[Point]:
    """Read all points; they name the same symbols. Raises `Fault` with the line of what is wrong."""
    points: list[Point] = []
    for option, is_product in [*((given, False) for given in at), *((given, True) for given in each)]:
        with located(option.line):
            found = assignments(option.text, _RULE)
            for values in _product(found) if is_product else [found]:
                _check_values(values, points)
                points.append(Point(values, option.line))
    return points


def _product(lists: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, values in lists.items():
        if not isinstance(values, list) or not values:
            raise Fault(_RULE, f':each: needs a list for "{name}", such as {name}=[0.5, 1.4]')
    for row in itertools.product(*lists.values()):
        yield dict(zip(lists, row, strict=True))


def _check_values(values: Mapping[str, Any], points: Sequence[Point]) -> None:
    if len(points) >= MOST:
        raise Fault(_RULE, f"there are more than {MOST} points; fewer show as much")
    if points and set(values) != set(points[0].values):
        odd = min(set(values) ^ set(points[0].values))
        raise Fault(_RULE, f'"{odd}" is not given at every point; all points name the same symbols')
    for name, value in values.items():
        if name == "np" or name in core.functions():
            raise Fault(_RULE, f'"{name}" has a meaning already; give the symbol another name')
        try:
            np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            raise Fault(_RULE, f'"{name}" is neither a number nor an array of numbers') from None

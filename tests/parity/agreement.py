"""Do two answers agree? Structure, text and integers exactly, floats to a relative tolerance."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

RELATIVE = 1e-12
AFTER_TRAINING = 1e-9
"""For the first updates of a trainer: each update passes on what the one before rounded."""
OF_RELATIVE = 1e-3
"""A float below this part of the tolerance is what rounding leaves of a zero, and its digits mean nothing."""


def differences(
    ours: Any, theirs: Any, where: str = "answer", *, relative: float = RELATIVE
) -> Iterator[str]:
    """Every place where two JSON values differ, with both values."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if list(ours) != list(theirs):
            yield f"{where}: names {list(ours)} and {list(theirs)}"
            return
        for name in ours:
            yield from differences(ours[name], theirs[name], f"{where}.{name}", relative=relative)
    elif isinstance(ours, list) and isinstance(theirs, list):
        if len(ours) != len(theirs):
            yield f"{where}: {len(ours)} and {len(theirs)} entries"
            return
        for place, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from differences(one, other, f"{where}[{place}]", relative=relative)
    elif not same(ours, theirs, relative=relative):
        yield f"{where}: {ours!r} and {theirs!r}"


def same(ours: Any, theirs: Any, *, relative: float = RELATIVE) -> bool:
    """Two scalars; an integer and a float are different things, also when they are equal."""
    if type(ours) is not type(theirs):
        return False
    if isinstance(ours, float):
        return math.isclose(ours, theirs, rel_tol=relative, abs_tol=relative * OF_RELATIVE)
    return bool(ours == theirs)


def disagreements(
    requests: Iterable[dict[str, Any] | str],
    here: Callable[[str], str],
    page: Callable[[str], str],
    *,
    relative: float = RELATIVE,
) -> list[str]:
    """Asks both engines each request and returns every difference, in words that name the request."""
    found = []
    for request in requests:
        text = request if isinstance(request, str) else json.dumps(request)
        ours, theirs = json.loads(here(text)), json.loads(page(text))
        found += [f"{text}\n    {difference}" for difference in differences(ours, theirs, relative=relative)]
    return found

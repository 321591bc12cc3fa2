"""Displayed equations: each is mirrored by a NumPy expression, which must agree with the core.

    :::{math} clipped-term
    :numpy: np.minimum(r * A, np.clip(r, 1 - eps, 1 + eps) * A)
    :core: clipped_objective(r, A, clip_epsilon=eps)
    :each: r=[0.8, 1.4], A=[-2, 2], eps=[0.2]
    J = …
    :::

A check that cannot fail would be worth nothing. So there are two different points or more, the value differs
between them, both sides use every symbol, each symbol changes either side at one point at least, and so does
what the core returns.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from lessonbuild.errors import Fault
from lessonbuild.expressions import Expression
from lessonbuild.points import Point, read_points
from lessonbuild.source.directives import Given, Invocation
from lessonbuild.source.draft import Draft, Node
from lessonbuild.source.maths import read_math

TOLERANCE: Final = 1e-9


def read_equation(draft: Draft, given: Invocation) -> list[Node]:
    """Check an equation and return its block."""
    name = given.argument
    if name:
        draft.claim(name, given.line, what="an equation", prefix="equation-")
    block: Node = {"type": "equation", "equation": name, "tex": given.body.text.strip("\n")}
    read_math(draft, block, given.body.line, display=True)
    entry: Node = {
        "id": name,
        "tex": "",
        "numpy": None,
        "core": None,
        "at": [],
        "check": "core",
        "reason": None,
    }
    draft.equations.append(entry)
    draft.later(given.line, lambda: entry.update(tex=block["tex"]))
    reason = unchecked_reason(draft, given, ("numpy", "core", "at", "each"))
    if reason is None:
        with draft.reporter.faults_at(given.line):
            _check(draft, given, entry)
    else:
        entry.update(check="none", reason=reason)
        draft.notes.append(f"{draft.reporter.file}:{given.line}: equation {name} is not checked: {reason}")
    return [block]


def unchecked_reason(draft: Draft, given: Invocation, instead_of: Sequence[str]) -> str | None:
    """Return the reason of a `:check: none`, or None when there is something to check."""
    check, reason = given.first("check"), given.first("reason")
    if check is None:
        if reason is not None:
            message = ":reason: is for `:check: none`; here something is checked, and nobody reads it"
            draft.reporter.error(reason.line, "check-reason", message)
        return None
    if check.text != "none":
        message = f'"{check.text}" is no check; leave :check: out, or write `:check: none` with a :reason:'
        draft.reporter.error(check.line, "option-value", message)
    for key in instead_of:
        for option in given.all(key):
            message = f":{key}: contradicts `:check: none`; remove one of them"
            draft.reporter.error(option.line, "check-reason", message)
    words = " ".join(reason.text.split()) if reason else ""
    if len(words.split()) < 2:
        message = "`:check: none` needs a :reason: that says why there is nothing to compute"
        draft.reporter.error(reason.line if reason else check.line, "check-reason", message)
    return words


def _check(draft: Draft, given: Invocation, entry: Node) -> None:
    """Compare the two sides at every point. Raises `Fault` with the line of the option that is wrong."""
    points = read_points(given.all("at"), given.all("each"))
    if len({str(point) for point in points}) < 2:
        message = "an equation is compared at two different points or more; give them with :at: or :each:"
        raise Fault("equation-points", message, points[0].line if points else None)
    numpy_text, core_text = _needed(given, "numpy"), _needed(given, "core")
    values: list[Any] = []
    is_strong = False
    with draft.reporter.faults_at(numpy_text.line):
        mirror = _side(numpy_text, points, with_core=False)
        values = [_value(mirror, point) for point in points]
        _check_varies(values, points)
        _check_power(mirror, values, points, "the value")
        is_strong = True
    with draft.reporter.faults_at(core_text.line):
        called = _side(core_text, points, with_core=True)
        draft.values.used |= called.core_names
        others = [called.value(point.values) for point in points]
        for point, value, other in zip(points, values, others, strict=bool(values)):
            _compare(point, value, other)
        _check_core(called, others, points)
        if is_strong:
            _check_power(called, others, points, ":core:")
    entry.update(numpy=" ".join(numpy_text.text.split()), core=" ".join(core_text.text.split()))
    entry["at"] = [point.values for point in points]


def _needed(given: Invocation, key: str) -> Given:
    option = given.first(key)
    if option is None:
        raise Fault("option-required", f"{{math}} needs :{key}:, or `:check: none` with a :reason:")
    return option


def _side(option: Given, points: Sequence[Point], *, with_core: bool) -> Expression:
    side = Expression(option.text, with_core=with_core)
    if with_core and not side.core_names:
        raise Fault("equation-core", ":core: calls no public function of the core, so nothing is compared")
    if with_core and not side.names_for_core & points[0].values.keys():
        raise Fault(
            "equation-core", "no symbol is an argument of the core's function in :core:, so it is not tested"
        )
    unused = set(points[0].values) - side.names
    if unused:
        which = "core" if with_core else "numpy"
        raise Fault(
            "equation-symbols", f'"{min(unused)}" is given at the points, but :{which}: does not use it'
        )
    return side


def _value(side: Expression, point: Point) -> Any:
    value = side.value(point.values)
    if np.isnan(value).any() or value.size == 0:
        raise Fault("equation-expression", f"the value at {point} is not a number")
    return value


def _compare(point: Point, value: Any, other: Any) -> None:
    if not agree(value, other):
        message = f"at {point}, :numpy: gives {short(value)} and :core: {short(other)}"
        raise Fault("equation-holds", message)


def agree(value: Any, other: Any) -> bool:
    """Whether two values have the same shape and are equal to one part in 10⁹, or to 10⁻⁹ when small."""
    value, other = np.asarray(value, dtype=np.float64), np.asarray(other, dtype=np.float64)
    return value.shape == other.shape and bool(np.allclose(value, other, rtol=TOLERANCE, atol=TOLERANCE))


def short(value: Any) -> str:
    """Return a value for a message, with ten digits."""
    if np.ndim(value) == 0:
        return f"{float(value):.10g}"
    return np.array2string(np.asarray(value), precision=10, separator=", ", threshold=8)


def _check_varies(values: Sequence[Any], points: Sequence[Point]) -> None:
    """Raise `Fault` when one number would pass at every point."""
    if all(np.shape(value) == np.shape(values[0]) and agree(value, values[0]) for value in values):
        message = f"the value is {short(values[0])} at every point; choose points that tell the sides apart"
        raise Fault("equation-varies", message, points[0].line)


def _check_power(side: Expression, values: Sequence[Any], points: Sequence[Point], what: str) -> None:
    """Raise `Fault` when a side would pass with a symbol that it does not really use."""
    for name in points[0].values:
        if not any(_matters(side, name, point, value) for point, value in zip(points, values, strict=True)):
            message = f'a change of "{name}" changes {what} at none of the points; add one where it does'
            raise Fault("equation-varies", message, points[0].line)


def _check_core(side: Expression, values: Sequence[Any], points: Sequence[Point]) -> None:
    """Raise `Fault` when the side is the same whatever the core returns."""
    for point, value in zip(points, values, strict=True):
        try:
            if not agree(value, side.value(point.values, core_moved=True)):
                return
        except Fault:
            return
    raise Fault(
        "equation-core", "what the core returns changes :core: at none of the points; let it be the value"
    )


def _matters(mirror: Expression, name: str, point: Point, value: Any) -> bool:
    """Whether the value at a point changes when one symbol is moved a little, up or down."""
    for factor in (1.0625, 0.9375):
        moved = np.asarray(point.values[name], dtype=np.float64) * factor + (factor - 1) / 4
        try:
            other = mirror.value({**point.values, name: moved})
        except Fault:
            return True
        if not agree(value, other):
            return True
    return False

"""Numbers in prose: ``{value}`kl_divergence([0.7, 0.3], [0.5, 0.5]) | .6f | nats | id=kl` ``.

A value is computed when the lesson is built, and becomes a fixture: the call, its value and the text shown,
which any engine can check again. The same call shown in the same way is one fixture, however often.
"""

import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import Any, Final

from lessonbuild import core
from lessonbuild.errors import Fault, did_you_mean, quoted
from lessonbuild.literals import parse_call
from lessonbuild.numerals import FORMAT, VALUE_DIGITS, Shown, as_json, shown
from lessonbuild.source.digits import first_digit
from lessonbuild.source.front_matter import ID

TOLERANCE: Final = 1e-9
NO_BREAK_SPACE: Final = "\u00a0"
_LOOKS_LIKE_FORMAT: Final = re.compile(r"[+.:]|.*[0-9].*[a-z%]$|[defgs%]$")


@dataclass(slots=True)
class Value:
    """A call of the core whose value is shown, in one way."""

    call: core.Call
    form: str | None
    json: Any
    """The value with ten significant digits."""
    shown: Shown
    unit: str = ""
    """Its unit, where one is shown; a unit may be left out, not changed."""
    id: str | None = None
    """The author's name for it, if there is one."""
    nodes: list[dict[str, Any]] = field(default_factory=list)
    """Where it is shown; the fixture's id is written there last."""


class ValueBook:
    """All values of a lesson, in the order in which they appear."""

    def __init__(self) -> None:
        self._values: dict[str, Value] = {}
        self._names: dict[str, Value] = {}
        self._of_node: dict[int, Value] = {}
        self.used: set[str] = set()

    def add(self, text: str) -> list[dict[str, Any]]:
        """Compute a role's text; return the inline nodes that show it, with its unit. Raises `Fault`."""
        expression, *parts = [part.strip() for part in text.split("|")]
        form, unit, name = _parts(parts)
        value = self._value(parse_call(expression), form)
        if name:
            if self._names.setdefault(name, value) is not value:
                raise Fault("id-unique", f'the id "{name}" names another {{value}} already')
            value.id = value.id or name
        if unit and value.unit not in {"", unit}:
            raise Fault("role-form", f"the value is in {unit} here, but in {value.unit} elsewhere")
        value.unit = value.unit or unit
        node = {"t": "value", "fixture": "", "text": value.shown.text}
        value.nodes.append(node)
        self._of_node[id(node)] = value
        return [node, {"t": "text", "text": NO_BREAK_SPACE + unit}] if unit else [node]

    def of(self, node: dict[str, Any]) -> Value:
        """The value that an inline node shows."""
        return self._of_node[id(node)]

    def named(self, name: str) -> Shown:
        """How the value with the author's name is shown. Raises `Fault` when there is none."""
        if name not in self._names:
            hint = did_you_mean(name, self._names)
            raise Fault("value-id", f"no {{value}} of this lesson has id={name or '…'}{hint}")
        return self._names[name].shown

    def compute(self, call: core.Call) -> Any:
        """Run a call and return its value as JSON with ten significant digits. Raises `Fault`."""
        self.used.add(call.function)
        return as_json(core.result(call), VALUE_DIGITS)

    def fixtures(self) -> list[dict[str, Any]]:
        """Return the fixtures of the artifact and write their ids into the nodes that show them."""
        taken = set(self._names)
        result = []
        for key, value in self._values.items():
            name = value.id or _automatic_id(value.call.name, key, taken)
            taken.add(name)
            for node in value.nodes:
                node["fixture"] = name
            result.append(
                {
                    "id": name,
                    "call": value.call.name,
                    "args": dict(value.call.args),
                    "value": value.json,
                    "tolerance": TOLERANCE,
                    "display": value.shown.text,
                    "unit": value.unit,
                }
            )
        return result

    def _value(self, call: core.Call, form: str | None) -> Value:
        """The value of a call shown in this form: a new one, or the one that is there already."""
        key = json.dumps([call.name, call.args, form], sort_keys=True)
        if key not in self._values:
            result = self.compute(call)
            self._values[key] = Value(call, form, result, shown(result, form))
        return self._values[key]


def _parts(parts: list[str]) -> tuple[str | None, str, str | None]:
    """Tell format, unit and id apart; each is given at most once, in any order."""
    form = name = None
    unit = ""
    for part in parts:
        if part.startswith("id="):
            if name is not None:
                raise Fault("role-form", "the id is given twice")
            name = part[3:].strip()
            if not ID.fullmatch(name):
                raise Fault("id-form", f"{quoted(name)} is no id; use lower-case words joined by hyphens")
        elif FORMAT.fullmatch(part):
            if form is not None:
                raise Fault("value-format", f'there are two formats, "{form}" and "{part}"')
            form = part
        elif not part:
            raise Fault("role-form", "there is nothing after a |; write format, unit or id=name")
        elif _LOOKS_LIKE_FORMAT.match(part):
            raise Fault("value-format", f"{quoted(part)} is no format; write .2f, +.1f, .3g, .1e, .0% or d")
        elif unit or (digit := first_digit(part)):
            what = "there are two units" if unit else f'the unit holds the number "{digit}"'
            raise Fault("role-form", f"{what}: {quoted(part)}")
        else:
            unit = part
    return form, unit, name


def _automatic_id(call: str, key: str, taken: set[str]) -> str:
    stem = re.sub(r"[^a-z0-9]+", "-", call.lower()).strip("-")
    digest = hashlib.sha256(key.encode()).hexdigest()
    length = 8
    while (name := f"{stem}-{digest[:length]}") in taken:
        length += 1
    return name

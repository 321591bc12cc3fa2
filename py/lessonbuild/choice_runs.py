"""Runs the options of a choice, so that feedback speaks about mistakes that are real.

The right option must give the solution's value, which `:answer:` works out in plain NumPy; each wrong one
must give another value; and each must give the number that its label shows.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lessonbuild.core import Call
from lessonbuild.equations import agree, short, unchecked_reason
from lessonbuild.errors import Fault, located
from lessonbuild.expressions import Expression
from lessonbuild.numerals import shown
from lessonbuild.source.digits import first_digit
from lessonbuild.source.directives import Invocation
from lessonbuild.source.draft import Draft, Node
from lessonbuild.values import NO_BREAK_SPACE

_NUMBER: Final = re.compile(r"(?P<sign>[+-]?)[0-9]*(?:\.(?P<places>[0-9]+)|[0-9])")

_ONLY_NUMBER: Final = re.compile(r"[+−-]?[0-9]*[.,]?[0-9]+(?:\\?%)?")


@dataclass(slots=True)
class Option:
    """An option of a choice, as it is written."""

    line: int
    correct: bool
    label: list[Node]
    feedback: list[Node]
    call: Call | None = None
    run_label: str = ""


def run_options(draft: Draft, given: Invocation, options: Sequence[Option]) -> list[Node]:
    """Run the options and return their entries in the artifact; mistakes are reported at their lines."""
    reason = unchecked_reason(draft, given, ("answer",))
    answer: Any = None
    if reason is not None:
        name = given.argument.partition(" ")[2].strip()
        draft.notes.append(f"{draft.reporter.file}:{given.line}: exercise {name} is not checked: {reason}")
    else:
        with draft.reporter.faults_at(given.line):
            answer = _answer(given)
    entries = []
    for option in options:
        entry: Node = {
            "label": option.label,
            "correct": option.correct,
            "feedback": option.feedback,
            "run": None,
            "result": None,
        }
        with draft.reporter.faults_at(option.line):
            _run(draft, option, entry, answer, needed=reason is None)
        entries.append(entry)
    return entries


def _answer(given: Invocation) -> Any:
    """The solution's value, worked out without the core."""
    option = given.first("answer")
    if option is None:
        message = "{exercise} needs :answer: with the solution's value as NumPy arithmetic, or `:check: none`"
        raise Fault("option-required", message)
    with located(option.line):
        return Expression(option.text, with_core=False).value({})


def _run(draft: Draft, option: Option, entry: Node, answer: Any, *, needed: bool) -> None:
    if option.call is None:
        if needed:
            message = "the option is not run; show its number with {value}, or add {run}`call | what it is`"
            raise Fault("exercise-run", message)
        return
    value = draft.values.compute(option.call)
    shown(value, ".3g")  # refuses what is not a number, or a short list of them
    form, unit = _check_label(draft, option, value)
    entry["run"] = {"call": option.call.name, "args": dict(option.call.args), "label": option.run_label}
    entry["result"] = {"value": value, "display": shown(value, form).text + unit}
    if answer is None:
        return
    same = agree(_floats(value), answer)
    if option.correct and not same:
        message = f"the right option gives {short(_floats(value))}, but :answer: is {short(answer)}"
        raise Fault("exercise-answer", message)
    if not option.correct and same:
        message = f"this wrong option gives {short(answer)}, which is the right answer"
        raise Fault("exercise-answer", message)


def _check_label(draft: Draft, option: Option, value: Any) -> tuple[str, str]:
    """Compare the run's value with the first number of the label; return how it is shown, and its unit."""
    node = next(_numbers(option.label), None)
    if node is None:
        if odd := next((text for text in _unmarked(option.label) if _ONLY_NUMBER.fullmatch(text)), None):
            message = f"the label shows {odd} as code or a formula; mark it with {{literal}}, to compare it"
            raise Fault("exercise-label", message)
        return ".3g", ""
    if node["t"] == "value":
        known = draft.values.of(node)
        form = known.form or "d"
        if shown(value, form).text != node["text"]:
            message = f"the label shows {node['text']}, but the run gives {shown(value, form).text}"
            raise Fault("exercise-label", message)
        return form, NO_BREAK_SPACE + known.unit if known.unit else ""
    return _check_typed(node["text"], value), ""


def _check_typed(text: str, value: Any) -> str:
    """Compare the run's value with a typed number, at the typed precision; return the format of that."""
    match = _NUMBER.search(text.replace("−", "-"))
    if match and first_digit(text[: match.start()] + " " + text[match.end() :]):
        message = f"the label's {text} is not one plain number, so the run cannot be compared with it"
        raise Fault("exercise-label", message)
    scale, kind = (100, "%") if text.endswith("%") else (1, "f")
    places = len((match and match["places"]) or "")
    given = float(match.group()) if match else float("nan")
    if not isinstance(value, int | float) or not abs(value * scale - given) <= 0.5 * 10.0**-places + 1e-9:
        message = f"the label shows {text}, but the run gives {short(_floats(value))}"
        raise Fault("exercise-label", message)
    sign = "+" if match and match["sign"] == "+" else ""
    return f"{sign}.{places}{kind}"


def _floats(value: Any) -> Any:
    """Return a JSON value, in which infinity is a string, as floats."""
    return [_floats(entry) for entry in value] if isinstance(value, list) else float(value)


def _numbers(label: Sequence[Node]) -> Iterator[Node]:
    """Yield the nodes of a label that show a number, in order."""
    for node in label:
        if node["t"] in {"value", "literal"}:
            yield node
        yield from _numbers(node.get("children", []))


def _unmarked(label: Sequence[Node]) -> Iterator[str]:
    """Yield the code and the formulas of a label."""
    for node in label:
        if node["t"] in {"code", "math"}:
            yield node["text" if node["t"] == "code" else "tex"].strip()
        yield from _unmarked(node.get("children", []))


def shown_values(label: Sequence[Node]) -> Iterator[Node]:
    """Yield the {value} nodes of a label, in order."""
    return (node for node in _numbers(label) if node["t"] == "value")

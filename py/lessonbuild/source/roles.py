"""Roles as data: the inline forms ``{name}`text` `` that a lesson may use, each with what it does.

A role turns its text into inline nodes of the artifact, or raises `Fault`; the reader of the paragraph knows
the line.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from lessonbuild.errors import Fault, did_you_mean, quoted
from lessonbuild.literals import assignments, parse_call
from lessonbuild.source.digits import first_digit
from lessonbuild.source.draft import Draft, Node
from lessonbuild.widgets import checked_params

LONGEST_LITERAL: Final = 40
_PHRASE: Final = re.compile(r"[^\W\d_]{2,}\W*\s\W*[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Role:
    """One role: what an author may write, and what becomes of it."""

    doc: str
    """What the role is for, in one line."""
    form: str
    """An example of its text."""
    run: Callable[[Draft, str, int], list[Node]]
    """Takes the draft, the text and its line."""


def _value(draft: Draft, text: str, _line: int) -> list[Node]:
    return draft.values.add(text)


def _literal(_draft: Draft, text: str, _line: int) -> list[Node]:
    if len(text) > LONGEST_LITERAL or _PHRASE.search(text) or not (first_digit(text) or "∞" in text):
        raise Fault("role-form", f"{quoted(text)} is not one given number, which is what {{literal}} marks")
    return [{"t": "literal", "text": re.sub(r"-(?=[0-9.∞])", "−", text.strip())}]


def _run(_draft: Draft, text: str, _line: int) -> list[Node]:
    expression, _, label = (part.strip() for part in text.partition("|"))
    if digit := first_digit(label):
        raise Fault("number-typed", f'the label of {{run}} holds the number "{digit}"; say it in words')
    call = parse_call(expression)
    return [{"t": "run", "call": call, "label": label}]


def _set(draft: Draft, text: str, line: int) -> list[Node]:
    match = re.fullmatch(r"([^:|]+):([^|]+)\|(.+)", text)
    if match is None:
        raise Fault("role-form", f"{quoted(text)} is not of the form `{ROLES['set'].form}`")
    widget, assigned, words = (part.strip() for part in match.groups())
    if digit := first_digit(words):
        raise Fault("number-typed", f'the text {quoted(words)} holds the number "{digit}"; say it in words')
    node: Node = {"t": "set", "widget": widget, "params": assignments(assigned, "role-form"), "text": words}

    def check() -> None:
        spec = _widget(draft, widget)["spec"]
        node["params"] = checked_params(spec, node["params"])

    draft.later(line, check)
    return [node]


def _live(draft: Draft, text: str, line: int) -> list[Node]:
    widget, dot, output = (part.strip() for part in text.partition("."))
    if not (widget and dot and output):
        raise Fault("role-form", f"{quoted(text)} is not of the form `{ROLES['live'].form}`")
    node = {"t": "live", "widget": widget, "output": output, "text": ""}

    def fill() -> None:
        outputs = {entry["name"]: entry for entry in _widget(draft, widget)["frame"]["outputs"]}
        if output not in outputs:
            hint = did_you_mean(output, outputs)
            raise Fault("widget-output", f'the widget "{widget}" has no output "{output}"{hint}')
        node["text"] = outputs[output]["text"]

    draft.later(line, fill)
    return [node]


def _cite(draft: Draft, text: str, _line: int) -> list[Node]:
    key = text.strip()
    if key not in draft.project.sources:
        hint = did_you_mean(key, draft.project.sources)
        raise Fault("source-known", f"{quoted(key)} is not in sources.toml{hint}")
    listed = [name for name, _ in draft.front.lists.get("sources", [])]
    if key not in listed:
        raise Fault(
            "source-known", f'"{key}" is cited, but not in the sources of the front matter; add it there'
        )
    return [{"t": "cite", "source": key}]


def _lesson(draft: Draft, text: str, _line: int) -> list[Node]:
    return [{"t": "lesson", **known_lesson(draft, text.strip())}]


def known_lesson(draft: Draft, lesson_id: str) -> Node:
    """Return a named lesson's id and title, and whether it is here. Raises `Fault` when it is unknown."""
    lesson = draft.lesson(lesson_id)
    if lesson is None:
        hint = did_you_mean(lesson_id, draft.lesson_ids())
        where = "neither in this folder nor under [elsewhere] in course.toml"
        raise Fault("lesson-known", f"the lesson {quoted(lesson_id)} is {where}{hint}")
    return lesson


def _widget(draft: Draft, name: str) -> Node:
    if name not in draft.widgets:
        hint = did_you_mean(name, draft.widgets)
        raise Fault("widget-known", f"this lesson has no widget {quoted(name)}{hint}")
    return draft.widgets[name]


ROLES: Final[dict[str, Role]] = {
    "value": Role("A number computed by the core.", "kl_divergence([0.7, 0.3], [0.5, 0.5]) | .6f", _value),
    "literal": Role("A given number.", "0.5", _literal),
    "run": Role("What an option of an exercise stands for.", "softmax([0, 1])[0] | what it is", _run),
    "set": Role("Words that move a widget's controls.", "kl: p_1=0.7 | words to show", _set),
    "live": Role("A number that follows a widget.", "kl.kl_pq", _live),
    "cite": Role("A source of the register.", "ppo", _cite),
    "lesson": Role("Another lesson.", "output-head", _lesson),
}

"""The YAML head of a lesson, each value with its line.

YAML is read as text only: no dates, booleans or numbers are guessed, so ``version: 1.0`` stays ``1.0``.
The keys are data (`KEYS`): a name, what it is for, and how its text is checked.
"""

import datetime
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import yaml
from yaml.reader import ReaderError

from lessonbuild.errors import did_you_mean, quoted
from lessonbuild.source.digits import first_digit
from lessonbuild.source.reporter import Reporter

FENCE: Final = "---"
ID: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_VERSION: Final = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _is_prose(text: str) -> str | None:
    digit = first_digit(text)
    return f"{quoted(digit)} is typed; numbers belong into the body, as {{value}}" if digit else None


def _is_id(text: str) -> str | None:
    return None if ID.fullmatch(text) else "an id is lower-case words joined by hyphens"


def _is_version(text: str) -> str | None:
    return None if _VERSION.fullmatch(text) else "a version is three numbers joined by dots, such as 1.0.0"


def _is_date(text: str) -> str | None:
    try:
        if _DATE.fullmatch(text) and datetime.date.fromisoformat(text):
            return None
    except ValueError:
        return "there is no such day"
    return "a date is written year-month-day, such as 2026-10-07"


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the front matter."""

    doc: str
    """What the value is for, in one line."""
    check: Callable[[str], str | None]
    """Returns what is wrong with the text, or None."""
    many: bool = False
    """The value is a list."""
    nullable: bool = False
    """`null` is a value: there is none yet."""
    rule: str = "front-matter-value"
    """The rule that a wrong text breaks."""


def _prose(doc: str) -> Key:
    return Key(doc, _is_prose, rule="number-typed")


KEYS: Final[dict[str, Key]] = {
    "id": Key("The lesson's id: the name of its folder.", _is_id),
    "title": _prose("The title, equal to the level-one heading."),
    "description": _prose("One sentence for cards and records."),
    "objective": _prose("What a reader can do afterwards."),
    "topic": Key("The topic that the atlas groups by.", _is_id),
    "version": Key("The lesson's version.", _is_version),
    "status": _prose("How finished the lesson is, in words."),
    "published": Key("Day of the first publication.", _is_date, nullable=True),
    "revised": Key("Day of the last change.", _is_date),
    "author": Key("Who answers for the lesson.", lambda _: None, nullable=True),
    "evidence_scope": _prose("What is executed, what is only worked, what is not claimed."),
    "sources": Key("Keys of the source register.", _is_id, many=True),
    "foundations": Key("Ids of lessons that come before.", _is_id, many=True),
    "related": Key("Ids of lessons beside this one.", _is_id, many=True),
}


@dataclass(slots=True)
class FrontMatter:
    """The head of a lesson: texts by key, lists by key, and the line of each."""

    texts: dict[str, str | None] = field(default_factory=dict)
    """Single values; None where `null` is written. Missing after an error."""
    lists: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    """Lists, each entry with its line."""
    lines: dict[str, int] = field(default_factory=dict)
    """The line of each key."""
    body: str = ""
    """The rest of the file."""
    body_line: int = 1
    """The file's line on which the body begins."""


def read_front_matter(text: str, reporter: Reporter) -> FrontMatter | None:
    """Split off and check the front matter. Returns None when there is none to speak of."""
    rows = text.split("\n")
    if rows[0].rstrip() != FENCE:
        reporter.error(1, "front-matter", f"the first line is {quoted(rows[0])}; it must be ---")
        return None
    end = next((n for n, row in enumerate(rows[1:], 1) if row.rstrip() == FENCE), None)
    if end is None:
        reporter.error(1, "front-matter", "the front matter is not closed; end it with the line ---")
        return None
    front = FrontMatter(body="\n".join(rows[end + 1 :]), body_line=end + 2)
    root = _compose("\n".join(rows[1:end]), reporter)
    if root is None:
        return front
    if not isinstance(root, yaml.MappingNode):
        reporter.error(2, "front-matter", "the front matter is not a list of `key: value` lines")
        return front
    _read_keys(root, front, reporter)
    for key in KEYS:
        if key not in front.lines:
            reporter.error(1, "front-matter-required", f'the front matter lacks "{key}": {KEYS[key].doc}')
    return front


def read_title(text: str) -> str | None:
    """Return the title of a lesson's source, or None: how other lessons name it, errors and all."""
    front = read_front_matter(text, Reporter(""))
    return front.texts.get("title") if front else None


def _compose(text: str, reporter: Reporter) -> yaml.Node | None:
    try:
        root: yaml.Node | None = yaml.compose(text, Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        ends = "end of stream" in (error.problem or "")  # what is not closed is where the context began
        mark = (error.context_mark if ends else None) or error.problem_mark or error.context_mark
        line = mark.line if mark else 0
        reporter.error(line + 2, "front-matter", f"this is not YAML: {error.problem or error.context}")
        return None
    except ReaderError as error:
        line = text.count("\n", 0, error.position)
        reporter.error(line + 2, "front-matter", f"this is not YAML: {error.reason}")
        return None
    except RecursionError:
        reporter.error(1, "front-matter", "the front matter is nested too deeply; it is a flat list of keys")
        return None
    if root is None:
        reporter.error(1, "front-matter", "the front matter is empty")
    return root


def _read_keys(root: yaml.MappingNode, front: FrontMatter, reporter: Reporter) -> None:
    for name_node, value in root.value:
        line = name_node.start_mark.line + 2
        name = name_node.value if isinstance(name_node, yaml.ScalarNode) else ""
        if name not in KEYS:
            hint = did_you_mean(name, KEYS)
            reporter.error(line, "front-matter-key", f"unknown key {quoted(name)} in the front matter{hint}")
        elif name in front.lines:
            reporter.error(line, "front-matter-key", f'the key "{name}" stands here a second time')
        else:
            front.lines[name] = line
            if KEYS[name].many:
                front.lists[name] = list(_entries(name, value, reporter))
            else:
                _read_text(name, value, front, reporter)


def _read_text(name: str, value: yaml.Node, front: FrontMatter, reporter: Reporter) -> None:
    line = value.start_mark.line + 2
    if not isinstance(value, yaml.ScalarNode):
        reporter.error(line, "front-matter-value", f'"{name}" is a list or a mapping; it needs one text')
        return
    text = " ".join(value.value.split())
    if KEYS[name].nullable and value.style is None and text in {"null", "~", ""}:
        front.texts[name] = None
    elif not text or text in {"|", ">"}:
        reporter.error(line, "front-matter-value", f'"{name}" is empty: {KEYS[name].doc}')
    elif _check(name, text, value, reporter):
        front.texts[name] = text


def _entries(name: str, value: yaml.Node, reporter: Reporter) -> Iterator[tuple[str, int]]:
    line = value.start_mark.line + 2
    if not isinstance(value, yaml.SequenceNode):
        reporter.error(line, "front-matter-value", f'"{name}" needs a list such as [one, two] or []')
        return
    seen: set[str] = set()
    for entry in value.value:
        line = entry.start_mark.line + 2
        if not isinstance(entry, yaml.ScalarNode):
            reporter.error(line, "front-matter-value", f'"{name}" holds something that is not a text')
        elif entry.value in seen:
            reporter.error(line, "front-matter-value", f'"{name}" names {quoted(entry.value)} twice')
        elif _check(name, entry.value, entry, reporter):
            seen.add(entry.value)
            yield entry.value, line


def _check(name: str, text: str, node: yaml.Node, reporter: Reporter) -> bool:
    """Check one text; a digit in a text of several lines is reported on its own line."""
    wrong = KEYS[name].check(text)
    if wrong is None:
        return True
    line = node.start_mark.line
    if KEYS[name].rule == "number-typed":
        source = (node.start_mark.buffer or "").rstrip("\0").split("\n")[line : node.end_mark.line + 1]
        source[0] = source[0][node.start_mark.column :]
        line += next((n for n, row in enumerate(source) if first_digit(row)), 0)
    reporter.error(line + 2, KEYS[name].rule, f'"{name}" is {quoted(text)}: {wrong}')
    return False

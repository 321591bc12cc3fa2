"""Directives as data: a name, an argument, options, and what to run; and how their text is taken apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from lessonbuild.errors import Fault, did_you_mean, quoted
from lessonbuild.source.draft import Draft, Node

_OPTION: Final = re.compile(r":([A-Za-z][A-Za-z0-9_-]*):(?:[ \t]+(.*))?")
_CONTINUED: Final = re.compile(r"(?: {2,}|\t)\S")


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a directive."""

    doc: str
    """What its value is, in one line."""
    required: bool = False
    """It must be given."""
    many: bool = False
    """It may be given more than once."""


@dataclass(frozen=True, slots=True)
class Given:
    """The text of an option or of a body, with the line on which it begins."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Invocation:
    """A directive as it stands in a lesson."""

    line: int
    argument: str
    options: Mapping[str, list[Given]]
    body: Given

    def first(self, name: str) -> Given | None:
        """The value of an option, or None when it is not given."""
        return self.options[name][0] if name in self.options else None

    def all(self, name: str) -> list[Given]:
        """All values of an option that may be given more than once."""
        return self.options.get(name, [])


@dataclass(frozen=True, slots=True)
class Directive:
    """One directive: what an author may write, and what becomes of it."""

    doc: str
    """What the directive is for, in one line."""
    run: Callable[[Draft, Invocation], list[Node]]
    """Makes the blocks; raises `Fault` or reports errors itself."""
    argument: str = ""
    """What the argument is; empty when there is none."""
    options: Mapping[str, Option] = field(default_factory=dict)
    open_options: bool = False
    """Further options are allowed; `run` checks them."""
    body: str = ""
    """What the body is; empty when there is none."""
    places: frozenset[str] = frozenset({"lesson"})
    """Where it may stand; keys of `blocks.PLACES`."""
    in_lists: bool = False
    """It may also stand in a list there."""


def invoke(draft: Draft, name: str, argument: str, body: Given) -> list[Node]:
    """Take a directive's text apart, check it against its definition, and run it.

    It runs also after an error in its form, so that mistakes in its body are found in the same run.
    """
    directive = draft.directives[name]
    line = body.line - 1
    if argument and not directive.argument:
        message = f"{{{name}}} takes no argument, but {quoted(argument)} is given"
        draft.reporter.error(line, "directive-argument", message)
    if directive.argument and not argument:
        message = f"{{{name}}} needs an argument: {directive.argument}"
        draft.reporter.error(line, "directive-argument", message)
    options, rest = _split(draft, name, directive, body)
    for key, option in directive.options.items():
        if option.required and key not in options:
            draft.reporter.error(line, "option-required", f"{{{name}}} needs :{key}: {option.doc}")
    if rest.text.strip() and not directive.body:
        message = f"{{{name}}} has no body, but {quoted(rest.text)} is given"
        draft.reporter.error(rest.line, "directive-body", message)
    if directive.body and not rest.text.strip():
        draft.reporter.error(line, "directive-body", f"{{{name}}} is empty; its body is {directive.body}")
    with draft.reporter.faults_at(line):
        return directive.run(draft, Invocation(line, argument, options, rest))
    return []


def _split(
    draft: Draft, name: str, directive: Directive, body: Given
) -> tuple[dict[str, list[Given]], Given]:
    """Return the options, which stand first, and the rest from its first line that says something."""
    rows = body.text.split("\n")
    options: dict[str, list[Given]] = {}
    at = 0
    while at < len(rows):
        match = _OPTION.fullmatch(rows[at].rstrip())
        if match is None:
            if rows[at].strip():
                break
            at += 1
            continue
        first, words = at, [(match[2] or "").strip()]
        at += 1
        while at < len(rows) and _CONTINUED.match(rows[at]):
            words.append(rows[at].strip())
            at += 1
        if not words[0] and len(words) > 1:
            first, words = first + 1, words[1:]
        value = Given("\n".join(words), body.line + first)
        with draft.reporter.faults_at(value.line):
            _check_option(name, directive, match[1], value, options.get(match[1]))
            options.setdefault(match[1], []).append(value)
    rest = Given("\n".join(rows[at:]), body.line + at)
    _report_late_options(draft, name, directive, rest)
    return options, rest


def _check_option(
    name: str, directive: Directive, key: str, value: Given, before: list[Given] | None
) -> None:
    option = directive.options.get(key)
    if option is None and not directive.open_options:
        hint = did_you_mean(key, directive.options)
        raise Fault("option-known", f"{{{name}}} has no option :{key}:{hint}")
    if not value.text:
        raise Fault("option-value", f":{key}: is empty")
    if before and not (option and option.many):
        raise Fault("option-value", f":{key}: is given a second time; the first is on line {before[0].line}")


def _report_late_options(draft: Draft, name: str, directive: Directive, rest: Given) -> None:
    """Report options after the body has begun; those of directives inside it are their own."""
    depth = 0
    for number, row in enumerate(rest.text.split("\n")):
        if row.lstrip().startswith(":::"):
            depth += 1 if row.strip().strip(":") else -1
        late = _OPTION.fullmatch(row.rstrip())
        if late and depth <= 0 and late[1] in directive.options:
            message = f":{late[1]}: stands after the body of {{{name}}} has begun; options come first"
            draft.reporter.error(rest.line + number, "option-value", message)

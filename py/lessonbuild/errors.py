"""What an author is told: one kind of error, every rule by name, and suggestions for misspelt names.

An error is data. It names the file, the exact line, what was written and what is needed, and the rule that it
breaks::

    lessons/gae/lesson.md:41: error: unknown widget "gae-lamda"; did you mean "gae-lambda"? [widget-known]

Rule ids are stable: tests claim each of them, and an author can search for one.
"""

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Protocol

RULES: Final[dict[str, str]] = {
    # the file
    "file-read": "A lesson is a readable file of at most half a megabyte.",
    "file-encoding": "A lesson is UTF-8 text.",
    "file-characters": "A lesson holds no invisible control characters: what is read is what is there.",
    # front matter
    "front-matter": "A lesson begins with YAML front matter between two lines of three hyphens.",
    "front-matter-key": "Front matter has known keys only, each once.",
    "front-matter-required": "Front matter has every key, so that records are complete.",
    "front-matter-value": "Each front-matter value has the form that its key needs.",
    # structure
    "title-first": "The body opens with one level-one heading, and it equals the title.",
    "heading-order": "Heading levels go down one step at a time and stop at three.",
    "heading-plain": "Headings are text: they are repeated in menus and records.",
    "section-empty": "Every section says something.",
    "id-form": "Ids are lower-case words joined by hyphens.",
    "id-unique": "An id names one thing in a lesson.",
    "block-known": "Only blocks that pages and records can show are used.",
    "code-closed": "Fenced code is closed.",
    "html-none": "Lessons hold no raw HTML: pages escape all text.",
    "image-none": "Pictures are drawn by widgets from the core, with a summary and a table beside them.",
    "link-target": "A link leads somewhere: the web, an anchor of the lesson, or a page of the site.",
    # directives and roles
    "directive-known": "Directives have known names.",
    "directive-form": "A directive opens with :::{name} and closes with :::.",
    "directive-closed": "Every directive is closed.",
    "directive-argument": "A directive gets the argument it needs and no other.",
    "directive-place": "A directive stands where its meaning allows it.",
    "directive-body": "A directive has a body when it needs one, and none when it does not.",
    "option-known": "Directive options have known names.",
    "option-value": "Directive options have a value of the right form, and single ones are given once.",
    "option-required": "Directives have the options they need.",
    "role-known": "Roles have known names.",
    "role-form": "A role's text has the form that the role needs.",
    # numbers
    "number-typed": "Numbers in prose are computed by {value} or marked as given by {literal}.",
    "number-in-math": "Decimals in mathematics come from \\value{id}; only integers are typed.",
    "value-call": "A {value} is one call of a public core function with literal arguments.",
    "value-core": "The core accepts every call: its arguments, and the field or index taken.",
    "value-finite": "A shown value is a number.",
    "value-format": "A shown value has a format that keeps what matters.",
    "value-id": "\\value{id} names a {value} of the same lesson.",
    # mathematics
    "math-closed": "A dollar sign opens a formula that is closed in the same paragraph.",
    "math-display": "Displayed equations are :::{math} directives, so that they are checked.",
    "math-renders": "Every formula can be typeset.",
    "math-macro": "Formulas define no macros, colours, links, or characters and gaps by their code.",
    "equation-expression": "Equation checks are plain NumPy arithmetic of the given symbols.",
    "equation-core": "The core side of an equation calls the core; the NumPy side does not.",
    "equation-points": "An equation is compared at two different points or more.",
    "equation-symbols": "Every given symbol is used on both sides of an equation's check.",
    "equation-varies": "A check at points where nothing changes proves nothing.",
    "equation-holds": "The NumPy mirror of an equation agrees with the core.",
    "check-reason": "What is not checked says why.",
    # widgets
    "widget-known": "A widget is a view of the core, and prose refers to widgets of its lesson.",
    "widget-control": "A widget is set through its own controls, inside their ranges.",
    "widget-output": "{live} names an output of the widget.",
    # exercises
    "exercise-kind": "Exercises are of a known kind.",
    "exercise-question": "An exercise asks its question in one paragraph before the answers.",
    "exercise-options": "A choice has two different options or more, exactly one of them right.",
    "exercise-feedback": "Every option has its own feedback.",
    "exercise-solution": "An exercise has one worked solution.",
    "exercise-run": "Every option is run, so that feedback speaks about a real mistake.",
    "exercise-answer": "The right option gives the solution's value, and no wrong option does.",
    "exercise-label": "An option shows the number that its run gives.",
    # the rest of the folder
    "source-known": "Cited sources are in the register and in the lesson's front matter.",
    "topic-known": "A lesson's topic has a title in course.toml.",
    "lesson-known": "Named lessons are in this folder or listed as being elsewhere.",
    "artifact-schema": "What is built follows the lesson schema.",
}


@dataclass(frozen=True, slots=True, order=True)
class AuthorError:
    """A mistake in a source, at the line where it can be mended."""

    file: str
    """Path from the project's root, with forward slashes."""
    line: int
    """1 is the first line of the file."""
    message: str
    """What was given and what is needed, in a plain sentence without a full stop."""
    rule: str
    """A key of `RULES`, or of another module's registry."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: error: {self.message} [{self.rule}]"


class Fault(Exception):  # noqa: N818 - it is turned into an AuthorError; callers see that name
    """A mistake on its way to whoever knows its file; the innermost place that knows its line adds it."""

    def __init__(self, rule: str, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.line = line


@contextmanager
def located(line: int) -> Iterator[None]:
    """Give this line to a `Fault` that passes through and has none yet."""
    try:
        yield
    except Fault as fault:
        if fault.line is None:
            fault.line = line
        raise


class MathError(Exception):
    """A formula that cannot be typeset, with the typesetter's own words."""


class MathRenderer(Protocol):
    """What the builder needs from a typesetter: TeX in, HTML out."""

    def render(self, tex: str, display: bool) -> str:
        """Return the formula as HTML, or raise `MathError`."""
        ...


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean "…"?`` for the nearest known word, or the short list of all, or nothing."""
    names = sorted(set(known))
    folded = {name.lower().replace("_", "-"): name for name in names}
    near = difflib.get_close_matches(word.lower().replace("_", "-"), folded, n=1, cutoff=0.6)
    if near:
        return f'; did you mean "{folded[near[0]]}"?'
    if 0 < len(names) <= 12:
        return "; known: " + ", ".join(names)
    return ""


def quoted(text: str, limit: int = 60) -> str:
    """Return the text in quotes on one line, shortened, so that a message stays readable."""
    flat = " ".join(text.split())
    return f'"{flat if len(flat) <= limit else flat[: limit - 1] + "…"}"'

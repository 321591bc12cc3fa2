"""Exercises: kinds as data, and what all kinds share: an id, hints, a solution and a hash of the content.

The hash lets a page keep an answer and say that the exercise has changed since.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from lessonbuild.choices import read_choice
from lessonbuild.errors import Fault, did_you_mean, quoted
from lessonbuild.hashing import NAME_DIGITS, canonical_hash
from lessonbuild.source.blocks import block_text
from lessonbuild.source.directives import Invocation
from lessonbuild.source.draft import Draft, Node
from lessonbuild.source.inline import inline_text


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of exercise."""

    doc: str
    """What the reader does, in one line."""
    read: Callable[[Draft, Invocation], Node]
    """Reads the body; returns the parts of the exercise that are particular to the kind, and its solution."""


KINDS: Final[dict[str, Kind]] = {
    "choice": Kind("Choose one of several answers, each of which is run.", read_choice),
}


def read_exercise(draft: Draft, given: Invocation) -> list[Node]:
    """Read ``:::{exercise} kind id`` and return its block."""
    kind, _, name = (part.strip() for part in given.argument.partition(" "))
    if kind not in KINDS:
        message = f"unknown kind of exercise {quoted(kind)}{did_you_mean(kind, KINDS)}"
        raise Fault("exercise-kind", message)
    if not name:
        message = f"{{exercise}} needs a kind and an id, such as `{kind} which-branch`"
        draft.reporter.error(given.line, "directive-argument", message)
    else:
        draft.claim(name, given.line, what="an exercise", prefix="exercise-")
    hints = [inline_text(draft, hint.text, hint.line) for hint in given.all("hint")]
    parts = KINDS[kind].read(draft, given)
    solution = parts.pop("solution")
    entry: Node = {"id": name, "kind": kind, **parts, "hints": hints, "solution": solution, "hash": ""}
    draft.exercises.append(entry)
    return [{"type": "exercise", "exercise": name}]


def read_solution(draft: Draft, given: Invocation) -> list[Node]:
    """Read ``:::{solution}``; the exercise around it takes the blocks out of the result."""
    return [{"type": "solution", "blocks": block_text(draft, given.body, "solution")}]


def seal(exercise: Node) -> None:
    """Write the hash of the exercise's content, when all its values and names are filled in."""
    content = {key: value for key, value in exercise.items() if key != "hash"}
    exercise["hash"] = canonical_hash(content)[:NAME_DIGITS]

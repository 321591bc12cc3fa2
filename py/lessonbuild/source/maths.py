"""Formulas: what may be typed in them, values put in by name, and a trial typesetting of each."""

import re
from typing import Final

from lessonbuild.errors import Fault, MathError, quoted
from lessonbuild.source.digits import CODE_POINTS, decimal_in_math
from lessonbuild.source.draft import Draft, Node
from lessonbuild.source.typeset import visible_decimal

_VALUE: Final = re.compile(r"\\value\s*\{([^{}]*)\}")
_STRAY_VALUE: Final = re.compile(r"\\value(?![a-zA-Z])")
_MACRO: Final = re.compile(
    r"\\(?:[egx]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand|DeclareMathOperator|newenvironment"
    r"|require|href|url|includegraphics|html[A-Z][a-zA-Z]*|class|cssId|style|catcode"
    r"|(?:text|page|f)?color(?:box)?|[hm]?kern|[hm]skip|hspace|raisebox|rule)(?![a-zA-Z])"
)
_POSITION: Final = re.compile(r"at position (\d+)")
_PLACE_AND_EXCERPT: Final = re.compile(r" at (?:position \d+|end of input).*")


def read_math(draft: Draft, node: Node, line: int, *, display: bool) -> None:
    """Check ``node["tex"]``, which begins on `line`, and fill in its values when all are known."""
    tex = node["tex"]
    if not tex.strip():
        draft.reporter.error(line, "math-renders", "the formula is empty")
        return
    rows = tex.split("\n")
    found = False
    for number, row in enumerate(rows):
        if decimal := decimal_in_math(row):
            found = True
            draft.reporter.error(line + number, "number-in-math", _decimal_message(decimal))
        if macro := _MACRO.search(row) or CODE_POINTS.search(row):
            found = True
            message = f"{macro.group()} is not used in formulas; write what it stands for"
            draft.reporter.error(line + number, "math-macro", message)
    if not found and len(rows) > 1 and (decimal := decimal_in_math(tex)):
        found = True
        draft.reporter.error(line, "number-in-math", _decimal_message(decimal))
    if not found:
        draft.later(line, lambda: _finish(draft, node, line, display))


def _finish(draft: Draft, node: Node, line: int, display: bool) -> None:
    wrong = False

    def put(match: re.Match[str]) -> str:
        nonlocal wrong
        row = line + node["tex"].count("\n", 0, match.start())
        with draft.reporter.faults_at(row):
            return draft.values.named(match.group(1).strip()).tex
        wrong = True
        return ""

    tex = _VALUE.sub(put, node["tex"])
    if stray := _STRAY_VALUE.search(tex):
        row = line + tex.count("\n", 0, stray.start())
        draft.reporter.error(row, "value-id", r"\value needs an id in braces, such as \value{kl}")
        wrong = True
    if wrong:
        return
    plain, node["tex"] = _VALUE.sub("v", node["tex"]), tex
    try:
        shown = draft.renderer.render(tex, display)
        if plain != tex:
            shown = draft.renderer.render(plain, display)
        if decimal := visible_decimal(shown):
            draft.reporter.error(line, "number-in-math", _decimal_message(decimal))
    except MathError as error:
        place = _POSITION.search(str(error))
        row = line + (tex.count("\n", 0, int(place.group(1)) - 1) if place else 0)
        reason = _PLACE_AND_EXCERPT.sub("", " ".join(str(error).split())).removeprefix("KaTeX parse error: ")
        draft.reporter.error(row, "math-renders", f"{quoted(tex)} cannot be typeset: {reason}")


def check_dollars(text: str) -> None:
    """Raise `Fault` for a dollar sign in prose that opens no formula."""
    if "$" in text:
        message = "a dollar sign opens a formula that is not closed; a dollar sign itself is written \\$"
        raise Fault("math-closed", message)


def _decimal_message(decimal: str) -> str:
    return rf"{quoted(decimal)} is typed in a formula; show a computed number with \value{{id}}"

"""The Markdown rule for directives: ``:::{name} argument`` … ``:::``.

Colon fences as in MyST, with one kindness: a fence inside a fence may have the same number of colons.
``:::{name}`` always opens, bare colons close the innermost fence (or, with more colons, the outer one of that
length). Lines inside fenced code are text, so that a lesson can show the syntax itself.
"""

import re
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.utils import is_code_block

_OPEN: Final = re.compile(r"(?P<colons>:{3,})\{(?P<name>[^{}\s]*)\}(?P<argument>.*)")
_CLOSE: Final = re.compile(r":{3,}\s*")
_CODE: Final = re.compile(r"(?P<fence>`{3,}|~{3,})(?P<info>.*)")


def directive_plugin(md: MarkdownIt) -> None:
    """Add the tokens ``directive`` (a closed one), ``directive_unclosed`` and ``directive_stray``.

    A ``directive`` token holds the argument in ``info``, the lines between in ``content``, the name in
    ``tag`` and its lines in ``map``. Of an unclosed directive only the lines up to the next empty one are
    taken, so that the rest of the file is still checked.
    """
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    md.block.ruler.before("fence", "directive", _rule, interrupts)


def _rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if is_code_block(state, start):
        return False
    first = _line(state, start)
    if not first.startswith(":::"):
        return False
    if silent:
        return True
    opening = _OPEN.fullmatch(first)
    if opening is None:
        _push(state, "directive_stray", start, start + 1).info = first.strip()
        return True
    close = _closing_line(state, start, end, len(opening["colons"]))
    if close is None:
        stop = start + 1
        while stop < end and not state.isEmpty(stop):
            stop += 1
        _push(state, "directive_unclosed", start, stop).tag = opening["name"]
        return True
    token = _push(state, "directive", start, close + 1)
    token.tag = opening["name"]
    token.info = opening["argument"].strip()
    token.content = state.getLines(start + 1, close, state.sCount[start], False)
    return True


def _closing_line(state: StateBlock, start: int, end: int, colons: int) -> int | None:
    """Return the line that closes the fence opened at `start`, or None."""
    inside = [colons]
    code = ""
    for line in range(start + 1, end):
        if not state.isEmpty(line) and state.sCount[line] < state.blkIndent:
            return None
        text = _line(state, line)
        if code:
            if text.startswith(code) and not text.strip(code[0]).strip():
                code = ""
        elif (fence := _CODE.fullmatch(text)) and not (text[0] == "`" and "`" in fence["info"]):
            code = fence["fence"]
        elif opening := _OPEN.fullmatch(text):
            inside.append(len(opening["colons"]))
        elif _CLOSE.fullmatch(text):
            length = len(text.rstrip())
            if length in inside:
                while inside.pop() != length:
                    pass
            elif length > inside[-1]:
                inside.pop()
            if not inside:
                return line
    return None


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _push(state: StateBlock, kind: str, start: int, stop: int) -> Token:
    token = state.push(kind, "", 0)
    token.map = [start, stop]
    state.line = stop
    return token

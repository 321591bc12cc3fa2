"""Markdown to a syntax tree in which every node knows its line.

markdown-it gives lines to blocks only. Here each inline rule is wrapped so that its tokens remember how many
line ends come before them; an error in the fifth line of a paragraph is then reported there.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from markdown_it import MarkdownIt, rules_inline
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from mdit_py_plugins.dollarmath.index import math_inline_dollar
from mdit_py_plugins.myst_role.index import myst_role

from lessonbuild.source.fences import directive_plugin

Rule = Callable[[StateInline, bool], bool]

# Plain text and spaces span no line; every other rule is wrapped, to know where its tokens begin and end.
_WRAPPED: Final[dict[str, Rule]] = {
    "newline": rules_inline.newline,
    "escape": rules_inline.escape,
    "backticks": rules_inline.backtick,
    "emphasis": rules_inline.emphasis.tokenize,
    "link": rules_inline.link,
    "image": rules_inline.image,
    "autolink": rules_inline.autolink,
    "html_inline": rules_inline.html_inline,
}
_DEEPEST: Final = 100
_CELL_END: Final = re.compile(r"(?<!\\)\|")


def parse(text: str, first_line: int = 1) -> SyntaxTreeNode:
    """Parse blocks; `line_of` gives each node's line when `text` begins on `first_line` of the file."""
    env: dict[str, object] = {"first_line": first_line}
    tokens = _PARSER.parse(text, env)
    return SyntaxTreeNode([*tokens, *_reference_tokens(env, first_line)])


def parse_inline(text: str, first_line: int = 1) -> SyntaxTreeNode:
    """Parse one run of inline Markdown, such as a directive's option; the result has the inline nodes."""
    tokens = _PARSER.parseInline(text, {"first_line": first_line})
    return SyntaxTreeNode(tokens[0].children or [])


def line_of(node: SyntaxTreeNode) -> int:
    """The line of the file on which a node begins."""
    token = node.token or (node.nester_tokens.opening if node.nester_tokens else None)
    return int(token.meta.get("line", 1)) if token else 1


def _located(rule: Rule) -> Rule:
    def wrapped(state: StateInline, silent: bool) -> bool:
        start, known = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        if not silent:
            new = [token for token in state.tokens[known:] if token.type not in {"text", "text_special"}]
            for token in new:
                token.meta.setdefault("rows", state.src.count("\n", 0, start))
            if new:
                new[-1].meta["rows_after"] = state.src.count("\n", 0, state.pos)
        return True

    return wrapped


def _number_lines(state: StateCore) -> None:
    first = int(state.env.get("first_line", 1))
    for token in state.tokens:
        line = first + (token.map[0] if token.map else 0)
        token.meta["line"] = line
        if token.type == "inline":
            _number_inline(token.children or [], line)


def _mark_losses(state: StateCore) -> None:
    """Mark what markdown-it takes in silence: fences without an end, table cells beyond the head's."""
    rows = state.src.split("\n")
    columns = 0
    for token in state.tokens:
        if token.map is None:
            continue
        if token.type == "fence":
            last = rows[token.map[1] - 1].lstrip(" >")
            closed = token.map[1] - token.map[0] > 1 and last.startswith(token.markup)
            token.meta["unclosed"] = not closed
        elif token.type == "tr_open":
            cells = len(_CELL_END.findall(rows[token.map[0]].strip().strip("|"))) + 1
            columns = columns if columns else cells
            token.meta["surplus"] = cells > columns
        elif token.type == "table_open":
            columns = 0


def _number_inline(tokens: Sequence[Token], first: int) -> None:
    line = first
    for token in tokens:
        line = max(line, first + int(token.meta.get("rows", 0)))
        token.meta["line"] = line
        if token.children:
            _number_inline(token.children, line)
        line = max(line, first + int(token.meta.get("rows_after", 0)))


def _reference_tokens(env: dict[str, object], first_line: int) -> list[Token]:
    """Turn link reference definitions, which leave no tokens behind, into tokens that can be reported."""
    references = env.get("references", {})
    assert isinstance(references, dict)
    entries = [(entry["map"][0], label) for label, entry in references.items()]
    return [
        Token("reference", "", 0, content=label, map=[row, row + 1], meta={"line": first_line + row})
        for row, label in sorted(entries)
    ]


def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": _DEEPEST})
    md.enable("table")
    md.disable(["lheading", "text_join"])
    directive_plugin(md)
    for name, rule in _WRAPPED.items():
        md.inline.ruler.at(name, _located(rule))
    math = math_inline_dollar(allow_space=True, allow_digits=True, allow_double=True)
    md.inline.ruler.before("escape", "math", _located(math))
    md.inline.ruler.before("backticks", "role", _located(myst_role))
    md.core.ruler.push("lines", _number_lines)
    md.core.ruler.push("losses", _mark_losses)
    return md


_PARSER: Final = _parser()

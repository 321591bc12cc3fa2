"""Inline content of a lesson as Markdown that parses back to the same content.

Text is escaped so that no character of it becomes markup. Where two neighbours would melt into one (two
pieces of code, emphasis between letters and punctuation) an empty comment stands between them; what was
written as Markdown in the first place rarely needs one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, Final
from urllib.parse import urljoin

Inline = dict[str, Any]

_SPECIAL: Final = re.compile(r"[\\`*_\[\]<$~]|&(?=[#A-Za-z0-9])")
_LINE_START: Final = re.compile(r"^(?:([-+](?=\s|$)|\#{1,6}(?=\s|$)|>|[-:|=\s]+$)|(\d{1,9})(?=[.)](?:\s|$)))")
_SPACES: Final = " \t\n\r"
_APART: Final = "<!-- -->"
_MARKS: Final = {"em": "*", "strong": "**"}


def escaped(text: str) -> str:
    """Plain text as Markdown; it still depends on `safe_lines` for what is special at the start of a line."""
    marked = _SPECIAL.sub(r"\\\g<0>", re.sub(r"[ \t\r\n]+", " ", text))
    return marked.replace("\u00a0", "&nbsp;")  # parsers drop a bare one at the edges of a paragraph


def code_span(text: str) -> str:
    """Text as inline code, between backticks that do not occur in it."""
    flat = re.sub(r"[\r\n]+", " ", text)
    fence = fence_for(flat, shortest=1)
    padded = f" {flat} " if flat[:1] in "` " or flat[-1:] == "`" else flat
    return f"{fence}{padded}{fence}"


def fence_for(text: str, shortest: int) -> str:
    """Backticks, more than the text has anywhere in a row and at least `shortest`."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    return "`" * max(shortest, longest + 1)


def link(url: str, text: str) -> str:
    """A Markdown link; `text` is Markdown already."""
    plain = re.fullmatch(r"[^\s<>()\\]+", url)
    target = url if plain else "<" + re.sub(r"[<>\\]", r"\\\g<0>", re.sub(r"\s+", "%20", url)) + ">"
    return f"[{text}]({target})"


def safe_lines(markdown: str) -> str:
    """Keep the lines of a paragraph from being read as headings, lists, quotes, tables or rules."""
    lines = [line.strip(_SPACES) for line in _without_outer_breaks(markdown).split("\n")]
    return "\n".join(_LINE_START.sub(_escape_start, line) for line in lines)


def one_line(markdown: str) -> str:
    """Inline Markdown for a heading or a table cell: no line breaks, no closing row of number signs."""
    flat = _without_outer_breaks(markdown).replace("\\\n", " ").strip(_SPACES)
    return re.sub(r"(#+)$", r"\\\1", flat)


def cell(markdown: str) -> str:
    """Inline Markdown for a table cell, in which every vertical bar needs a backslash, even in code."""
    return one_line(markdown).replace("|", "\\|")


class InlineWriter:
    """Writes inline content; knows the addresses and names that inline content refers to."""

    def __init__(self, page_url: str, lesson_url: Callable[[str], str], cited: Callable[[str], str]) -> None:
        self._page_url = page_url
        self._lesson_url = lesson_url
        self._cited = cited

    def write(self, nodes: Sequence[Inline], before: str = "", after: str = "") -> str:
        """Inline nodes as Markdown. `before` and `after` are the characters around them, if there are any."""
        filled = [(node, piece) for node in _flattened(nodes) if (piece := self._piece(node))]
        result = ""
        for place, (node, piece) in enumerate(filled):
            following = filled[place + 1][1] if place + 1 < len(filled) else after
            marked = node["t"] in _MARKS
            full = self._emphasis(node, result[-1:] or before, following[:1]) if marked else piece
            last = filled[place - 1][0]["t"] if place else ""
            result = _joined(result, last, full, node["t"])
        return result

    def _emphasis(self, node: Inline, before: str, after: str) -> str:
        """Asterisks where they can be read in one way only, tags elsewhere. Spaces are moved outside."""
        inner = self.write(node["children"])
        bare = inner.strip(_SPACES)
        if not bare:
            return inner
        start = len(inner) - len(inner.lstrip(_SPACES))
        lead, tail = inner[:start], inner[start + len(bare) :]
        mark = _MARKS[node["t"]]
        nested = [child["t"] in _MARKS for child in node["children"]]
        merges = "*" in (bare[0], bare[-1]) and nested != [True]
        if not merges and _unmistakable(lead[-1:] or before) and _unmistakable(tail[:1] or after):
            return f"{lead}{mark}{bare}{mark}{tail}"
        bare = self.write(node["children"], ">", "<").strip(_SPACES)
        return f"{lead}<{node['t']}>{bare}</{node['t']}>{tail}"

    def _piece(self, node: Inline) -> str:
        match node["t"]:
            case "em" | "strong":
                written = "*" if self.write(node["children"]) else ""  # written when its neighbours are known
            case "code":
                written = code_span(node["text"]) if node["text"] else ""
            case "math":
                written = f"${' '.join(node['tex'].split())}$" if node["tex"].strip() else ""
            case "link":
                written = link(urljoin(self._page_url, node["href"]), self.write(node["children"], "[", "]"))
            case "cite":
                written = f"({escaped(self._cited(node['source']))})"
            case "lesson":
                written = self.lesson(node["id"], node["title"], node["here"])
            case "break":
                written = "\\\n"
            case "text" | "value" | "literal" | "set" | "live":
                written = escaped(node["text"])
            case unknown:
                raise ValueError(f"inline content of the unknown kind {unknown!r}")
        return written

    def lesson(self, lesson_id: str, title: str, here: bool) -> str:
        """A lesson's title: a link where the lesson is in this folder, else text that says that it is not."""
        return (
            link(self._lesson_url(lesson_id), escaped(title)) if here else escaped(f"{title} (not here yet)")
        )


def _flattened(nodes: Sequence[Inline], around: frozenset[str] = frozenset()) -> list[Inline]:
    """The same content without emphasis inside emphasis of its own kind."""
    flat: list[Inline] = []
    for node in nodes:
        kind = node["t"]
        inner = _flattened(node["children"], around | {kind}) if kind in _MARKS else []
        if kind in around:
            flat += inner
        else:
            flat.append({**node, "children": inner} if kind in _MARKS else node)
    return flat


def _joined(left: str, left_kind: str, right: str, right_kind: str) -> str:
    """Two neighbours in a row, apart where their delimiters would otherwise be read together."""
    before, after = left[-1:], right[:1]
    if before == "!" and after == "[":
        return f"{left[:-1]}\\!{right}"
    apart = (
        (left_kind == right_kind and left_kind in {"code", "math"})
        or (left_kind == "math" and after.isdigit())
        or (right_kind == "math" and before.isdigit())
    )
    return left + _APART + right if apart else left + right


def _unmistakable(outside: str) -> bool:
    """Whether asterisks beside this character belong to what is on their other side."""
    return outside != "*" and not _word(outside)


def _without_outer_breaks(markdown: str) -> str:
    """At the end of a paragraph the backslash of a line break would be a backslash."""
    return re.sub(r"^(?:\s|\\\n)+|(?:[ \t]|\\\n)+$", "", markdown)


def _word(character: str) -> bool:
    """Neither white space nor punctuation in CommonMark's sense."""
    return bool(character) and not character.isspace() and unicodedata.category(character)[0] not in "PS"


def _escape_start(found: re.Match[str]) -> str:
    return f"{found.group(2)}\\" if found.group(2) else f"\\{found.group()}"

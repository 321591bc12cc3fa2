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
_MARKED: Final = {"em", "strong"}


def escaped(text: str) -> str:
    """Plain text as Markdown; it still depends on `safe_lines` for what is special at the start of a line."""
    return _SPECIAL.sub(r"\\\g<0>", re.sub(r"[ \t\r\n]+", " ", text))


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
    lines = [line.strip(_SPACES) for line in markdown.split("\n")]
    return "\n".join(_LINE_START.sub(_escape_start, line) for line in lines)


def one_line(markdown: str) -> str:
    """Inline Markdown for a heading or a table cell: no line breaks, no closing row of number signs."""
    flat = markdown.replace("\\\n", " ").strip(_SPACES)
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

    def write(self, nodes: Sequence[Inline]) -> str:
        """Inline nodes as Markdown; a paragraph passes the result through `safe_lines`."""
        pieces = [(node["t"], self._piece(node)) for node in nodes]
        result = ""
        last = ""
        for kind, piece in pieces:
            if piece:
                result = _joined(result, last, piece, kind) if result else piece
                last = kind
        return result

    def _piece(self, node: Inline) -> str:
        match node["t"]:
            case "em" | "strong":
                written = _emphasised("*" if node["t"] == "em" else "**", self.write(node["children"]))
            case "code":
                written = code_span(node["text"]) if node["text"] else ""
            case "math":
                written = f"${' '.join(node['tex'].split())}$" if node["tex"].strip() else ""
            case "link":
                written = link(urljoin(self._page_url, node["href"]), self.write(node["children"]))
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


def _emphasised(mark: str, inner: str) -> str:
    """Emphasis, with spaces moved outside: next to a space the asterisks would be asterisks."""
    bare = inner.strip(_SPACES)
    if not bare:
        return inner
    start = len(inner) - len(inner.lstrip(_SPACES))
    lead, tail = inner[:start], inner[start + len(bare) :]
    if re.match(r"\*", bare) and len(mark) == len(_run(bare)):
        bare = _APART + bare
    if re.search(r"(?<!\\)\*$", bare) and len(mark) == len(_run(bare[::-1])):
        bare += _APART
    return f"{lead}{mark}{bare}{mark}{tail}"


def _joined(left: str, left_kind: str, right: str, right_kind: str) -> str:
    """Two neighbours in a row, apart where their delimiters would otherwise be read together."""
    before, after = left[-1], right[0]
    if before == "!" and after == "[":
        return f"{left[:-1]}\\!{right}"
    left_marked, right_marked = left_kind in _MARKED, right_kind in _MARKED
    apart = (
        (left_kind == right_kind and left_kind in {"code", "math"})
        or (left_kind == "math" and after.isdigit())
        or (right_kind == "math" and before.isdigit())
        or (left_marked and right_marked)
        or (left_marked and before == "*" and _word(after) and not _word(left.rstrip("*")[-1:]))
        or (right_marked and after == "*" and _word(before) and not _word(right.lstrip("*")[:1]))
    )
    return left + _APART + right if apart else left + right


def _run(text: str) -> str:
    found = re.match(r"\*+", text)
    return found.group() if found else ""


def _word(character: str) -> bool:
    """Neither white space nor punctuation in CommonMark's sense."""
    return bool(character) and not character.isspace() and unicodedata.category(character)[0] not in "PS"


def _escape_start(found: re.Match[str]) -> str:
    return f"{found.group(2)}\\" if found.group(2) else f"\\{found.group()}"

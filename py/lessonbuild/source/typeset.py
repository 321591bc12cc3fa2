"""What readers see of a typeset formula: the last word on decimals, however they were spelt."""

import re
from html.parser import HTMLParser
from typing import Final

_SMALLEST_GAP: Final = 0.3
"""Em; a narrower gap between two digits does not part them for a reader."""
_GAP: Final = re.compile(r"margin-right:\s*(-?[0-9.]+)em")
_ROWS: Final = re.compile(r"\b(?:mfrac|col-align-[lcr])\b")
_ZERO_WIDTH: Final = str.maketrans("", "", "\u200b\u2060")
_DECIMAL: Final = re.compile(r"[0-9]*\.[0-9]+")
_EMPTY: Final = frozenset({"br", "img", "path", "line", "input"})


def visible_decimal(html: str) -> str | None:
    """Return the first decimal number that a formula's HTML shows, or None."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    found = _DECIMAL.search("".join(reader.parts).translate(_ZERO_WIDTH))
    return found.group() if found else None


class _Reader(HTMLParser):
    """Collects the text in reading order, without the MathML for screen readers, with gaps as spaces."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._open: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        names = given.get("class") or ""
        if "mspace" in names.split():
            gap = _GAP.search(given.get("style") or "")
            self.parts.append(" " if gap is None or float(gap[1]) >= _SMALLEST_GAP else "")
        if "pstrut" in names.split() and self._in_rows():
            self.parts.append(" ")
        if tag not in _EMPTY:
            self._open.append((tag, names))

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1][0] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if not any(tag == "math" for tag, _ in self._open):
            self.parts.append(data)

    def _in_rows(self) -> bool:
        """Whether the strut begins a row of a fraction or of an array, and not a part of one symbol."""
        around = (names for _, names in reversed(self._open) if names and not names.startswith("vlist"))
        return bool(_ROWS.search(next(around, "")))

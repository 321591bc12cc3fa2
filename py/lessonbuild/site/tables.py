"""Which tables of a lesson become lists of rows on a phone, and the names that their cells carry there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

Inline = Mapping[str, Any]

COLUMNS: Final = 3
"""Two columns have room on any phone."""
LONG: Final = 30
"""Characters of a cell that is read as a sentence, not compared as a number."""


def plain_text(nodes: Sequence[Inline]) -> str:
    """Inline nodes as words; a formula that is more than letters is left out."""
    return " ".join("".join(map(_words, nodes)).split()).removesuffix(",")


def _words(node: Inline) -> str:
    if "children" in node:
        return "".join(map(_words, node["children"]))
    if node["t"] == "math":
        return node["tex"] if node["tex"].isalnum() else ""
    return str(node.get("title" if node["t"] == "lesson" else "text", " "))


def stacks(table: Mapping[str, Any]) -> bool:
    """Whether a table is prose in columns, which a phone's width would cut into slivers."""
    cells = [cell for row in table["rows"] for cell in row]
    return len(table["head"]) >= COLUMNS and any(len(plain_text(cell)) > LONG for cell in cells)

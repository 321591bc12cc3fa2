"""The flat list of an artifact's sections as the tree that nested <section> elements need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Section:
    """A section with the sections under it."""

    id: str
    level: int
    title: str
    blocks: Sequence[Mapping[str, Any]]
    sections: list[Section] = field(default_factory=list)


def outline(sections: Sequence[Mapping[str, Any]]) -> Section:
    """The first section, which is the lesson's title, with all others under it by level."""
    first, *rest = (Section(each["id"], each["level"], each["title"], each["blocks"]) for each in sections)
    path = [first]
    for section in rest:
        while len(path) > 1 and path[-1].level >= section.level:
            path.pop()
        path[-1].sections.append(section)
        path.append(section)
    return first

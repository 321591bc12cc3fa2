"""A page as a tree, just enough to ask what is in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

VOID = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})


@dataclass
class Element:
    """An element with its attributes and children; text is a child that is a string."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)

    def __getitem__(self, name: str) -> str:
        return self.attributes[name]

    def get(self, name: str) -> str | None:
        """An attribute, or None."""
        return self.attributes.get(name)

    def walk(self) -> Iterator[Element]:
        """This element and all below it, in order."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def all(self, tag: str = "", **attributes: str | bool) -> list[Element]:
        """Elements below by tag and attributes; `True` asks for presence, `_` in a name stands for `-`."""
        return [each for each in self.walk() if _fits(each, tag, attributes)]

    def one(self, tag: str = "", **attributes: str | bool) -> Element:
        """The only such element."""
        (found,) = self.all(tag, **attributes)
        return found

    @property
    def text(self) -> str:
        """All text below, with single spaces."""
        return " ".join(" ".join(self._strings()).split())

    def _strings(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            else:
                yield from child._strings()


def _fits(element: Element, tag: str, attributes: dict[str, str | bool]) -> bool:
    if tag and element.tag != tag:
        return False
    for name, wanted in attributes.items():
        found = element.get(name.strip("_").replace("_", "-"))
        if wanted is True and found is None:
            return False
        if isinstance(wanted, str) and wanted not in ((found or "").split() if name == "class_" else [found]):
            return False
    return True


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("#page")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
            self.open.pop()

    def handle_data(self, data: Any) -> None:
        self.open[-1].children.append(data)


def parse(page: str) -> Element:
    """The tree of a page. Fails when end tags do not fit."""
    builder = _Builder()
    builder.feed(page)
    builder.close()
    assert len(builder.open) == 1, f"<{builder.open[-1].tag}> is never closed"
    return builder.open[0]

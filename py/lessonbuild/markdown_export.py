"""A lesson artifact as plain Markdown: everything a reader gets, for people and tools that read text.

Headings, tables, code and lists are CommonMark with pipe tables; formulas stand between dollar signs. A
widget is its summary and its outputs, with a link to the page on which it moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lessonbuild.markdown_text import (
    InlineWriter,
    cell,
    code_span,
    escaped,
    fence_for,
    link,
    one_line,
    safe_lines,
)

Block = dict[str, Any]

_LISTS: Final = {True: "ordered", False: "unordered"}
_UNSAFE_TEX: Final = tuple("#>-+=|<~`:0123456789")


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the published copy of a lesson is. All absolute."""

    page: str
    interactive: str
    artifact: str
    licences: str
    lessons: str
    """The folder with the pages of all lessons, ending in a slash."""

    def lesson(self, lesson_id: str) -> str:
        """The page of a lesson of this folder."""
        return f"{self.lessons}{lesson_id}.html"


def export_markdown(artifact: dict[str, Any], addresses: Addresses) -> str:
    """The whole lesson as Markdown. A line of topic and version stands before the first heading."""
    return _Export(artifact, addresses).text()


class _Export:
    def __init__(self, artifact: dict[str, Any], addresses: Addresses) -> None:
        self._artifact = artifact
        self._addresses = addresses
        self._sources = {source["key"]: source for source in artifact["sources"]}
        self._widgets = {widget["id"]: widget for widget in artifact["widgets"]}
        self._equations = {equation["id"]: equation for equation in artifact["equations"]}
        self._exercises = {exercise["id"]: exercise for exercise in artifact["exercises"]}
        self._inline = InlineWriter(addresses.page, addresses.lesson, lambda key: _cited(self._sources[key]))

    def text(self) -> str:
        art = self._artifact
        parts = [safe_lines(escaped(f"{art['topic']} · v{art['version']}"))]
        for number, section in enumerate(art["sections"]):
            parts.append(f"{'#' * section['level']} {one_line(escaped(section['title']))}")
            if number == 0:
                parts += self._introduction()
            parts += self._blocks(section["blocks"], section["level"])
        return "\n\n".join(part for part in parts if part) + "\n"

    def _introduction(self) -> list[str]:
        art = self._artifact
        return [
            safe_lines(escaped(art["description"])),
            link(self._addresses.interactive, "Open the interactive lesson"),
            f"**Learning objective.** {escaped(art['objective'])}",
            f"**Scope of the evidence.** {escaped(art['evidenceScope'])}",
        ]

    def _blocks(self, blocks: Iterable[Block], level: int) -> list[str]:
        """Blocks as Markdown; `level` is the heading level around them, 0 where no heading may stand."""
        written: list[str] = []
        last_list = None
        for block in blocks:
            this_list = _LISTS[block["ordered"]] if block["type"] == "list" else None
            if this_list and this_list == last_list:
                written.append("<!-- -->")  # two lists in a row would be read as one
            written += self._block(block, level)
            last_list = this_list
        return written

    def _block(self, block: Block, level: int) -> list[str]:
        match block["type"]:
            case "paragraph":
                written = [self._paragraph(block["inline"])]
            case "list":
                items = ["\n\n".join(self._blocks(item, 0)) for item in block["items"]]
                written = [_list(items, ordered=block["ordered"])]
            case "table":
                written = [self._table(block["head"], block["rows"])]
            case "symbols":
                head = [[{"t": "text", "text": name}] for name in ("Symbol", "Meaning", "Unit")]
                rows = [[row["symbol"], row["meaning"], row["unit"]] for row in block["rows"]]
                written = [self._table(head, rows)]
            case "code":
                written = [_code(block["text"], block["lang"] or "")]
            case "equation":
                written = self._equation(block)
            case "widget":
                written = self._widget(self._widgets[block["widget"]])
            case "exercise":
                written = self._exercise(self._exercises[block["exercise"]], level)
            case "note":
                title = self._inline.write([{"t": "strong", "children": block["title"]}])
                inner = [one_line(title), *self._blocks(block["blocks"], 0)]
                written = [_quote("\n\n".join(part for part in inner if part))]
            case "sources":
                written = self._source_list()
            case "links":
                lessons = self._artifact[block["which"]]
                written = [
                    _list([self._inline.lesson(**lesson_link(lesson)) for lesson in lessons], ordered=False)
                ]
            case unknown:
                raise ValueError(f"a block of the unknown kind {unknown!r}")
        return written

    def _paragraph(self, inline: Sequence[Any]) -> str:
        return safe_lines(self._inline.write(inline))

    def _table(self, head: Sequence[Any], rows: Sequence[Any]) -> str:
        lines = [[cell(self._inline.write(content)) for content in row] for row in (head, *rows)]
        return _pipe_table(lines)

    def _equation(self, block: Block) -> list[str]:
        numpy = self._equations[block["equation"]].get("numpy")
        return [_display(block["tex"]), *([f"In NumPy: {code_span(numpy)}"] if numpy else [])]

    def _widget(self, widget: dict[str, Any]) -> list[str]:
        spec, frame = widget["spec"], widget["frame"]
        settings = [said for name, said in frame["spoken"].items() if name not in frame.get("unused", ())]
        rows = [["Output", "Value", "Unit"]]
        rows += [[cell(escaped(out[key])) for key in ("label", "text", "unit")] for out in frame["outputs"]]
        page = link(f"{self._addresses.page}#{widget['id']}", "interactive figure")
        parts = [
            f"**{one_line(escaped(spec['title']))}** ({page})",
            safe_lines(escaped(frame["summary"])),
            safe_lines(escaped(f"Settings: {'; '.join(settings)}.")),
            _pipe_table(rows),
            self._paragraph(widget["caption"]),
        ]
        if widget["try"]:
            parts += [
                "To try on the page:",
                _list([self._paragraph(task) for task in widget["try"]], ordered=False),
            ]
        return parts

    def _exercise(self, exercise: dict[str, Any], level: int) -> list[str]:
        question = one_line(self._inline.write(exercise["question"]))
        options = [(number, option) for number, option in enumerate(exercise["options"], 1)]
        right = [number for number, option in options if option["correct"]]
        hints = [self._paragraph(hint) for hint in exercise["hints"]]
        why = [self._feedback(f"Option {number}", option["feedback"]) for number, option in options]
        return [
            f"{'#' * (level + 1)} {question}" if level else f"**{question}**",
            _list([self._paragraph(option["label"]) for _, option in options], ordered=True),
            *(["Hints:", _list(hints, ordered=False)] if hints else []),
            f"**Answer and reasoning:** option {' and '.join(map(str, right))}.",
            *self._blocks(exercise["solution"], 0),
            _list(why, ordered=False),
        ]

    def _feedback(self, label: str, blocks: Sequence[Block]) -> str:
        lead = [{"t": "text", "text": f"{label}: "}]
        first, *rest = blocks or [{"type": "paragraph", "inline": []}]
        if first["type"] != "paragraph":
            return "\n\n".join(self._blocks([{"type": "paragraph", "inline": lead}, *blocks], 0))
        return "\n\n".join(self._blocks([{**first, "inline": [*lead, *first["inline"]]}, *rest], 0))

    def _source_list(self) -> list[str]:
        items = [
            link(source["url"], escaped("{title} ({year})".format_map(source)))
            + escaped(", {authors} ({kind}). {scope}".format_map(source))
            for source in self._artifact["sources"]
        ]
        here = self._addresses
        return [
            _list(items, ordered=False),
            f"{link(here.artifact, 'Published lesson data')} · {link(here.licences, 'Licences')}",
        ]


def lesson_link(lesson: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `InlineWriter.lesson` for an entry of `foundations` or `related`."""
    return {"lesson_id": lesson["id"], "title": lesson["title"], "here": lesson["here"]}


def _cited(source: dict[str, Any]) -> str:
    """How the text refers to a source: first authors and year."""
    names = str(source["authors"]).replace(" and others", ", others").split(", ")
    who = f"{names[0]} et al." if len(names) > 2 or "others" in names else " and ".join(names)
    return f"{who}, {source['year']}"


def _list(items: Sequence[str], *, ordered: bool) -> str:
    marks = [f"{number}. " if ordered else "- " for number in range(1, len(items) + 1)]
    blocks = [
        mark + item.replace("\n", "\n" + " " * len(mark)) for mark, item in zip(marks, items, strict=True)
    ]
    loose = any("\n\n" in item for item in items)
    return ("\n\n" if loose else "\n").join(_without_trailing_spaces(block) for block in blocks)


def _pipe_table(rows: Sequence[Sequence[str]]) -> str:
    rule = ["---"] * len(rows[0])
    return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:]))


def _code(text: str, lang: str) -> str:
    fence = fence_for(text, shortest=3)
    return f"{fence}{lang}\n{text.rstrip(chr(10))}\n{fence}"


def _display(tex: str) -> str:
    """A displayed formula, on one line when one of its lines looks like a list, a heading or a rule."""
    bare = re.sub(r"(?<!\\)%.*", "", tex)  # a comment of TeX would reach to the end of a joined line
    lines = [line.strip() for line in bare.splitlines() if line.strip()]
    if any(line.startswith(_UNSAFE_TEX) for line in lines):
        lines = [" ".join(lines)]
    if lines[0].startswith(_UNSAFE_TEX):
        return f"$$ {lines[0]} $$"
    return "\n".join(["$$", *lines, "$$"])


def _quote(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _without_trailing_spaces(text: str) -> str:
    return "\n".join(line.rstrip(" ") for line in text.split("\n"))

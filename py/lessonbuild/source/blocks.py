"""Block Markdown to the artifact's blocks and sections."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from markdown_it.tree import SyntaxTreeNode

from lessonbuild.errors import Fault, did_you_mean, quoted
from lessonbuild.source.directives import Given, invoke
from lessonbuild.source.draft import Draft, Node
from lessonbuild.source.inline import inline
from lessonbuild.source.markdown import line_of, parse

DEEPEST_LIST: Final = 3

PLACES: Final = {
    "lesson": "in the lesson itself",
    "note": "in a note",
    "exercise": "in an exercise",
    "solution": "in a solution",
    "feedback": "in the feedback of an option",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where blocks stand; it decides which directives are allowed among them."""

    name: str
    """A key of `PLACES`."""
    list_depth: int = 0


Reader = Callable[[Draft, SyntaxTreeNode, Place], list[Node]]


def blocks(draft: Draft, nodes: Sequence[SyntaxTreeNode], place: Place) -> list[Node]:
    """Return the blocks of the tree nodes; mistakes in them are reported at their lines."""
    found: list[Node] = []
    for node in nodes:
        with draft.reporter.faults_at(line_of(node)):
            found += _READERS.get(node.type, _unknown)(draft, node, place)
    return found


def block_text(draft: Draft, given: Given, place_name: str) -> list[Node]:
    """Return the blocks of a directive's body."""
    return blocks(draft, parse(given.text, given.line).children, Place(place_name))


def _paragraph(draft: Draft, node: SyntaxTreeNode, _place: Place) -> list[Node]:
    nodes = inline(draft, node.children[0])
    return [{"type": "paragraph", "inline": nodes}] if nodes else []


def _list(draft: Draft, node: SyntaxTreeNode, place: Place) -> list[Node]:
    ordered = node.type == "ordered_list"
    if ordered and node.attrs.get("start", 1) != 1:
        message = f"the list begins with {node.attrs['start']}; pages number every list from one"
        draft.reporter.error(line_of(node), "block-known", message)
    inside = Place(place.name, place.list_depth + 1)
    if inside.list_depth > DEEPEST_LIST:
        raise Fault("block-known", f"lists are nested more than {DEEPEST_LIST} deep; use sections or a table")
    for item in node.children:
        if not item.children:
            draft.reporter.error(line_of(item), "block-known", "the list has an empty item")
    items = [blocks(draft, item.children, inside) for item in node.children]
    return [{"type": "list", "ordered": ordered, "items": items}]


def _table(draft: Draft, node: SyntaxTreeNode, _place: Place) -> list[Node]:
    rows = [row for part in node.children for row in part.children]
    cells = [[inline(draft, cell.children[0]) for cell in row.children] for row in rows]
    for row in rows:
        token = row.nester_tokens.opening if row.nester_tokens else None
        if token and token.meta.get("surplus"):
            message = r"the row has more cells than the table's head; a | inside a cell is written \|"
            draft.reporter.error(line_of(row), "block-known", message)
    return [{"type": "table", "head": cells[0], "rows": cells[1:]}]


def _fence(draft: Draft, node: SyntaxTreeNode, _place: Place) -> list[Node]:
    if node.meta.get("unclosed"):
        raise Fault("code-closed", f"the fenced code is not closed; end it with a line of {node.markup}")
    words = node.info.split()
    if len(words) > 1 or (words and not words[0].isalnum()):
        message = f"{quoted(node.info)} is no language name; write one word, such as ```python"
        draft.reporter.error(line_of(node), "block-known", message)
    return [{"type": "code", "lang": words[0] if words else "", "text": node.content.removesuffix("\n")}]


def _directive(draft: Draft, node: SyntaxTreeNode, place: Place) -> list[Node]:
    if node.tag not in draft.directives:
        hint = did_you_mean(node.tag, draft.directives)
        raise Fault("directive-known", f"unknown directive {{{node.tag}}}{hint}")
    directive = draft.directives[node.tag]
    if place.list_depth and not directive.in_lists:
        raise Fault("directive-place", f"{{{node.tag}}} stands in a list; put it before or after the list")
    if place.name not in directive.places:
        wanted = " or ".join(PLACES[name] for name in sorted(directive.places))
        raise Fault("directive-place", f"{{{node.tag}}} stands {PLACES[place.name]}; it belongs {wanted}")
    return invoke(draft, node.tag, node.info, Given(node.content, line_of(node) + 1))


def _unclosed(draft: Draft, node: SyntaxTreeNode, _place: Place) -> list[Node]:
    del draft
    message = (
        f"the directive {{{node.tag}}} is not closed, or one inside it is not; end it with a line of :::"
    )
    raise Fault("directive-closed", message)


def _stray(draft: Draft, node: SyntaxTreeNode, _place: Place) -> list[Node]:
    del draft
    if node.info.strip(":"):
        message = f"{quoted(node.info)} opens no directive; write :::{{name}} with the name in braces"
        raise Fault("directive-form", message)
    raise Fault("directive-form", f"this {node.info} closes nothing")


def _unknown(draft: Draft, node: SyntaxTreeNode, _place: Place) -> list[Node]:
    del draft
    rule, message = _REFUSED.get(node.type, ("block-known", f"{node.type} is not used in lessons"))
    raise Fault(rule, message.replace("…", quoted(node.content) if node.token else ""))


_REFUSED: Final = {
    "heading": ("heading-order", "a heading stands inside another block; headings divide the lesson itself"),
    "html_block": ("html-none", "raw HTML … is not used; write Markdown, or a directive"),
    "code_block": ("block-known", "this is code by its indentation; remove the spaces, or fence it with ```"),
    "blockquote": ("block-known", "a quotation mark > opens feedback in exercises only; use :::{note}"),
    "hr": ("block-known", "a ruled line is not shown; divide the lesson by headings"),
    "reference": (
        "link-target",
        "the address of a link stands apart; write it in the text: [words](address)",
    ),
}
_READERS: Final[dict[str, Reader]] = {
    "paragraph": _paragraph,
    "bullet_list": _list,
    "ordered_list": _list,
    "table": _table,
    "fence": _fence,
    "directive": _directive,
    "directive_unclosed": _unclosed,
    "directive_stray": _stray,
}

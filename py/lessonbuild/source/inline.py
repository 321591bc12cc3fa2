"""Inline Markdown to the artifact's inline nodes, with the truth rule applied to every piece of text."""

import re
from collections.abc import Callable
from typing import Final

from markdown_it.tree import SyntaxTreeNode

from lessonbuild.errors import Fault, did_you_mean, quoted
from lessonbuild.source.digits import digit_runs
from lessonbuild.source.draft import Draft, Node
from lessonbuild.source.links import check_link
from lessonbuild.source.markdown import line_of, parse_inline
from lessonbuild.source.maths import check_dollars, read_math
from lessonbuild.source.roles import ROLES

_BROKEN_LINK: Final = re.compile(r"\]\(")
_NUMBERS: Final = frozenset({"value", "literal", "live"})
_SIGN_BEFORE: Final = re.compile(r"(?:^|[\s(\[«„“‘])([−+±-]|[.,])$")
_PART_AFTER: Final = re.compile(r"[%‰]|[.,]?[0-9]")
_BROKEN_ROLE: Final = re.compile(r"\{[a-z]+\}$")


def inline(draft: Draft, parent: SyntaxTreeNode, runs: list[Node] | None = None) -> list[Node]:
    """Return the inline nodes below a tree node; mistakes in them are reported at their lines.

    `{run}` roles go to the list `runs`; where there is none, they are out of place.
    """
    nodes: list[Node] = []
    lines: list[int] = []
    for child in parent.children:
        with draft.reporter.faults_at(line_of(child)):
            for node in _READERS[child.type](draft, child):
                if node["t"] == "run":
                    _keep_run(node, runs)
                    if nodes and nodes[-1]["t"] == "text":
                        nodes[-1]["text"] = nodes[-1]["text"].rstrip(" ")
                elif node.get("text") == "" and node["t"] == "text":
                    continue  # markdown-it leaves these around emphasis
                elif node["t"] == "text" and nodes and nodes[-1]["t"] == "text":
                    nodes[-1]["text"] += node["text"]
                else:
                    nodes.append(node)
                    lines.append(line_of(child))
    _report_touching(draft, nodes, lines)
    return nodes


def _report_touching(draft: Draft, nodes: list[Node], lines: list[int]) -> None:
    """Report what would be read as a part of a number and is not: a sign or digit before it, a % after it."""
    for before, after, line in zip([None, *nodes], [*nodes, None], [*lines, *lines[-1:]], strict=bool(nodes)):
        left = plain_text([before]) if before else ""
        right = plain_text([after]) if after else ""
        message = ""
        if after and after["t"] in _NUMBERS:
            if before and (before["t"] in _NUMBERS or left[-1:].isdigit()):
                message = (
                    f"{quoted(left or right)} touches the number after it; put a space or a word between"
                )
            elif sign := _SIGN_BEFORE.search(left):
                message = f"{quoted(sign[1])} stands before a number as if it belonged to it; put it inside"
        elif before and before["t"] in _NUMBERS and (part := _PART_AFTER.match(right)):
            message = f"{quoted(part[0])} stands after a number as if it belonged to it; put it inside"
        if message:
            draft.reporter.error(line, "role-form", message)


def inline_text(draft: Draft, text: str, line: int) -> list[Node]:
    """Return the inline nodes of a piece of Markdown that begins on this line, such as an option."""
    return inline(draft, parse_inline(text, line))


def plain_text(nodes: list[Node]) -> str:
    """Return what the nodes say, without any form: for labels and comparisons."""
    parts = []
    for node in nodes:
        if node["t"] in {"em", "strong", "link"}:
            parts.append(plain_text(node["children"]))
        else:
            parts.append(str(node.get("text", node.get("tex", node.get("title", " ")))))
    return "".join(parts)


def _keep_run(node: Node, runs: list[Node] | None) -> None:
    if runs is None:
        raise Fault("directive-place", "{run} stands in the options of an exercise; elsewhere use {value}")
    runs.append(node)


def _text(draft: Draft, child: SyntaxTreeNode) -> list[Node]:
    text = child.content
    if child.type == "text":
        _check_marks(child, text)
    for run in digit_runs(text):
        hint = "compute it with {value}, or mark a given number with {literal}"
        draft.reporter.error(line_of(child), "number-typed", f'"{run}" is typed in prose; {hint}')
    return [{"t": "text", "text": text}]


def _check_marks(child: SyntaxTreeNode, text: str) -> None:
    """Report marks that were meant to open something and now stand in the text as they are."""
    check_dollars(text)
    before, tick, after = text.partition("`")
    if tick and _BROKEN_ROLE.search(before):
        hint = r"; in a table a | inside a role is written \|" if _in_table(child) else ""
        raise Fault("role-form", f"the role {quoted(before.split()[-1] + tick + after)} is not closed{hint}")
    if tick:
        raise Fault("role-form", f"a backtick opens code that is not closed: {quoted(tick + after)}")
    if _BROKEN_LINK.search(text):
        raise Fault("link-target", f"{quoted(text)} looks like a link, but its address is not one")


def _in_table(child: SyntaxTreeNode) -> bool:
    node: SyntaxTreeNode | None = child
    while node is not None:
        if node.type == "table":
            return True
        node = node.parent
    return False


def _space(_draft: Draft, _child: SyntaxTreeNode) -> list[Node]:
    return [{"t": "text", "text": " "}]


def _break(_draft: Draft, _child: SyntaxTreeNode) -> list[Node]:
    return [{"t": "break"}]


def _emphasis(draft: Draft, child: SyntaxTreeNode) -> list[Node]:
    return [{"t": child.type, "children": inline(draft, child)}]


def _code(_draft: Draft, child: SyntaxTreeNode) -> list[Node]:
    return [{"t": "code", "text": child.content}]


def _math(draft: Draft, child: SyntaxTreeNode) -> list[Node]:
    node = {"t": "math", "tex": child.content.strip()}
    leading = len(child.content) - len(child.content.lstrip())
    first = line_of(child) + child.content.count("\n", 0, leading)
    read_math(draft, node, first, display=False)
    return [node]


def _double_math(_draft: Draft, child: SyntaxTreeNode) -> list[Node]:
    message = (
        f"{quoted('$$' + child.content + '$$')} is a displayed equation; use :::{{math}}, which checks it"
    )
    raise Fault("math-display", message)


def _role(draft: Draft, child: SyntaxTreeNode) -> list[Node]:
    name = str(child.meta["name"])
    if name not in ROLES:
        raise Fault("role-known", f"unknown role {{{name}}}{did_you_mean(name, ROLES)}")
    return ROLES[name].run(draft, child.content, line_of(child))


def _link(draft: Draft, child: SyntaxTreeNode) -> list[Node]:
    href = str(child.attrs.get("href", ""))
    if child.info == "auto":
        children: list[Node] = [{"t": "text", "text": "".join(entry.content for entry in child.children)}]
    else:
        children = inline(draft, child)
    if not plain_text(children).strip():
        raise Fault("link-target", f"the link to {quoted(href)} has no text")
    if "title" in child.attrs:
        raise Fault("link-target", "a link's title in quotes is not shown on pages; remove it")
    check_link(draft, href, line_of(child))
    return [{"t": "link", "href": href, "children": children}]


def _image(_draft: Draft, child: SyntaxTreeNode) -> list[Node]:
    source = quoted(str(child.attrs.get("src", "")))
    raise Fault(
        "image-none", f"the image {source} cannot be shown; pictures are drawn by widgets of the core"
    )


def _html(_draft: Draft, child: SyntaxTreeNode) -> list[Node]:
    raise Fault("html-none", f"raw HTML {quoted(child.content)} is not used; write Markdown, or &lt; for <")


_READERS: Final[dict[str, Callable[[Draft, SyntaxTreeNode], list[Node]]]] = {
    "text": _text,
    "text_special": _text,
    "softbreak": _space,
    "hardbreak": _break,
    "em": _emphasis,
    "strong": _emphasis,
    "code_inline": _code,
    "math_inline": _math,
    "math_inline_double": _double_math,
    "myst_role": _role,
    "link": _link,
    "image": _image,
    "html_inline": _html,
}

"""A lesson's body to sections: one title first, levels that go down one step at a time, nothing empty."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from markdown_it.tree import SyntaxTreeNode

from lessonbuild.errors import Fault, quoted
from lessonbuild.source.blocks import Place, blocks
from lessonbuild.source.draft import Draft, Node, slug
from lessonbuild.source.inline import inline, plain_text
from lessonbuild.source.markdown import line_of, parse

DEEPEST: Final = 3
_OWN_ID: Final = re.compile(r"\s*\{#([^{}]*)\}\s*$")
_PLAIN: Final = frozenset({"text", "em", "strong", "code", "literal"})


def read_sections(draft: Draft) -> list[Node]:
    """Return the sections of the body, each with its blocks."""
    sections: list[Node] = []
    parts = list(_parts(parse(draft.front.body, draft.front.body_line).children))
    for number, (heading, inside) in enumerate(parts):
        if heading is None:
            _report_no_title(draft, line_of(inside[0]))
            section: Node = {"id": "", "level": 1, "title": "", "blocks": []}
        else:
            section = _heading(draft, heading, sections)
            following = parts[number + 1][0] if number + 1 < len(parts) else None
            if not inside and (following is None or _level(following) <= section["level"]):
                message = f"the section {quoted(section['title'])} is empty; write it, or remove its heading"
                draft.reporter.error(line_of(heading), "section-empty", message)
        sections.append(section)
        section["blocks"] = blocks(draft, inside, Place("lesson"))
    if not sections:
        _report_no_title(draft, draft.front.body_line)
    return sections


def _parts(nodes: Sequence[SyntaxTreeNode]) -> Iterator[tuple[SyntaxTreeNode | None, list[SyntaxTreeNode]]]:
    """Yield each heading with what stands below it; None for what stands before the first heading."""
    heading: SyntaxTreeNode | None = None
    inside: list[SyntaxTreeNode] = []
    for node in nodes:
        if node.type == "heading":
            if heading is not None or inside:
                yield heading, inside
            heading, inside = node, []
        else:
            inside.append(node)
    if heading is not None or inside:
        yield heading, inside


def _level(heading: SyntaxTreeNode) -> int:
    return int(heading.tag[1:])


def _report_no_title(draft: Draft, line: int) -> None:
    title = draft.front.texts.get("title") or "Title"
    message = f"the body begins without a level-one heading; begin it with `# {title}`"
    draft.reporter.error(line, "title-first", message)


def _heading(draft: Draft, node: SyntaxTreeNode, before: Sequence[Node]) -> Node:
    line, level = line_of(node), _level(node)
    words, own_id = _words(draft, node)
    name = own_id if own_id is not None else slug(words)
    section: Node = {"id": name, "level": min(level, DEEPEST), "title": words, "blocks": []}
    if not words:
        draft.reporter.error(line, "heading-plain", "the heading is empty")
    elif not name:
        message = f"no id can be made of the heading {quoted(words)}; give it one with {{#its-id}}"
        draft.reporter.error(line, "id-form", message)
    else:
        draft.claim(name, line, what=f"the section {quoted(words)}")
    with draft.reporter.faults_at(line):
        _check_level(draft, level, words, before)
    return section


def _words(draft: Draft, node: SyntaxTreeNode) -> tuple[str, str | None]:
    """Return the heading as plain text, and the id that the author has given it."""
    line, own_id = line_of(node), None
    content = node.children[0]
    last = content.children[-1] if content.children else None
    if last is not None and last.type == "text" and last.token and (match := _OWN_ID.search(last.content)):
        own_id = match[1].strip()
        last.token.content = last.content[: match.start()]
    nodes = inline(draft, content)
    for odd in nodes:
        if odd["t"] not in _PLAIN:
            message = (
                f"a heading holds {_NAMES.get(odd['t'], odd['t'])}; it is plain text, code or {{literal}}"
            )
            draft.reporter.error(line, "heading-plain", message)
    return " ".join(plain_text(nodes).split()), own_id


def _check_level(draft: Draft, level: int, words: str, before: Sequence[Node]) -> None:
    title = draft.front.texts.get("title")
    if not before:
        if level != 1:
            raise Fault(
                "title-first", f"the first heading has level {level}; begin with `# {title or 'Title'}`"
            )
        if title is not None and words != title:
            message = f"the title is {quoted(words)} here, but {quoted(title)} in the front matter"
            raise Fault("title-first", message)
        return
    if level == 1:
        raise Fault("title-first", "this is a second level-one heading; sections begin with ##")
    if level > DEEPEST:
        raise Fault("heading-order", f"the heading has level {level}; at most {DEEPEST} are used")
    above = int(before[-1]["level"])
    if level > above + 1:
        message = f"the heading has level {level} after one of level {above}; use {'#' * (above + 1)}"
        raise Fault("heading-order", message)


_NAMES: Final = {
    "math": "a formula",
    "value": "a {value}",
    "link": "a link",
    "cite": "a {cite}",
    "set": "a {set}",
    "live": "a {live}",
    "lesson": "a {lesson}",
    "break": "a line break",
}

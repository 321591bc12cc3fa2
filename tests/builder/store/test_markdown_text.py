"""Inline content written as Markdown parses back to the same characters in the same styles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from lessonbuild.markdown_text import InlineWriter, cell, one_line, safe_lines

PAGE = "https://example.org/lessons/here.html"
PARSER = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin, allow_space=True, allow_digits=True)
WRITER = InlineWriter(PAGE, lambda name: f"https://example.org/lessons/{name}.html", lambda key: key)

Styled = list[tuple[str, frozenset[str]]]

SPECIAL = "*_[]()`$<>&\\!|#~-+=.:;1aé—−\u00a0 \n"
texts = st.text(alphabet=SPECIAL, max_size=8).map(lambda text: {"t": "text", "text": text})
codes = st.text(alphabet="`|*a \\", min_size=1, max_size=5).filter(str.strip)
leaves = st.one_of(
    texts,
    codes.map(lambda text: {"t": "code", "text": text}),
    st.sampled_from([r"r_t", r"\|x\|", r"a*b*c", r"\frac{1}{2}"]).map(lambda tex: {"t": "math", "tex": tex}),
    st.sampled_from(["2.4", "−2", "a_b"]).map(lambda text: {"t": "value", "text": text}),
)
nodes = st.recursive(
    leaves,
    lambda inner: st.builds(
        lambda kind, children: {"t": kind, "children": children},
        st.sampled_from(["em", "strong"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=6,
)
links = st.lists(leaves, min_size=1, max_size=2).map(
    lambda children: {"t": "link", "href": "https://example.org/a_(b)?c=1&d=2", "children": children}
)
inlines = st.lists(st.one_of(nodes, links, st.just({"t": "break"})), max_size=5)


def meant(
    nodes: list[dict[str, Any]], styles: frozenset[str] = frozenset()
) -> Iterator[tuple[str, frozenset[str]]]:
    """The characters of inline content with their styles."""
    for node in nodes:
        if node["t"] in {"em", "strong"}:
            yield from meant(node["children"], styles | {node["t"]})
        elif node["t"] == "link":
            yield from meant(node["children"], styles | {f"link {node['href']}"})
        elif node["t"] == "math":
            yield from ((character, styles | {"math"}) for character in node["tex"])
        elif node["t"] == "break":
            yield "\n", frozenset()
        else:
            own = styles | {"code"} if node["t"] == "code" else styles
            yield from ((" " if character == "\n" else character, own) for character in node["text"])


def parsed(tokens: list[Token]) -> Iterator[tuple[str, frozenset[str]]]:
    """The characters of parsed inline tokens with their styles."""
    styles: list[str] = []
    for token in tokens:
        kind = token.type.removesuffix("_open")
        if token.type.endswith("_open"):
            styles.append(f"link {token.attrs['href']}" if kind == "link" else kind)
        elif token.type.endswith("_close"):
            styles.pop()
        elif token.type == "hardbreak":
            yield "\n", frozenset()
        elif token.content in {"<em>", "<strong>"} and token.type == "html_inline":
            styles.append(token.content[1:-1])
        elif token.content in {"</em>", "</strong>"} and token.type == "html_inline":
            styles.pop()
        elif token.type != "html_inline":
            own = {"code_inline": {"code"}, "math_inline": {"math"}}.get(token.type, set())
            yield from ((character, frozenset({*styles, *own})) for character in token.content)


def readable(markdown: str) -> bool:
    """The parser's maths rule looks for a backslash before the first character, and finds the last one."""
    return not (markdown.startswith("$") and markdown.endswith("\\"))


def comparable(characters: Iterator[tuple[str, frozenset[str]]]) -> Styled:
    """Without what Markdown does not keep: repeated or outer spaces, and the style of a space."""
    result: Styled = []
    names = {"em": "em", "strong": "strong"}
    for character, styles in characters:
        named = frozenset(names.get(style, style) for style in styles)
        if character == " " and "code" not in styles:
            if result and not result[-1][0].isspace():
                result.append((" ", frozenset()))
            continue
        if character == "\n" and result and result[-1] == (" ", frozenset()):
            result.pop()
        if character == "\n" and not result:
            continue
        result.append((character, named))
    while result and result[-1][0] in " \n" and "code" not in result[-1][1]:
        result.pop()
    return result


@given(inlines)
@settings(derandomize=True, max_examples=300, deadline=None)
def test_a_paragraph_parses_back_to_its_content(content: list[dict[str, Any]]) -> None:
    markdown = safe_lines(WRITER.write(content))
    assume(readable(markdown))
    tokens = PARSER.parse(markdown)
    assert [token.type for token in tokens] in ([], ["paragraph_open", "inline", "paragraph_close"]), markdown
    found = comparable(parsed(tokens[1].children or [] if tokens else []))
    assert found == comparable(meant(content)), markdown


@given(st.lists(nodes, max_size=4))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_a_heading_parses_back_to_its_content(content: list[dict[str, Any]]) -> None:
    markdown = "## " + one_line(WRITER.write(content))
    assume(readable(markdown[3:]))
    tokens = PARSER.parse(markdown)
    assert [token.type for token in tokens] == ["heading_open", "inline", "heading_close"], markdown
    assert comparable(parsed(tokens[1].children or [])) == comparable(meant(content)), markdown


@given(st.lists(st.lists(nodes, max_size=3), min_size=2, max_size=3))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_table_cells_parse_back_to_their_content(row: list[list[dict[str, Any]]]) -> None:
    cells = [cell(WRITER.write(content)) for content in row]
    assume(all(map(readable, cells)))
    markdown = "\n".join(
        [f"| {' | '.join('h' for _ in row)} |", f"|{'---|' * len(row)}", f"| {' | '.join(cells)} |"]
    )
    found = [
        comparable(parsed(token.children or [])) for token in PARSER.parse(markdown) if token.type == "inline"
    ]
    assert found[len(row) :] == [comparable(meant(content)) for content in row], markdown


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("# not a heading", r"\# not a heading"),
        ("1. not a list", r"1\. not a list"),
        ("- not a list", r"\- not a list"),
        ("> not a quote", r"\> not a quote"),
        ("---", r"\---"),
        ("clip_epsilon * A", r"clip\_epsilon \* A"),
        ("costs $5 and $6", r"costs \$5 and \$6"),
        ("a < b & c &amp; d", r"a \< b & c \&amp; d"),
        ("KL([0.7, 0.3])", r"KL(\[0.7, 0.3\])"),
        ("a `tick`", r"a \`tick\`"),
    ],
)
def test_what_markdown_would_read_as_its_own_is_escaped(text: str, markdown: str) -> None:
    assert safe_lines(WRITER.write([{"t": "text", "text": text}])) == markdown


def test_links_are_absolute_and_absent_lessons_are_no_links() -> None:
    content = [
        {"t": "link", "href": "#kl", "children": [{"t": "text", "text": "below"}]},
        {"t": "text", "text": ", "},
        {"t": "lesson", "id": "gae", "title": "GAE", "here": True},
        {"t": "text", "text": ", "},
        {"t": "lesson", "id": "trpo", "title": "TRPO", "here": False},
    ]
    assert WRITER.write(content) == (
        f"[below]({PAGE}#kl), [GAE](https://example.org/lessons/gae.html), TRPO (not here yet)"
    )

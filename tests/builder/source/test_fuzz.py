"""Whatever is written, the compiler answers: errors at lines of the file, or an artifact that is valid."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lesson_cases import HEAD, ROOT, TITLE, compile_bytes, completed

from lessonbuild import schemas
from lessonbuild.errors import RULES

LESSONS = sorted((ROOT / "lesson-data/lessons").glob("*/lesson.md"))

# Pieces of the syntax, right and wrong, that meet each other in random order.
PIECES = [
    *(
        "# A",
        "## B {#b}",
        "### C",
        "\n",
        "\n\n",
        "  ",
        "\t",
        "- ",
        "1. ",
        "> ",
        "- [x] ",
        "- [ ] ",
        "| a | b |\n|---|---|\n",
    ),
    *(
        "```",
        "~~~",
        "`",
        "``",
        "$",
        "$$",
        "*",
        "**",
        "_",
        "[",
        "](",
        ")",
        "](#b)",
        "![",
        "<b>",
        "<!--",
        "\\",
        "&#50;",
        "\0",
    ),
    *(
        ":::",
        "::::",
        ":::{note} aside\n",
        ":::{math} m\n",
        ":::{widget} kl\n",
        ":::{symbols}\n",
        ":::{solution}\n",
    ),
    *(
        ":::{exercise} choice e\n",
        ":::{sources}\n",
        ":::{links} related\n",
        ":::{nothing}\n",
        ":::{",
        "}",
        "{",
        "|",
    ),
    *(
        ":title: x\n",
        ":caption: x\n",
        ":try: x | y\n",
        ":numpy: a / b\n",
        ":core: softmax(a)[b]\n",
        ":at: a=1, b=2\n",
    ),
    *(
        ":each: a=[1], b=[2, 3]\n",
        ":check: none\n",
        ":reason: no need here\n",
        ":hint: x\n",
        ":answer: 1 / 2\n",
        ":p_1: 0.5\n",
    ),
    *(
        "{value}`",
        "{value}`softmax([0, 1])[0] | .2f | id=v`",
        "{literal}`2`",
        "{run}`softmax([0, 0])[0]`",
        "{run}`surrogate_terms(1, 2, clip_epsilon=0.2)`",
        "{live}`kl.kl_pq`",
    ),
    *(
        "{set}`kl: p_1=0.5 | x`",
        "{cite}`ppo`",
        "{lesson}`second`",
        "\\value{v}",
        "\\text{2.4}",
        "word ",
        "2.4 ",
        "½",
        "\u202e",
    ),
]


def check(data: bytes) -> None:
    """Compile, and look at whatever comes back."""
    with tempfile.TemporaryDirectory() as folder:
        result = compile_bytes(Path(folder), data)
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
    for error in result.errors:
        assert error.rule in RULES
        assert error.rule != "artifact-schema", error.message
        assert 1 <= error.line <= lines, error
        assert error.message.strip()
        assert "\n" not in error.message
    assert (result.artifact is None) == bool(result.errors)
    if result.artifact is not None:
        assert not list(schemas.violations(ROOT, "lesson", result.artifact))


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes(data: bytes) -> None:
    check(data)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=40))
@example(["$", "\\", "value"])
def test_any_order_of_pieces(pieces: list[str]) -> None:
    check((HEAD + TITLE + "".join(pieces)).encode(errors="replace"))


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(
    st.lists(
        st.sampled_from(["\n", " ", "---", ": ", "- ", "[", "]", '"', "'", "|", ">", "&a", "*a", "id", "x"])
    )
)
def test_any_front_matter(pieces: list[str]) -> None:
    check(f"---\n{''.join(pieces)}\n---\n{TITLE}".encode())


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.parent.name)
@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(
    st.integers(0, 10**6),
    st.integers(0, 40),
    st.sampled_from(PIECES),
)
def test_a_lesson_with_a_piece_cut_out_and_another_put_in(path: Path, at: int, cut: int, piece: str) -> None:
    source = path.read_text(encoding="utf-8")
    at %= len(source)
    check((source[:at] + piece + source[at + cut :]).encode())


@pytest.mark.parametrize(
    "source",
    [
        ":::{a}\n" * 400,
        "> " * 300 + "x",
        "- " * 300 + "x",
        "[" * 3000,
        "*a " * 3000,
        "{value}`" + "(" * 900 + "`",
        "{value}`softmax(" + "-" * 900 + "1)`",
        "$" + "{" * 3000 + "$",
        "`" * 3000 + "a",
        ":::{math} m\n:numpy: " + "-" * 900 + "a\n:core: softmax(a)\n:at: a=1\n:at: a=2\nx\n:::\n",
        ":::{math} m\n:numpy: "
        + "(" * 300
        + "a"
        + ")" * 300
        + "\n:core: softmax(a)\n:at: a=1\n:at: a=2\nx\n:::\n",
        ":::{math} m\n:numpy: 9**9**9**9 * a\n:core: softmax(a)\n:at: a=1\n:at: a=2\nx\n:::\n",
        "| a |\n|---|\n" + "| b |\n" * 1000,
    ],
    ids=lambda source: source[:24],
)
def test_deep_and_long_sources(source: str) -> None:
    check(completed(source)[0].encode())

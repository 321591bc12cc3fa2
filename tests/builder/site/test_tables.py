"""Tables that become lists of rows on a phone, and identifiers that break after their underscores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dom import parse
from fake_renderer import FakeRenderer
from sample_lesson import sample_artifact

from lessonbuild.site.environment import breakable, make_environment
from lessonbuild.site.pages import LessonFiles, PageMaker
from lessonbuild.site.tables import plain_text, stacks

ROOT = Path(__file__).parents[3]
FILES = LessonFiles("a.json", "publications/a.json", "publications/a.md")


def text(words: str) -> list[dict[str, Any]]:
    return [{"t": "text", "text": words}]


def table(*rows: list[str], head: tuple[str, ...] = ("figure", "call", "what it executes")) -> dict[str, Any]:
    cells = [[text(words) for words in row] for row in rows]
    return {"type": "table", "head": [text(words) for words in head], "rows": cells}


def test_a_name_of_a_column_is_its_words() -> None:
    nodes = [
        *text("functions of "),
        {"t": "code", "text": "policygrad"},
        *text(", "),
        {"t": "math", "tex": "r"},
        {"t": "em", "children": text(" now")},
        {"t": "math", "tex": r"\\text{clip}(r)"},
    ]
    assert plain_text(nodes) == "functions of policygrad, r now"


def test_sentences_in_three_columns_stack_and_numbers_do_not() -> None:
    assert stacks(table(["clip", "surrogate_terms", "PPO's term for one sample and both of its branches"]))
    assert not stacks(table(["+2", "2.8", "2.4"]))
    assert not stacks(table(["clip", "PPO's term for one sample, its two branches"], head=("figure", "what")))


def test_stacked_cells_carry_the_name_of_their_column() -> None:
    artifact = sample_artifact()
    artifact["sections"][0]["blocks"] = [
        table(["clip", "surrogate_terms", "PPO's term for one sample and both of its branches"])
    ]
    maker = PageMaker(make_environment(ROOT, FakeRenderer()), "Course")
    page = parse(maker.lesson_parts(artifact, FILES, "Topic").main)
    stacking = page.one("table", class_="stacking")
    assert [cell.get("data-label") for cell in stacking.all("td")] == [None, "call", "what it executes"]


def test_identifiers_break_after_underscores_only_and_stay_text() -> None:
    assert breakable("kl_divergence(p, q)") == "kl_<wbr>divergence(p, q)"
    assert breakable("<b>_x") == "&lt;b&gt;_<wbr>x"
    assert breakable("plain") == "plain"

"""What a card says of a lesson: the plainest of its figures, and how much there is to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lessonbuild.site.cover import cover, facts


def lesson(*figures: list[dict[str, Any]], exercises: int = 0, fixtures: int = 0) -> dict[str, Any]:
    widgets = [{"frame": {"figure": {"panels": panels}}} for panels in figures]
    return {"id": "x", "widgets": widgets, "exercises": [{}] * exercises, "fixtures": [{}] * fixtures}


def drawn(artifact: dict[str, Any]) -> str:
    def picture(frame: Mapping[str, Any], size: str, label: str) -> str:
        return f"{size}: {', '.join(panel['id'] for panel in frame['figure']['panels'])}"

    return cover(artifact, picture)


def test_the_figure_with_the_fewest_panels_is_on_the_card() -> None:
    assert drawn(lesson([{"id": "a"}, {"id": "b"}], [{"id": "c"}], [{"id": "d"}])) == "narrow: c"


def test_one_panel_of_it_the_main_one_if_there_is_one() -> None:
    assert drawn(lesson([{"id": "a"}, {"id": "b", "main": True}])) == "narrow: b"
    assert drawn(lesson([{"id": "a"}, {"id": "b"}])) == "narrow: a"


def test_a_lesson_without_figures_has_a_card_without_a_picture() -> None:
    assert drawn(lesson()) == ""


def test_facts_count_and_leave_out_what_there_is_none_of() -> None:
    assert facts(lesson([], [], exercises=1, fixtures=12)) == "2 figures · 1 question · 12 computed numbers"
    assert facts(lesson([], exercises=3)) == "1 figure · 3 questions"
    assert facts(lesson()) == ""

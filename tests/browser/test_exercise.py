"""The question of the first lesson: every option, its feedback, and the solution after an attempt."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from .artifact import EXERCISES, plain_text
from .hosting import LESSON, Host
from .pages import reload

QUESTION = "clipped-negative"
EXERCISE = EXERCISES[QUESTION]
RIGHT = next(number for number, option in enumerate(EXERCISE["options"]) if option["correct"])
WRONG = [number for number, option in enumerate(EXERCISE["options"]) if not option["correct"]]
SOLUTION = plain_text(EXERCISE["solution"][0]["inline"])
"""The first words of the solution, which stand nowhere else."""
OLDER_HASH = "0123456789abcdef"


def question(page: Page) -> Locator:
    return page.locator(f"[data-exercise='{QUESTION}']")


def answer(page: Page, option: int) -> str:
    """Choose, check, and wait for what is said about it."""
    box = question(page)
    box.locator(f"input[type=radio][value='{option}']").check()
    box.locator("[data-action=check]").click()
    feedback = plain_text(EXERCISE["options"][option]["feedback"][0]["inline"])
    expect(box.locator("[data-feedback]")).to_contain_text(feedback)
    return box.locator("[data-feedback]").inner_text()


def status(page: Page) -> str:
    return question(page).get_attribute("data-status") or ""


def test_the_solution_is_not_on_the_page_before_an_attempt(lesson: Page, host: Host) -> None:
    assert len(SOLUTION) > 10
    assert status(lesson) == "open"
    assert question(lesson).get_attribute("data-kind") == "choice"
    assert question(lesson).locator("[data-action=reveal]").is_disabled()
    assert SOLUTION not in lesson.evaluate("document.documentElement.innerHTML")
    assert SOLUTION not in (host.folder / "lessons" / f"{LESSON}.html").read_text(encoding="utf-8")
    # It does exist, where readers without scripts and readers of the export find it.
    assert SOLUTION in (host.folder / "lessons" / f"{LESSON}-solutions.html").read_text(encoding="utf-8")
    export = next((host.folder / "lesson-data").rglob("*.md")).read_text(encoding="utf-8")
    assert SOLUTION in export


@pytest.mark.parametrize("option", WRONG)
def test_a_wrong_answer_is_run_and_answered_by_name(lesson: Page, option: int) -> None:
    said = answer(lesson, option)
    assert status(lesson) == "tried"
    assert EXERCISE["options"][option]["result"]["display"] in said
    assert EXERCISE["options"][option]["run"]["call"].split(".")[0] in said
    assert "Computed just now by Python" in said
    for other in WRONG:
        if other != option:
            assert plain_text(EXERCISE["options"][other]["feedback"][0]["inline"]) not in said

    reveal = question(lesson).locator("[data-action=reveal]")
    assert reveal.is_enabled()
    reveal.click()
    assert status(lesson) == "revealed"
    assert SOLUTION in question(lesson).locator("[data-solution]").inner_text()


def test_the_right_answer_is_kept_over_a_reload(lesson: Page) -> None:
    answer(lesson, RIGHT)
    assert status(lesson) == "correct"
    reload(lesson)
    assert status(lesson) == "correct"
    assert question(lesson).locator(f"input[value='{RIGHT}']").is_checked()
    assert question(lesson).locator("[data-action=reveal]").is_enabled()


def test_checking_without_a_choice_says_what_is_missing(visited: Page) -> None:
    question(visited).locator("[data-action=check]").click()
    assert question(visited).locator("[data-feedback]").inner_text().strip()
    assert status(visited) == "open"
    assert question(visited).locator("[data-action=reveal]").is_disabled()


def test_answering_works_by_keyboard(lesson: Page) -> None:
    question(lesson).locator("input[type=radio]").first.focus()
    lesson.keyboard.press("Space")
    lesson.keyboard.press("ArrowDown")
    assert question(lesson).locator("input[type=radio]").nth(1).is_checked()
    for _ in range(8):
        lesson.keyboard.press("Tab")
        if lesson.evaluate("document.activeElement.dataset.action") == "check":
            break
    lesson.keyboard.press("Enter")
    expect(question(lesson)).to_have_attribute("data-status", "tried")


def test_an_answer_to_a_changed_question_is_kept_and_marked(lesson: Page) -> None:
    answer(lesson, WRONG[0])
    changed = lesson.evaluate(
        """([now, older]) => {
          const keys = Object.keys(localStorage).filter((key) => localStorage[key].includes(now));
          for (const key of keys) localStorage[key] = localStorage[key].replaceAll(now, older);
          return keys.length;
        }""",
        [EXERCISE["hash"], OLDER_HASH],
    )
    assert changed == 1
    reload(lesson)
    assert question(lesson).locator(f"input[value='{WRONG[0]}']").is_checked()
    assert "changed since you answered" in question(lesson).inner_text().lower()
    # Checked again, it is an answer to the present question.
    answer(lesson, WRONG[0])
    assert "changed since you answered" not in question(lesson).inner_text().lower()
    stored = lesson.evaluate("Object.values(localStorage).join()")
    assert json.dumps(EXERCISE["hash"]) in stored
    assert OLDER_HASH not in stored


def test_hints_open_one_by_one(visited: Page) -> None:
    hints = question(visited).locator("details.hint")
    assert hints.count() == len(EXERCISE["hints"])
    for hint, inline in zip(hints.all(), EXERCISE["hints"], strict=True):
        text = hint.get_by_text(plain_text(inline))
        assert not text.is_visible()
        hint.locator("summary").click()
        assert text.is_visible()

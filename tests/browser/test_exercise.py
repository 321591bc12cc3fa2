"""The question of the first lesson: every option, its feedback, and the solution after an attempt."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, Page

from .conftest import LESSON, ROOT, Host

QUESTION = "clipped-negative"
EXERCISE = next(
    exercise
    for path in (ROOT / "lesson-data").glob(f"{LESSON}-*.json")
    for exercise in json.loads(path.read_text(encoding="utf-8"))["exercises"]
    if exercise["id"] == QUESTION
)
RIGHT = next(number for number, option in enumerate(EXERCISE["options"]) if option["correct"])
WRONG = [number for number, option in enumerate(EXERCISE["options"]) if not option["correct"]]


def question(page: Page) -> Locator:
    return page.locator(f"[data-exercise='{QUESTION}']")


def answer(page: Page, option: int) -> str:
    box = question(page)
    box.locator(f"input[type=radio][value='{option}']").check()
    box.locator("[data-action=check]").click()
    page.wait_for_function(
        f"document.querySelector(\"[data-exercise='{QUESTION}']\").dataset.status !== 'open'"
    )
    box.locator("[data-feedback] *").first.wait_for()
    return box.locator("[data-feedback]").inner_text()


def test_the_solution_is_not_on_the_page_before_an_attempt(lesson: Page) -> None:
    box = question(lesson)
    assert box.get_attribute("data-status") == "open"
    assert box.get_attribute("data-kind") == "choice"
    assert box.locator("[data-action=reveal]").is_disabled()
    text = lesson.evaluate("document.documentElement.innerHTML")
    assert "Both candidates first" not in text
    assert "Both candidates first" in json.dumps(EXERCISE["solution"], ensure_ascii=False)


@pytest.mark.parametrize("option", WRONG)
def test_a_wrong_answer_is_run_and_answered_by_name(lesson: Page, option: int) -> None:
    said = answer(lesson, option)
    box = question(lesson)
    assert box.get_attribute("data-status") == "tried"
    assert EXERCISE["options"][option]["result"]["display"] in said
    feedback = EXERCISE["options"][option]["feedback"][0]["inline"][0]["text"]
    assert feedback in said
    assert box.locator("[data-action=reveal]").is_enabled()
    box.locator("[data-action=reveal]").click()
    assert box.get_attribute("data-status") == "revealed"
    assert "Both candidates first" in box.locator("[data-solution]").inner_text()


def test_the_right_answer_is_kept_over_a_reload(lesson: Page) -> None:
    answer(lesson, RIGHT)
    assert question(lesson).get_attribute("data-status") == "correct"
    lesson.reload()
    lesson.wait_for_selector("html[data-runtime=ready]")
    assert question(lesson).get_attribute("data-status") == "correct"
    assert question(lesson).locator(f"input[value='{RIGHT}']").is_checked()


def test_checking_without_a_choice_says_what_is_missing(lesson: Page) -> None:
    question(lesson).locator("[data-action=check]").click()
    assert question(lesson).locator("[data-feedback]").inner_text().strip()
    assert question(lesson).get_attribute("data-status") == "open"
    assert question(lesson).locator("[data-action=reveal]").is_disabled()


def test_answering_works_by_keyboard(lesson: Page) -> None:
    radio = question(lesson).locator("input[type=radio]").first
    radio.focus()
    lesson.keyboard.press("Space")
    for _ in range(12):
        lesson.keyboard.press("Tab")
        if lesson.evaluate("document.activeElement.dataset.action") == "check":
            break
    lesson.keyboard.press("Enter")
    lesson.wait_for_function(
        f"document.querySelector(\"[data-exercise='{QUESTION}']\").dataset.status !== 'open'"
    )


def test_an_answer_to_a_changed_question_is_kept_and_marked(lesson: Page, host: Host) -> None:
    answer(lesson, WRONG[0])
    lesson.evaluate(
        """(hash) => {
          for (const [key, value] of Object.entries(localStorage))
            if (value.includes(hash)) localStorage.setItem(key, value.replaceAll(hash, 'an-older-hash'));
        }""",
        EXERCISE["hash"],
    )
    lesson.reload()
    lesson.wait_for_selector("html[data-runtime=ready]")
    assert question(lesson).locator(f"input[value='{WRONG[0]}']").is_checked()
    assert "changed since you answered" in question(lesson).inner_text().lower()


def test_print_keeps_an_unopened_solution_closed(lesson: Page) -> None:
    lesson.emulate_media(media="print")
    assert "Both candidates first" not in lesson.locator("body").inner_text()
    assert not question(lesson).locator("[data-action=check]").is_visible()
    assert lesson.locator("[data-table]").first.is_visible()

"""What a reader keeps: controls in the address, answers in the browser, one file to carry them away."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Browser, Page

from .conftest import Guard, Host
from .sliders import move, outputs, settle, slider, widget
from .test_exercise import RIGHT, WRONG, answer, question


def test_moved_controls_stand_in_the_address_and_come_back(lesson: Page, host: Host) -> None:
    move(lesson, "ppo-clip", "ratio", 0.6)
    move(lesson, "kl", "p_1", 0.9)
    lesson.wait_for_function(
        "location.search.includes('ppo-clip.ratio=0.6') && location.search.includes('kl.p_1=0.9')"
    )
    assert "ppo-clip.advantage" not in lesson.url
    lesson.reload()
    lesson.wait_for_selector("html[data-runtime=ready]")
    settle(lesson, "ppo-clip", {"ratio": 0.6})
    assert float(slider(lesson, "kl", "p_1").input_value()) == 0.9
    assert outputs(lesson, "ppo-clip")["unclipped"] == 1.2


def test_a_link_out_of_range_is_clamped_and_says_so(page: Page, host: Host, guard: Guard) -> None:
    page.goto(host.lesson + "?ppo-clip.ratio=9&ppo-clip.advantage=abc&ppo-clip.nonsense=1&from=mail#ppo-clip")
    page.wait_for_selector("html[data-runtime=ready]", timeout=60_000)
    settle(page, "ppo-clip", {"ratio": 2, "advantage": 2})
    notice = widget(page, "ppo-clip").locator("[data-notice]")
    assert notice.is_visible()
    assert "9" in notice.inner_text()
    assert "from=mail" in page.url


def test_moves_before_python_is_ready_are_answered_by_the_last_one(
    page: Page, host: Host, guard: Guard
) -> None:
    page.goto(host.lesson)
    for value in (0.5, 0.7, 0.9):
        slider(page, "ppo-clip", "ratio").evaluate(
            """(one, value) => {
              one.value = value;
              one.dispatchEvent(new Event('input', { bubbles: true }));
            }""",
            value,
        )
    typed = widget(page, "ppo-clip").locator("[data-number-for='ratio']")
    assert float(typed.input_value()) == 0.9
    page.wait_for_selector("html[data-runtime=ready]", timeout=60_000)
    settle(page, "ppo-clip", {"ratio": 0.9})
    assert outputs(page, "ppo-clip")["unclipped"] == 1.8


def test_progress_travels_in_one_file(browser: Browser, lesson: Page, host: Host, tmp_path: Path) -> None:
    answer(lesson, RIGHT)
    with lesson.expect_download() as download:
        lesson.locator("[data-action=export-progress]").evaluate("button => button.click()")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert json.loads(file.read_text(encoding="utf-8"))

    context = browser.new_context()
    other = context.new_page()
    other.goto(host.lesson)
    other.wait_for_selector("html[data-runtime=ready]", timeout=60_000)
    assert question(other).get_attribute("data-status") == "open"
    other.locator("input[type=file]").set_input_files(file)
    other.wait_for_function("document.querySelector('[data-exercise]').dataset.status === 'correct'")
    assert question(other).locator(f"input[value='{RIGHT}']").is_checked()
    context.close()


def test_a_broken_progress_file_is_refused_and_nothing_is_lost(lesson: Page, tmp_path: Path) -> None:
    answer(lesson, WRONG[0])
    for name, content in (("text.json", "not json"), ("list.json", "[1, 2]"), ("empty.json", "")):
        file = tmp_path / name
        file.write_text(content, encoding="utf-8")
        lesson.locator("input[type=file]").set_input_files(file)
        lesson.wait_for_timeout(300)
        assert question(lesson).get_attribute("data-status") == "tried"
        assert question(lesson).locator(f"input[value='{WRONG[0]}']").is_checked()


def test_two_copies_on_one_host_do_not_mix(lesson: Page, host: Host) -> None:
    answer(lesson, RIGHT)
    keys = lesson.evaluate("Object.keys(localStorage)")
    progress = [key for key in keys if key.startswith("policygrad:")]
    assert progress
    assert all(key.startswith("policygrad:/some/where%20else/:") for key in progress)


def test_a_theme_stays_chosen(lesson: Page) -> None:
    before = lesson.locator("html").get_attribute("data-theme")
    lesson.locator("[data-action=theme]").click()
    after = lesson.locator("html").get_attribute("data-theme")
    assert {before, after} == {"light", "dark"}
    lesson.reload()
    assert lesson.locator("html").get_attribute("data-theme") == after


def test_blocked_storage_leaves_the_lesson_working(page: Page, host: Host, guard: Guard) -> None:
    page.add_init_script(
        """Object.defineProperty(window, 'localStorage', {
          get() { throw new DOMException('blocked', 'SecurityError'); }
        });"""
    )
    page.goto(host.lesson)
    page.wait_for_selector("html[data-runtime=ready]", timeout=60_000)
    answer(page, RIGHT)
    assert question(page).get_attribute("data-status") == "correct"

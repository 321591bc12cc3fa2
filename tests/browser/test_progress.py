"""What a reader keeps: answers in the browser, apart for every copy of the site, and a file to carry them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from .hosting import LESSON, PREFIX, Host
from .pages import Guard, open_lesson, reload
from .sliders import move, settle
from .test_exercise import QUESTION, RIGHT, WRONG, answer, question, status

BLOCKED_STORAGE = """Object.defineProperty(window, 'localStorage', {
  get() { throw new DOMException('blocked', 'SecurityError'); }
});"""
OTHER_COPY = "another copy"


@pytest.fixture
def elsewhere(browser: Browser, host: Host) -> Iterator[Page]:
    """The lesson in another browser, without Python: progress does not need it."""
    context = browser.new_context()
    guard = Guard(host.origin)
    guard.watch(context)
    page = context.new_page()
    page.goto(host.lesson)
    yield page
    guard.settle()
    context.close()


def export(page: Page, folder: Path) -> Path:
    page.locator("[data-menu=progress] summary").click()
    with page.expect_download() as download:
        page.locator("[data-action=export-progress]").click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    page.keyboard.press("Escape")
    return file


def load(page: Page, file: Path) -> str:
    """Load a file; what the page says about it."""
    said = page.locator("[data-progress-status]")
    before = said.text_content()
    page.locator("[data-progress-file]").set_input_files(file)
    expect(said).not_to_have_text(before or "")
    return said.text_content() or ""


def test_progress_travels_in_one_file(lesson: Page, elsewhere: Page, tmp_path: Path) -> None:
    answer(lesson, RIGHT)
    move(lesson, "ppo-clip", "ratio", 0.6)
    settle(lesson, "ppo-clip", {"ratio": 0.6})
    lesson.wait_for_function("Object.values(localStorage).join().includes('0.6')")
    file = export(lesson, tmp_path)
    assert json.loads(file.read_text(encoding="utf-8"))

    assert status(elsewhere) == "open"
    load(elsewhere, file)
    assert status(elsewhere) == "correct"
    assert question(elsewhere).locator(f"input[value='{RIGHT}']").is_checked()
    reload(elsewhere)
    assert status(elsewhere) == "correct"
    settle(elsewhere, "ppo-clip", {"ratio": 0.6})


def test_loading_a_file_never_loses_newer_work(lesson: Page, tmp_path: Path) -> None:
    answer(lesson, WRONG[0])
    older = export(lesson, tmp_path)
    answer(lesson, RIGHT)
    load(lesson, older)
    assert status(lesson) == "correct"
    assert question(lesson).locator(f"input[value='{RIGHT}']").is_checked()


def test_a_broken_progress_file_is_refused_and_nothing_is_lost(elsewhere: Page, tmp_path: Path) -> None:
    answer(elsewhere, WRONG[0])
    good = json.loads(export(elsewhere, tmp_path).read_text(encoding="utf-8"))
    for name, content in {
        "text.json": "not json",
        "list.json": "[1, 2]",
        "empty.json": "",
        "later.json": json.dumps({key: 99 if "ersion" in key else value for key, value in good.items()}),
        "hostile.json": '{"__proto__": {"lessons": 1}, "lessons": {"__proto__": {"exercises": {}}}}',
    }.items():
        file = tmp_path / name
        file.write_text(content, encoding="utf-8")
        elsewhere.evaluate("document.querySelector('[data-progress-status]').textContent = ''")
        assert "Nothing was loaded" in load(elsewhere, file), name
        assert status(elsewhere) == "tried"
        assert question(elsewhere).locator(f"input[value='{WRONG[0]}']").is_checked()
    reload(elsewhere)
    assert status(elsewhere) == "tried"


def test_forgetting_asks_first_and_forgets_all(elsewhere: Page) -> None:
    answer(elsewhere, RIGHT)
    elsewhere.locator("[data-menu=progress] summary").click()
    elsewhere.once("dialog", lambda dialog: dialog.dismiss())
    elsewhere.locator("[data-action=clear-progress]").click()
    assert status(elsewhere) == "correct"
    elsewhere.once("dialog", lambda dialog: dialog.accept())
    elsewhere.locator("[data-action=clear-progress]").click()
    expect(question(elsewhere)).to_have_attribute("data-status", "open")
    assert QUESTION not in elsewhere.evaluate("Object.values(localStorage).join()")


def test_two_copies_on_one_host_do_not_mix(lesson: Page, host: Host) -> None:
    copy = host.root / OTHER_COPY
    if not copy.exists():
        copy.symlink_to(host.root / PREFIX, target_is_directory=True)
    answer(lesson, RIGHT)
    lesson.goto(host.url(f"lessons/{LESSON}.html", OTHER_COPY))
    assert status(lesson) == "open"
    answer(lesson, WRONG[0])
    lesson.goto(host.lesson)
    assert status(lesson) == "correct"
    keys = lesson.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('policygrad:'))")
    paths = {key.split(":")[1] for key in keys}
    assert paths == {"/some/where%20else/", "/another%20copy/"}


def test_two_tabs_of_one_copy_agree(lesson: Page, host: Host) -> None:
    second = lesson.context.new_page()
    second.goto(host.lesson)
    answer(lesson, RIGHT)
    expect(question(second)).to_have_attribute("data-status", "correct")


def test_a_theme_stays_chosen(elsewhere: Page, host: Host) -> None:
    page = elsewhere.locator("html")
    before = page.get_attribute("data-theme")
    elsewhere.locator("[data-action=theme]").click()
    after = page.get_attribute("data-theme")
    assert {before, after} == {"light", "dark"}
    elsewhere.reload()
    assert page.get_attribute("data-theme") == after
    elsewhere.goto(host.url("index.html"))
    assert page.get_attribute("data-theme") == after


def test_blocked_storage_leaves_the_lesson_working_and_says_so(page: Page, host: Host, guard: Guard) -> None:
    page.add_init_script(BLOCKED_STORAGE)
    open_lesson(page, host)
    said = answer(page, RIGHT)
    assert status(page) == "correct"
    assert "does not keep answers" in said
    move(page, "ppo-clip", "ratio", 0.5)
    settle(page, "ppo-clip", {"ratio": 0.5})

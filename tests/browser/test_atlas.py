"""The index page: finding a lesson by title and topic, and links that name one."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from .hosting import LESSON, Host
from .pages import Guard


def test_search_finds_by_title_and_topic(page: Page, host: Host, guard: Guard) -> None:
    page.goto(host.url("index.html"))
    field = page.locator("[data-atlas-search]")
    card = page.locator(f"article#{LESSON}")
    count = page.locator("[data-atlas-count]")
    for words in ("advantages", "posttraining", "PPO", "rollout"):
        field.fill(words)
        expect(count).to_have_text(re.compile(r"^1\b"))
        assert card.is_visible(), words
    field.fill("zebra crossing")
    page.wait_for_function(f"document.getElementById('{LESSON}').offsetParent === null")
    expect(count).to_have_text(re.compile("no lesson|0 ", re.IGNORECASE))
    field.fill("")
    page.wait_for_function(f"document.getElementById('{LESSON}').offsetParent !== null")


def test_a_fragment_opens_its_lesson(page: Page, host: Host, guard: Guard) -> None:
    page.goto(host.url(f"index.html#{LESSON}"))
    page.wait_for_url(f"**/lessons/{LESSON}.html*")


def test_a_fragment_marks_its_card_without_scripts(browser: Browser, host: Host) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(host.url(f"index.html#{LESSON}"))
    assert page.locator(f"article#{LESSON}:target").is_visible()
    assert page.locator(f"article#{LESSON} a[href='lessons/{LESSON}.html']").first.is_visible()
    context.close()

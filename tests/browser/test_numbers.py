"""Numbers of the text: shown as the artifact says, and computed again in the page."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page

from .conftest import LESSON, ROOT, Host

ARTIFACT = json.loads(next((ROOT / "lesson-data").glob(f"{LESSON}-*.json")).read_text(encoding="utf-8"))


def test_every_fixture_stands_on_the_page_as_displayed(lesson: Page) -> None:
    shown = lesson.locator("[data-fixture]").evaluate_all(
        "all => all.map((one) => [one.dataset.fixture, one.textContent])"
    )
    displays = {fixture["id"]: fixture["display"] for fixture in ARTIFACT["fixtures"]}
    assert {name for name, _ in shown} <= displays.keys()
    for name, text in shown:
        assert text.strip() == displays[name]


def test_the_page_recomputes_its_numbers(lesson: Page) -> None:
    lesson.locator("[data-action=check-numbers]").click()
    result = lesson.locator("[data-check-result]")
    count = len(ARTIFACT["fixtures"])
    lesson.wait_for_function("document.querySelector('[data-check-result]').textContent.includes('agree')")
    assert f"{count} of {count} agree" in result.inner_text()


def test_a_number_that_does_not_agree_is_named(page: Page, host: Host) -> None:
    name = next(file.name for file in host.root.rglob(f"{LESSON}-*.data.js"))
    data = next(host.root.rglob(name)).read_text(encoding="utf-8")
    fixture = ARTIFACT["fixtures"][0]
    wrong = re.sub(
        rf'("id": ?"{re.escape(fixture["id"])}".*?"value": ?)[^,]+',
        r"\g<1>12345.0",
        data,
        count=1,
        flags=re.DOTALL,
    )
    assert wrong != data
    host.altered[name] = wrong.encode()
    page.goto(host.lesson)
    page.wait_for_selector("html[data-runtime=ready]", timeout=60_000)
    page.locator("[data-action=check-numbers]").click()
    page.wait_for_function("document.querySelector('[data-check-result]').textContent.includes('12345')")
    count = len(ARTIFACT["fixtures"])
    assert f"{count - 1} of {count} agree" in page.locator("[data-check-result]").inner_text()

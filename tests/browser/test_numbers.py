"""Numbers of the text: shown as the artifact says, and computed again in the page."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from .artifact import FIXTURES
from .hosting import Host
from .pages import Guard, open_lesson

DATA = "globalThis.lessonData="
WRONG_BY = 1e-6
"""Far below what the shown text could reveal."""


def test_every_fixture_stands_on_the_page_as_displayed(visited: Page) -> None:
    shown = visited.locator("[data-fixture]").evaluate_all(
        "all => all.map((one) => [one.dataset.fixture, one.textContent.trim()])"
    )
    displays = {fixture["id"]: fixture["display"] for fixture in FIXTURES}
    assert shown
    assert [(name, text) for name, text in shown if text != displays.get(name)] == []


def test_the_page_recomputes_its_numbers(visited: Page) -> None:
    visited.locator("[data-action=check-numbers]").click()
    result = visited.locator("[data-check-result]")
    expect(result).to_have_attribute("data-agree", "true")
    assert f"{len(FIXTURES)} of {len(FIXTURES)} agree" in result.inner_text()
    assert visited.locator("[data-fixture][data-differs]").count() == 0


def test_a_number_that_does_not_agree_is_named(page: Page, host: Host, guard: Guard) -> None:
    name = host.names("lessons", "*.data.js")[0]
    head, _, text = (host.folder / "lessons" / name).read_text(encoding="utf-8").partition(DATA)
    data = json.loads(text.rstrip().removesuffix(";"))
    wrong = next(one for one in data["fixtures"] if isinstance(one["value"], float))
    wrong["value"] += WRONG_BY
    host.altered[name] = (head + DATA + json.dumps(data)).encode()

    open_lesson(page, host)
    page.locator("[data-action=check-numbers]").click()
    result = page.locator("[data-check-result]")
    expect(result).to_have_attribute("data-agree", "false")
    assert f"{len(FIXTURES) - 1} of {len(FIXTURES)} agree" in result.inner_text()
    assert wrong["id"] in result.inner_text()
    marked = page.locator("[data-fixture][data-differs]")
    assert {one.get_attribute("data-fixture") for one in marked.all()} == {wrong["id"]}

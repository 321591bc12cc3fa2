"""When Python does not come, or goes: the page says so in words, and reading goes on."""

from __future__ import annotations

import gzip
import json

import pytest
from playwright.sync_api import Page

from .conftest import Guard, Host
from .sliders import move, outputs, settle, widget
from .test_exercise import WRONG, answer, question


def failed(page: Page, host: Host) -> str:
    page.goto(host.lesson)
    page.wait_for_selector("html[data-runtime=failed]", timeout=60_000)
    return page.locator("[data-runtime-status]").inner_text()


def runtime_files(host: Host) -> list[str]:
    return sorted(file.name for file in next(host.root.rglob("runtime")).iterdir())


@pytest.mark.parametrize("what", ["missing", "altered", "empty"])
def test_a_core_that_is_missing_or_altered_is_named(page: Page, host: Host, guard: Guard, what: str) -> None:
    guard.expected = ("Failed to load resource",)
    name = next(file for file in runtime_files(host) if file.startswith("policygrad"))
    content = next(host.root.rglob(name)).read_bytes()
    host.altered[name] = {"missing": None, "altered": gzip.compress(b"x" * len(content)), "empty": b""}[what]
    said = failed(page, host)
    assert name in said
    for section in page.locator("section[data-widget]").all():
        assert section.get_attribute("data-state") in ("first-frame", "error")
        assert section.locator("[data-summary]").inner_text()
    answer(page, WRONG[0])
    assert question(page).get_attribute("data-status") == "tried"


def test_restart_brings_python_back_when_the_file_is_there_again(
    page: Page, host: Host, guard: Guard
) -> None:
    guard.expected = ("Failed to load resource",)
    name = next(file for file in runtime_files(host) if file.startswith("policygrad"))
    host.altered[name] = None
    failed(page, host)
    host.altered.clear()
    page.locator("[data-action=restart-python]").first.click()
    page.wait_for_selector("html[data-runtime=ready]", timeout=60_000)
    move(page, "ppo-clip", "ratio", 0.5)
    settle(page, "ppo-clip", {"ratio": 0.5})
    assert outputs(page, "ppo-clip")["unclipped"] == 1.0


def test_a_worker_that_dies_is_replaced(page: Page, host: Host, guard: Guard) -> None:
    page.add_init_script(
        """const Native = Worker;
        globalThis.workers = [];
        globalThis.Worker = class extends Native {
          constructor(...args) { super(...args); globalThis.workers.push(this); }
        };"""
    )
    page.goto(host.lesson)
    page.wait_for_selector("html[data-runtime=ready]", timeout=60_000)
    page.evaluate("workers[0].terminate()")
    move(page, "ppo-clip", "ratio", 0.5)
    page.wait_for_function("workers.length === 2", timeout=30_000)
    settle(page, "ppo-clip", {"ratio": 0.5})
    page.wait_for_function(
        "document.querySelector('[data-widget=ppo-clip] [data-output=unclipped]').dataset.value === '1'",
        timeout=60_000,
    )


def test_the_quick_start_has_a_plain_way_back(page: Page, host: Host, guard: Guard) -> None:
    """Without the memory image and without the trimmed NumPy the untouched wheel still starts."""
    guard.expected = ("Failed to load resource",)
    shipped = json.loads(next(host.root.rglob("manifest.json")).read_text(encoding="utf-8"))
    assert shipped
    for name in runtime_files(host):
        if name.startswith("image"):
            host.altered[name] = None
    page.goto(host.lesson)
    page.wait_for_selector("html[data-runtime=ready]", timeout=120_000)
    move(page, "ppo-clip", "ratio", 0.5)
    settle(page, "ppo-clip", {"ratio": 0.5})


def test_without_plotly_the_pictures_follow_the_sliders(page: Page, host: Host, guard: Guard) -> None:
    guard.expected = ("Failed to load resource", "Plotly", "plotly")
    name = next(file.name for file in host.root.rglob("plotly-*.js"))
    host.altered[name] = None
    page.goto(host.lesson)
    page.wait_for_selector("html[data-runtime=ready]", timeout=60_000)
    box = widget(page, "ppo-clip")
    box.scroll_into_view_if_needed()
    before = box.locator("svg").first.evaluate("one => one.outerHTML")
    move(page, "ppo-clip", "ratio", 0.5)
    settle(page, "ppo-clip", {"ratio": 0.5})
    page.wait_for_function(
        "(before) => document.querySelector('[data-widget=ppo-clip] svg').outerHTML !== before", arg=before
    )


def test_a_long_burst_of_moves_ends_on_the_last_one(lesson: Page) -> None:
    """Two hundred moves a second for three seconds; nothing is left to do afterwards."""
    lesson.evaluate(
        """async () => {
          const slider = document.querySelector('[data-widget=ppo-clip] [name=ratio]');
          for (let move = 0; move < 600; move += 1) {
            slider.value = (move % 200) / 100;
            slider.dispatchEvent(new Event('input', { bubbles: true }));
            await new Promise((resume) => setTimeout(resume, 5));
          }
          slider.value = 0.25;
          slider.dispatchEvent(new Event('input', { bubbles: true }));
        }"""
    )
    lesson.wait_for_function(
        "document.querySelector('[data-widget=ppo-clip] [data-output=unclipped]').dataset.value === '0.5'",
        timeout=2000,
    )

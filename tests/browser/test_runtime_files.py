"""A runtime file that is missing, altered or blocked is named on the page, and reading goes on."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from .artifact import WIDGETS
from .hosting import Host
from .pages import Guard, booted, open_failing, open_lesson, status
from .sliders import drag, move, settle, shown, widget
from .test_exercise import WRONG, answer
from .test_exercise import status as exercise_status

NEEDED = [
    "manifest.json",
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
    "image.bin.gz",
    "numpy-libraries.tar.gz",
]
"""What the first answer needs."""
LATER = ["policygrad.tar.gz", "numpy-sources.tar.gz"]
"""Sources that only a traceback or a rarely used module of NumPy asks for."""
SPARE = ["numpy-2.4.3-cp314-cp314-pyemscripten_2026_0_wasm32.whl"]
"""For the plain start, where the image does not fit the browser."""

WRONGS: dict[str, Callable[[bytes], bytes | None]] = {
    "missing": lambda _: None,
    "empty": lambda _: b"",
    "cut": lambda content: content[: len(content) // 2],
    "altered": lambda content: content[:-1] + bytes([content[-1] ^ 1]),
    "answered with a page": lambda _: b"<!doctype html><title>Not here</title>",
}
PROVOKED = ("Failed to load resource",)
"""What the browser itself says about a file that does not come."""


def test_every_runtime_file_is_in_one_of_the_lists(host: Host) -> None:
    assert host.names("runtime") == sorted(NEEDED + LATER + SPARE)


def reading_goes_on(page: Page) -> None:
    """Text, first frames and the question, without Python; the reader is told what to do."""
    assert page.locator("main p").first.is_visible()
    for view, stored in WIDGETS.items():
        state = shown(page, view)
        assert state["state"] == "first-frame"
        assert state["summary"] == stored["frame"]["summary"]
        assert widget(page, view).locator("svg").first.is_visible()
    drag(page, "ppo-clip", "ratio", 0.5)
    assert shown(page, "ppo-clip")["state"] == "error"
    words = widget(page, "ppo-clip").locator("[data-widget-status]").inner_text()
    assert "does not follow the controls" in words
    said = answer(page, WRONG[0])
    assert "Computed when this page was built" in said
    assert exercise_status(page) == "tried"
    assert page.locator("[data-action=restart-python]").is_visible()


@pytest.mark.parametrize("wrong", WRONGS)
def test_a_file_that_cannot_be_used_is_named(page: Page, host: Host, guard: Guard, wrong: str) -> None:
    guard.expected = PROVOKED
    for name in NEEDED:
        content = (host.folder / "runtime" / name).read_bytes()
        host.altered = {name: WRONGS[wrong](content)}
        if name == "manifest.json" and wrong == "altered":
            continue  # its last byte is a space or a line end; what it says is still true
        said = open_failing(page, host)
        assert name in said, (name, said)
        assert "Still working" in said
    reading_goes_on(page)


def test_a_blocked_file_is_named(page: Page, host: Host, guard: Guard) -> None:
    guard.expected = PROVOKED
    for name in NEEDED:
        pattern = f"**/runtime/{name}*"
        page.context.route(pattern, lambda route: route.abort("blockedbyclient"))
        assert name in open_failing(page, host)
        page.context.unroute(pattern)
    reading_goes_on(page)


def test_a_worker_that_is_missing_is_said(page: Page, host: Host, guard: Guard) -> None:
    guard.expected = PROVOKED
    host.altered = {host.names("assets", "worker-*.js")[0]: None}
    said = open_failing(page, host)
    assert "Python" in said
    reading_goes_on(page)


def test_restart_brings_python_back_when_the_file_is_there_again(
    page: Page, host: Host, guard: Guard
) -> None:
    guard.expected = PROVOKED
    host.altered = {"image.bin.gz": None}
    open_failing(page, host)
    drag(page, "ppo-clip", "ratio", 0.5)
    host.altered = {}
    page.locator("[data-action=restart-python]").click()
    page.wait_for_selector("html:not([data-runtime=failed])", state="attached")
    assert booted(page) == "ready", status(page)
    settle(page, "ppo-clip", {"ratio": 0.5})
    move(page, "ppo-clip", "ratio", 0.6)
    settle(page, "ppo-clip", {"ratio": 0.6})


def test_without_the_sources_for_tracebacks_every_number_is_still_right(
    page: Page, host: Host, guard: Guard
) -> None:
    guard.expected = PROVOKED
    host.altered = dict.fromkeys(LATER)
    open_lesson(page, host)
    for view in WIDGETS:
        settle(page, view)
    page.locator("[data-action=check-numbers]").click()
    page.wait_for_selector("[data-check-result][data-agree=true]")


def test_an_image_that_does_not_fit_the_browser_gives_way_to_the_plain_start(
    page: Page, host: Host, guard: Guard
) -> None:
    manifest = json.loads((host.folder / "runtime" / "manifest.json").read_text(encoding="utf-8"))
    manifest["image"]["table"] += 1
    host.altered = {"manifest.json": json.dumps(manifest).encode()}
    open_lesson(page, host)
    assert any(SPARE[0] in path for path in host.asked)
    move(page, "clip-is-not-a-bound", "epochs", 7)
    settle(page, "clip-is-not-a-bound", {"epochs": 7})


def test_without_plotly_the_pictures_follow_the_sliders(page: Page, host: Host, guard: Guard) -> None:
    guard.expected = PROVOKED
    host.altered = {host.names("assets", "plotly-*.js")[0]: None}
    open_lesson(page, host)
    picture = widget(page, "ppo-clip").locator(".picture.wide")
    picture.scroll_into_view_if_needed()
    move(page, "ppo-clip", "ratio", 0.5)
    settle(page, "ppo-clip", {"ratio": 0.5})
    picture.get_by_text("r = 0.50").wait_for()


@pytest.mark.parametrize("wrong", ["missing", "altered"])
def test_without_its_data_file_the_lesson_is_still_text(
    page: Page, host: Host, guard: Guard, wrong: str
) -> None:
    guard.expected = (*PROVOKED, "SyntaxError", "Unexpected")
    name = host.names("lessons", "*.data.js")[0]
    host.altered = {name: None if wrong == "missing" else b"globalThis.lessonData = {"}
    said = open_failing(page, host)
    assert "data file" in said
    assert page.locator("[data-widget] svg").first.is_visible()

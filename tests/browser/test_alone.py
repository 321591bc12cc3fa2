"""Reading with less: no scripts, no network, no server, no Python yet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from .artifact import EXERCISES, WIDGETS
from .hosting import LESSON, Host
from .pages import Guard, booted, open_lesson, reload, status
from .sliders import move, settle, shown, widget
from .test_exercise import SOLUTION, WRONG, answer

PAINT_AND_RUNTIME = """() => {
  const runtime = performance.getEntriesByType('resource')
    .filter((entry) => /\\/runtime\\/|\\/worker-/.test(entry.name)).map((entry) => entry.startTime);
  return { asked: Math.min(...runtime), painted: globalThis.painted, files: runtime.length };
}"""
WATCH_PAINT = """
performance.setResourceTimingBufferSize(1000);
new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    if (entry.name === 'first-contentful-paint') globalThis.painted = entry.startTime;
}).observe({ type: 'paint', buffered: true });
"""


@pytest.fixture
def without_scripts(browser: Browser, host: Host) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False)
    guard = Guard(host.origin)
    guard.watch(context)
    yield context.new_page()
    guard.settle()
    context.close()


def test_without_scripts_the_lesson_is_complete_and_shows_no_dead_controls(
    without_scripts: Page, host: Host
) -> None:
    page = without_scripts
    page.goto(host.lesson)
    assert page.locator("html").get_attribute("data-runtime") == "static"
    for view, stored in WIDGETS.items():
        section = widget(page, view)
        assert section.get_attribute("data-state") == "first-frame"
        assert section.locator(".picture.wide > svg").is_visible()
        assert section.locator("[data-summary]").inner_text() == stored["frame"]["summary"]
        texts = section.locator("output[data-output]").all_inner_texts()
        assert texts == [output["text"] for output in stored["frame"]["outputs"]]
    dead = page.locator("button, input, select, textarea").all()
    assert [one.evaluate("one => one.outerHTML") for one in dead if one.is_visible()] == []
    assert page.locator(".katex").first.is_visible()
    assert page.locator("nav a[href^='#']").first.is_visible()


def test_without_scripts_the_solutions_are_one_link_away(without_scripts: Page, host: Host) -> None:
    page = without_scripts
    page.goto(host.lesson)
    for name in EXERCISES:
        link = page.locator(f"a[href='{LESSON}-solutions.html#exercise-{name}']")
        assert link.is_visible()
        link.click()
        page.wait_for_url(f"**/{LESSON}-solutions.html#exercise-{name}")
        assert SOLUTION in page.locator("main").inner_text()
        page.go_back()


def test_without_scripts_the_numbers_behind_a_figure_unfold(without_scripts: Page, host: Host) -> None:
    without_scripts.goto(host.lesson)
    details = widget(without_scripts, "ppo-clip").locator("details.data")
    details.locator("summary").click()
    assert details.locator("td").first.is_visible()


def test_text_and_first_frames_are_painted_before_a_runtime_byte_is_asked_for(
    page: Page, host: Host, guard: Guard
) -> None:
    page.add_init_script(WATCH_PAINT)
    open_lesson(page, host)
    times = page.evaluate(PAINT_AND_RUNTIME)
    assert times["files"] >= 1
    assert 0 < times["painted"] < times["asked"]


def test_python_starts_without_a_scroll_or_a_click(page: Page, host: Host, guard: Guard) -> None:
    open_lesson(page, host)
    assert page.evaluate("scrollY") == 0


def test_with_the_network_off_everything_that_was_loaded_goes_on(lesson: Page, guard: Guard) -> None:
    # The other modules of NumPy may still be on their way; they are not needed.
    guard.expected = ("ERR_INTERNET_DISCONNECTED",)
    lesson.context.set_offline(True)
    for view, name, value in (
        ("ppo-clip", "ratio", 0.5),
        ("kl", "p_1", 0.1),
        ("two-action-reinforce", "step", 3),
        ("clip-is-not-a-bound", "epochs", 3),
    ):
        move(lesson, view, name, value)
        settle(lesson, view, {name: value})
    answer(lesson, WRONG[0])
    lesson.locator("[data-action=check-numbers]").click()
    lesson.wait_for_selector("[data-check-result][data-agree=true]")


def test_a_copy_on_this_machine_opens_with_the_network_off(page: Page, host: Host, guard: Guard) -> None:
    """The whole test browser has no internet; here it says so too, and is opened twice."""
    page.add_init_script("Object.defineProperty(navigator, 'onLine', { get: () => false })")
    open_lesson(page, host)
    reload(page)
    move(page, "ppo-clip", "ratio", 0.5)
    settle(page, "ppo-clip", {"ratio": 0.5})
    page.goto(host.url("index.html"))
    assert page.locator(f"article#{LESSON}").is_visible()


def test_saving_data_waits_for_the_reader(page: Page, host: Host, guard: Guard) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    page.goto(host.lesson)
    page.wait_for_timeout(2500)  # an idle page would have begun by now
    assert page.locator("html").get_attribute("data-runtime") == "static"
    assert "Saving data" in status(page)
    assert not any("/runtime/" in path for path in host.asked)
    move(page, "ppo-clip", "ratio", 0.5)
    assert booted(page) == "ready"
    settle(page, "ppo-clip", {"ratio": 0.5})


def test_opened_from_a_disk_the_lesson_reads_and_says_what_to_do(browser: Browser, host: Host) -> None:
    """A page that is opened as a file may start no worker, and nothing else is missing."""
    context = browser.new_context()
    guard = Guard("file://")
    guard.watch(context)
    page = context.new_page()
    page.goto((host.folder / "lessons" / f"{LESSON}.html").as_uri())
    assert booted(page) == "failed"
    assert "python -m http.server" in status(page)
    assert shown(page, "ppo-clip")["state"] == "first-frame"
    assert "Computed when this page was built" in answer(page, WRONG[0])
    guard.settle()
    context.close()

"""Reading without help: no scripts, no network, a phone, a screen reader's view, both themes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright

from .conftest import LESSON, ROOT, Guard, Host
from .sliders import move, outputs, settle

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
PAGES = ["index.html", f"lessons/{LESSON}.html", f"lessons/{LESSON}-solutions.html", "licences.html"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing(page: Page, host: Host, guard: Guard, path: str, theme: str) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    page.goto(host.url(path))
    if path == PAGES[1]:
        page.wait_for_selector("html[data-runtime=ready]", timeout=60_000)
        for view in page.locator("section[data-widget]").all():
            view.scroll_into_view_if_needed()
        page.locator("details > summary").evaluate_all(
            "all => all.forEach((one) => (one.parentElement.open = true))"
        )
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run().then((result) => result.violations)")
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []


@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize("path", PAGES)
def test_nothing_scrolls_sideways(page: Page, host: Host, guard: Guard, path: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(host.url(path))
    if path == PAGES[1]:
        page.wait_for_selector("html[data-runtime=ready]", timeout=60_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("scrollTo(400, 0), scrollX") == 0


def test_touch_targets_are_large_enough_on_a_phone(page: Page, host: Host, guard: Guard) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(host.lesson)
    page.wait_for_selector("html[data-runtime=ready]", timeout=60_000)
    small = page.evaluate(
        """() => [...document.querySelectorAll('main button, main input, main summary, header button')]
          .filter((one) => one.offsetParent && !one.closest('p, li') && one.type !== 'radio')
          .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect().height])
          .filter(([, height]) => height < 43.5)"""
    )
    assert small == []


def test_without_scripts_the_lesson_is_complete_and_shows_no_dead_controls(
    browser: Browser, host: Host, playwright: Playwright
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(host.lesson)
    assert page.locator("html").get_attribute("data-runtime") == "static"
    for section in page.locator("section[data-widget]").all():
        assert section.get_attribute("data-state") == "first-frame"
        assert section.locator("svg").first.is_visible()
        assert section.locator("[data-summary]").is_visible()
        assert len(section.locator("output[data-output]").all()) >= 2
    for dead in page.locator("button, input, select, textarea").all():
        assert not dead.is_visible(), dead.evaluate("one => one.outerHTML")
    assert page.locator(".katex").first.is_visible()
    solutions = page.locator(f"a[href='{LESSON}-solutions.html']").first
    assert solutions.is_visible()
    solutions.click()
    assert "Both candidates first" in page.locator("main").inner_text()
    context.close()


def test_text_and_first_frames_are_there_before_a_runtime_byte_is_asked_for(
    page: Page, host: Host, guard: Guard
) -> None:
    page.add_init_script(
        """performance.setResourceTimingBufferSize(1000);
        new PerformanceObserver((list) => { for (const entry of list.getEntries())
          if (entry.name === 'first-contentful-paint') globalThis.firstPaint = entry.startTime;
        }).observe({ type: 'paint', buffered: true });"""
    )
    page.goto(host.lesson)
    page.wait_for_selector("html[data-runtime=ready]", timeout=60_000)
    runtime_at = page.evaluate(
        """Math.min(...performance.getEntriesByType('resource')
          .filter((entry) => /runtime\\/|worker-/.test(entry.name)).map((entry) => entry.startTime))"""
    )
    assert page.evaluate("globalThis.firstPaint") < runtime_at


def test_python_starts_without_a_scroll_or_a_click(page: Page, host: Host, guard: Guard) -> None:
    page.goto(host.lesson)
    page.wait_for_selector("html[data-runtime=ready]", timeout=60_000)
    assert page.evaluate("scrollY") == 0


def test_with_the_network_off_everything_that_was_loaded_goes_on(lesson: Page) -> None:
    lesson.context.set_offline(True)
    move(lesson, "ppo-clip", "ratio", 0.5)
    settle(lesson, "ppo-clip", {"ratio": 0.5})
    assert outputs(lesson, "ppo-clip")["unclipped"] == 1.0


def test_only_relative_addresses_and_no_dead_links(site: Path, host: Host) -> None:
    root = next(site.rglob("index.html")).parent
    for path in root.rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        ids = set(re.findall(r'\sid="([^"]+)"', html))
        for kind, address in re.findall(r'\s(href|src)="([^"]+)"', html):
            if address.startswith("https://") or address.startswith("http://"):
                assert kind == "href", (path.name, address)
                continue
            assert not address.startswith("/"), (path.name, address)
            file, _, anchor = address.partition("#")
            target = (path.parent / file).resolve() if file else path
            assert target.is_file(), (path.name, address)
            if anchor and target == path:
                assert anchor in ids, (path.name, address)

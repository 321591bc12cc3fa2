"""Browsers that lack something, and hosts that lose the page's own script: words and numbers stay right."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from .hosting import Host
from .pages import Guard, open_failing, open_lesson
from .sliders import move, settle, widget


@pytest.mark.parametrize("lacks", ["IntersectionObserver", "ResizeObserver"])
def test_without_an_observer_figures_follow_their_controls(
    page: Page, host: Host, guard: Guard, lacks: str
) -> None:
    page.add_init_script(f"delete globalThis.{lacks}")
    open_lesson(page, host)
    picture = widget(page, "ppo-clip").locator(".picture.wide")
    picture.scroll_into_view_if_needed()
    move(page, "ppo-clip", "ratio", 0.5)
    settle(page, "ppo-clip", {"ratio": 0.5})
    # Either drawing may be the one in sight by now.
    widget(page, "ppo-clip").get_by_text("r = 0.50").locator("visible=true").first.wait_for()


def test_numbers_follow_where_a_picture_cannot(page: Page, host: Host, guard: Guard) -> None:
    page.add_init_script("globalThis.MutationObserver = class { constructor() { throw new Error('no'); } }")
    open_lesson(page, host)
    move(page, "ppo-clip", "ratio", 0.5)
    settle(page, "ppo-clip", {"ratio": 0.5})
    assert "first frame only" in (widget(page, "ppo-clip").locator("[data-notice]").text_content() or "")


@pytest.mark.parametrize("sent", [None, b"function (", b"<!doctype html><title>Log in</title>"])
@pytest.mark.parametrize("path", ["lessons/policy-gradient-kl-control.html", "index.html"])
def test_a_page_without_its_script_says_so_and_offers_no_dead_controls(
    page: Page, host: Host, guard: Guard, sent: bytes | None, path: str
) -> None:
    guard.expected = ("Failed to load resource", "SyntaxError", "Unexpected", "Function statements")
    for pattern in ("page-*.js", "atlas-*.js"):
        host.altered |= {host.names("assets", pattern)[0]: sent}
    page.goto(host.url(path))
    said = page.locator("main [role=status]", has_text="did not load")
    said.wait_for()
    assert said.is_visible()
    for control in page.locator("[data-needs-script]").all():
        assert not control.is_visible()
    assert page.locator("html").get_attribute("data-runtime") == "failed"


def test_a_page_with_its_script_says_nothing_of_the_kind(page: Page, host: Host, guard: Guard) -> None:
    for path in ("index.html", "licences.html", "lessons/policy-gradient-kl-control-solutions.html"):
        page.goto(host.url(path))
        page.wait_for_load_state("load")
        assert page.get_by_text("did not load").count() == 0
    host.altered = {"manifest.json": None}
    guard.expected = ("Failed to load resource",)
    assert "script of this page" not in open_failing(page, host)

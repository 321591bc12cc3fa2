"""The state of the controls in the page's address: written as the reader moves, clamped when a link opens."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from .artifact import WIDGETS
from .hosting import Host
from .pages import Guard, booted, open_lesson, reload
from .sliders import defaults, drag, move, number_field, settle, slider, widget


def test_moved_controls_stand_in_the_address_and_come_back(lesson: Page) -> None:
    steps = lesson.evaluate("history.length")
    move(lesson, "ppo-clip", "ratio", 0.6)
    move(lesson, "kl", "p_1", 0.9)
    lesson.wait_for_function("location.search === '?ppo-clip.ratio=0.6&kl.p_1=0.9'")
    assert lesson.evaluate("history.length") == steps
    reload(lesson)
    settle(lesson, "ppo-clip", {**defaults("ppo-clip"), "ratio": 0.6})
    settle(lesson, "kl", {**defaults("kl"), "p_1": 0.9})
    widget(lesson, "kl").locator("[data-act=reset]").click()
    lesson.wait_for_function("location.search === '?ppo-clip.ratio=0.6'")


def test_a_link_sets_the_controls_before_python_is_there(page: Page, host: Host, guard: Guard) -> None:
    with host.holding("pyodide.asm.wasm"):
        page.goto(host.lesson + "?two-action-reinforce.step=5&two-action-reinforce.kl_coef=0.25")
        assert slider(page, "two-action-reinforce", "step").input_value() == "5"
        assert number_field(page, "two-action-reinforce", "kl_coef").input_value() == "0.25"
    assert booted(page) == "ready"
    settle(page, "two-action-reinforce", {"step": 5, "kl_coef": 0.25})


def test_a_link_out_of_range_is_clamped_and_says_so(page: Page, host: Host, guard: Guard) -> None:
    open_lesson(
        page,
        host,
        "?ppo-clip.ratio=9&ppo-clip.advantage=abc&ppo-clip.nonsense=1&from=mail%20list&kl.p_1=-1#ppo-clip",
    )
    settle(page, "ppo-clip", {"ratio": 2, "advantage": defaults("ppo-clip")["advantage"]})
    settle(page, "kl", {"p_1": 0})
    notice = widget(page, "ppo-clip").locator("[data-notice]")
    assert notice.is_visible()
    for part in ("Probability ratio 9 is above its range", "“abc” is not a number", "nonsense"):
        assert part in notice.inner_text()
    assert "below its range" in widget(page, "kl").locator("[data-notice]").inner_text()
    for view in WIDGETS.keys() - {"ppo-clip", "kl"}:
        assert not widget(page, view).locator("[data-notice]").is_visible()
    # What is not ours stays as it was written.
    assert "from=mail%20list" in page.url
    assert page.url.endswith("#ppo-clip")


def test_hostile_links_do_no_harm(page: Page, host: Host, guard: Guard) -> None:
    open_lesson(
        page,
        host,
        "?ppo-clip.ratio=%3Cimg%20src=x%20onerror=alert(1)%3E&__proto__.x=1&ppo-clip.__proto__=2&%E0%A4%A=1"
        "&ppo-clip.ratio=1e999&kl.p_1=NaN&ppo-clip=3&=&&ppo-clip.clip_epsilon=",
    )
    for view in WIDGETS:
        settle(page, view, defaults(view))
    assert page.locator("img[src=x]").count() == 0


def test_moves_before_python_is_ready_are_answered_by_the_last_one(
    page: Page, host: Host, guard: Guard
) -> None:
    with host.holding("pyodide.asm.wasm"):
        page.goto(host.lesson)
        for value in (0.5, 0.7, 0.9):
            drag(page, "ppo-clip", "ratio", value)
        expect(number_field(page, "ppo-clip", "ratio")).to_have_value("0.9")
    assert booted(page) == "ready"
    settle(page, "ppo-clip", {"ratio": 0.9})

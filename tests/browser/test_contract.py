"""What other tools may rely on: names and attributes of the page, as the architecture promises them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from .artifact import EXERCISES, FIXTURES
from .hosting import LESSON, Host
from .pages import Guard, booted
from .sliders import drag, settle, shown, widget

CONTROLS = {
    "ppo-clip": {"ratio": (0, 2), "advantage": (-3, 3), "clip_epsilon": (0.05, 0.5)},
    "kl": {"actions": (2, 3), "p_1": (0, 1), "p_2": (0, 1), "q_1": (0, 1), "q_2": (0, 1)},
    "two-action-reinforce": {
        "prob": None,
        "reward_0": None,
        "reward_1": None,
        "ref_prob": None,
        "kl_coef": None,
        "learning_rate": None,
        "step": None,
    },
    "clip-is-not-a-bound": {"epochs": None, "learning_rate": None, "clip_epsilon": None, "seed": None},
}
OUTPUTS = {
    "ppo-clip": {"objective", "unclipped", "clipped", "slope"},
    "kl": {"kl_pq", "kl_qp"},
    "two-action-reinforce": {"prob_now", "kl", "expected_reward", "reward_gradient", "kl_gradient"},
    "clip-is-not-a-bound": {"outside_fraction", "clipped_fraction", "kl_old_new", "max_ratio"},
}
RECORD_STATES = """
globalThis.states = [];
new MutationObserver(() => states.push(document.documentElement.dataset.runtime))
  .observe(document, { subtree: true, attributes: true, attributeFilter: ["data-runtime"] });
"""


@pytest.mark.parametrize("view", CONTROLS)
def test_controls_are_native_named_and_paired(visited: Page, view: str) -> None:
    ranges = widget(visited, view).locator("input[type=range]").all()
    assert [one.get_attribute("name") for one in ranges] == list(CONTROLS[view])
    for one in ranges:
        name = one.get_attribute("name") or ""
        between = CONTROLS[view][name]
        if between:
            assert (float(one.get_attribute("min") or 0), float(one.get_attribute("max") or 0)) == between
        number = widget(visited, view).locator(f"input[type=number][data-number-for='{name}']")
        assert number.count() == 1
        for limit in ("min", "max", "step"):
            assert number.get_attribute(limit) == one.get_attribute(limit)
        assert visited.locator(f"label[for='{one.get_attribute('id')}']").inner_text().strip()
        assert number.get_attribute("aria-label")


@pytest.mark.parametrize("view", OUTPUTS)
def test_readouts_are_silent_and_carry_the_whole_number(visited: Page, view: str) -> None:
    found = widget(visited, view).locator("output[data-output]")
    assert {one.get_attribute("data-output") for one in found.all()} == OUTPUTS[view]
    for one in found.all():
        assert one.get_attribute("aria-live") == "off"
        float(one.get_attribute("data-value") or "")
    assert widget(visited, view).locator("td:not([data-value])").count() == 0


def test_in_a_widget_only_the_summary_sentence_is_a_live_region(visited: Page) -> None:
    live = visited.locator("[data-widget]").locator(
        ":is([role=status], [role=alert], [role=log], [aria-live]:not([aria-live=off]), "
        "output:not([aria-live=off]))"
    )
    assert live.count() == visited.locator("[data-widget] [data-summary]").count()
    assert all(one.get_attribute("data-summary") is not None for one in live.all())


def test_the_page_says_where_python_is(page: Page, host: Host, guard: Guard) -> None:
    source = (host.folder / "lessons" / f"{LESSON}.html").read_text(encoding="utf-8")
    assert '<html lang="en" data-runtime="static"' in source
    assert set(re.findall(r'<section class="widget"[^>]* data-state="([^"]*)"', source)) == {"first-frame"}
    page.add_init_script(RECORD_STATES)
    page.goto(host.lesson)
    assert booted(page) == "ready"
    assert page.evaluate("[...new Set(['static', ...states])]") == ["static", "starting", "ready"]


def test_a_widget_waits_in_its_first_frame_and_then_lives(page: Page, host: Host, guard: Guard) -> None:
    wasm = "pyodide.asm.wasm"
    with host.holding(wasm):
        page.goto(host.lesson)
        assert shown(page, "kl")["state"] == "first-frame"
        drag(page, "kl", "p_1", 0.9)
        assert shown(page, "kl")["state"] == "waiting"
        assert shown(page, "ppo-clip")["state"] == "first-frame"
    assert booted(page) == "ready"
    settle(page, "kl", {"p_1": 0.9})
    settle(page, "ppo-clip")


def test_exercises_and_fixtures_are_marked(visited: Page) -> None:
    found = visited.locator("section[data-exercise]")
    assert [one.get_attribute("data-exercise") for one in found.all()] == list(EXERCISES)
    for one in found.all():
        exercise = EXERCISES[one.get_attribute("data-exercise") or ""]
        assert one.get_attribute("data-kind") == exercise["kind"]
        assert one.get_attribute("data-hash") == exercise["hash"]
        assert one.locator("[data-action=check]").count() == 1
        assert one.locator("[data-action=reveal]").count() == 1
    known = {fixture["id"] for fixture in FIXTURES}
    marked = visited.locator("[data-fixture]").evaluate_all("all => all.map((one) => one.dataset.fixture)")
    assert marked
    assert set(marked) <= known


def test_a_fragment_names_a_step(visited: Page) -> None:
    targets = visited.locator("nav a[href^='#']").evaluate_all("all => all.map((one) => one.hash.slice(1))")
    assert targets
    assert visited.evaluate("(ids) => ids.every((id) => document.getElementById(id))", targets)


def test_only_relative_addresses_and_no_dead_links(host: Host) -> None:
    for path in host.folder.rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        ids = set(re.findall(r'\sid="([^"]+)"', html))
        for kind, address in re.findall(r'\s(href|src)="([^"]+)"', html):
            if address.startswith(("https://", "http://")):
                assert kind == "href", (path.name, address)
                continue
            assert not address.startswith("/"), (path.name, address)
            file, _, anchor = address.partition("#")
            target = (path.parent / file).resolve() if file else path
            assert target.is_file(), (path.name, address)
            if anchor:
                there = ids if target == path else set(re.findall(r'\sid="([^"]+)"', target.read_text()))
                assert anchor in there, (path.name, address)

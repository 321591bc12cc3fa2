"""Every widget, moved by keyboard only, shows what the core computes in CPython for the same parameters."""

from __future__ import annotations

import math

import pytest
from playwright.sync_api import Page

from policygrad.views import VIEWS

from .sliders import move, outputs, settle, slider, summary, widget

POSITIONS = {
    "ppo-clip": [
        {"ratio": 1.4, "advantage": 2.0, "clip_epsilon": 0.2},
        {"ratio": 1.4, "advantage": -2.0, "clip_epsilon": 0.2},
        {"ratio": 0.0, "advantage": -3.0, "clip_epsilon": 0.05},
        {"ratio": 1.2, "advantage": 0.5, "clip_epsilon": 0.2},
        {"ratio": 2.0, "advantage": 0.0, "clip_epsilon": 0.5},
    ],
    "kl": [
        {"actions": 2, "p_1": 0.7, "q_1": 0.5},
        {"actions": 3, "p_1": 0.2, "p_2": 0.3, "q_1": 0.6, "q_2": 0.1},
        {"actions": 2, "p_1": 0.5, "q_1": 1.0},
        {"actions": 2, "p_1": 0.35, "q_1": 0.35},
    ],
    "two-action-reinforce": [
        {"prob": 0.3, "step": 0},
        {"prob": 0.3, "step": 60, "kl_coef": 0.0},
        {"prob": 0.95, "reward_0": -2.0, "reward_1": 2.0, "ref_prob": 0.05, "step": 7},
    ],
    "clip-is-not-a-bound": [
        {"epochs": 0, "seed": 19},
        {"epochs": 40, "seed": 19, "learning_rate": 0.6},
        {"epochs": 12, "seed": 3, "clip_epsilon": 0.1},
    ],
}


def test_every_view_has_positions() -> None:
    assert set(POSITIONS) == set(VIEWS)


@pytest.mark.parametrize("view", POSITIONS)
def test_outputs_equal_the_core_after_moving_by_keyboard(lesson: Page, view: str) -> None:
    sentences = []
    for params in POSITIONS[view]:
        for name, value in params.items():
            move(lesson, view, name, value)
        settle(lesson, view, params)
        here = {
            c["name"]: float(slider(lesson, view, c["name"]).input_value())
            for c in VIEWS[view].spec()["controls"]
        }
        model = VIEWS[view].model(here)
        shown = outputs(lesson, view)
        assert shown.keys() == {output["name"] for output in model["outputs"]}
        for output in model["outputs"]:
            expected = float(output["value"])
            assert shown[output["name"]] == expected or math.isclose(
                shown[output["name"]], expected, rel_tol=1e-9, abs_tol=1e-12
            ), (view, params, output["name"])
            box = widget(lesson, view).locator(f"output[data-output='{output['name']}']")
            assert box.inner_text() == output["text"]
        assert summary(lesson, view) == model["summary"]
        assert widget(lesson, view).locator("[data-case]").inner_text() == model["state"]["label"]
        sentences.append(summary(lesson, view))
    assert len(set(sentences)) == len(sentences)


@pytest.mark.parametrize("view", POSITIONS)
def test_each_control_reads_back_and_speaks(lesson: Page, view: str) -> None:
    for control in VIEWS[view].spec()["controls"]:
        range_input = slider(lesson, view, control["name"])
        typed = widget(lesson, view).locator(f"[data-number-for='{control['name']}']")
        other = control["min"] if control["default"] != control["min"] else control["max"]
        move(lesson, view, control["name"], other)
        assert float(typed.input_value()) == float(range_input.input_value()) == other
        settle(lesson, view, {control["name"]: other})
        spoken = range_input.get_attribute("aria-valuetext") or ""
        assert any(letter.isalpha() for letter in spoken), spoken
        label = lesson.locator(f"label[for='{range_input.get_attribute('id')}']").inner_text()
        assert control["label"] in label

        typed.fill(str(control["default"]))
        typed.press("Enter")
        assert float(range_input.input_value()) == control["default"]


def test_a_typed_number_out_of_range_is_clamped_and_says_so(lesson: Page) -> None:
    box = widget(lesson, "ppo-clip")
    for typed, kept in (("7", 2.0), ("-1", 0.0), ("1e9", 2.0)):
        box.locator("[data-number-for='ratio']").fill(typed)
        box.locator("[data-number-for='ratio']").press("Enter")
        settle(lesson, "ppo-clip", {"ratio": kept})
        assert "ratio" in box.locator("[data-notice]").inner_text().lower()
        assert outputs(lesson, "ppo-clip")["unclipped"] == kept * 2


def test_the_table_holds_the_numbers_of_the_figure(lesson: Page) -> None:
    for view in POSITIONS:
        move(
            lesson, view, VIEWS[view].spec()["controls"][0]["name"], VIEWS[view].spec()["controls"][0]["max"]
        )
        here = {
            c["name"]: float(slider(lesson, view, c["name"]).input_value())
            for c in VIEWS[view].spec()["controls"]
        }
        settle(lesson, view, here)
        rows = VIEWS[view].model(here)["table"]["rows"]
        cells = (
            widget(lesson, view)
            .locator("td[data-value]")
            .evaluate_all("cells => cells.map((cell) => cell.dataset.value)")
        )
        expected = [cell["value"] for row in rows for cell in row]
        assert len(cells) == len(expected)
        for shown, wanted in zip(cells, expected, strict=True):
            try:
                assert math.isclose(float(shown), float(wanted), rel_tol=1e-9, abs_tol=1e-12)
            except ValueError:
                assert shown == str(wanted)


def test_play_pause_step_and_back(lesson: Page) -> None:
    box = widget(lesson, "two-action-reinforce")
    box.scroll_into_view_if_needed()
    box.get_by_role("button", name="Back to the start").click()
    settle(lesson, "two-action-reinforce", {"step": 0})
    box.get_by_role("button", name="One update").click()
    settle(lesson, "two-action-reinforce", {"step": 1})
    play = box.locator("button", has_text="Play")
    play.click()
    lesson.wait_for_function(
        "Number(document.querySelector('[data-widget=two-action-reinforce] [name=step]').value) > 4"
    )
    box.locator("button[aria-pressed=true]").click()
    stopped = float(slider(lesson, "two-action-reinforce", "step").input_value())
    lesson.wait_for_timeout(600)
    assert float(slider(lesson, "two-action-reinforce", "step").input_value()) == stopped < 60


def test_another_seed_gives_another_curve_and_the_same_seed_the_same(lesson: Page) -> None:
    view = "clip-is-not-a-bound"
    before = outputs(lesson, view)
    assert before["max_ratio"] > 1.2
    widget(lesson, view).get_by_role("button", name="Another seed").click()
    settle(lesson, view, {"seed": 20})
    assert outputs(lesson, view) != before
    move(lesson, view, "seed", 19)
    settle(lesson, view, {"seed": 19})
    assert outputs(lesson, view) == pytest.approx(before, rel=1e-12)


def test_the_text_moves_a_figure_and_follows_it(lesson: Page) -> None:
    followers = lesson.locator("[data-live='ppo-clip.objective']")
    lesson.locator("button[data-set='ppo-clip']").nth(1).click()
    settle(lesson, "ppo-clip", {"ratio": 1.4, "advantage": -2})
    assert outputs(lesson, "ppo-clip")["objective"] == pytest.approx(-2.8, abs=1e-12)
    assert followers.first.inner_text() == "−2.80"

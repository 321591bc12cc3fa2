"""Every widget, moved by keyboard only, shows what the core computes in CPython for the same parameters."""

from __future__ import annotations

import math

import pytest
from playwright.sync_api import Page

from policygrad.views import VIEWS

from .artifact import WIDGETS
from .sliders import AGREE, Params, control, defaults, move, number_field, settle, slider, widget

POSITIONS: dict[str, list[Params]] = {
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
        {"prob": 0.05, "reward_0": 1.3, "reward_1": 1.3, "learning_rate": 4.0, "step": 33},
    ],
    "clip-is-not-a-bound": [
        {"epochs": 0, "seed": 19},
        {"epochs": 40, "seed": 19, "learning_rate": 0.6},
        {"epochs": 12, "seed": 3, "clip_epsilon": 0.1},
    ],
}


def test_every_widget_of_the_lesson_has_positions_here() -> None:
    assert set(POSITIONS) == set(WIDGETS) == set(VIEWS)


@pytest.mark.parametrize("view", POSITIONS)
def test_every_output_equals_the_core_after_moving_by_keyboard(visited: Page, view: str) -> None:
    sentences = []
    for params in POSITIONS[view]:
        for name, value in params.items():
            move(visited, view, name, value)
        sentences.append(settle(visited, view, params)["summary"])
    assert len(set(sentences)) == len(POSITIONS[view])


@pytest.mark.parametrize("view", POSITIONS)
def test_each_control_reads_back_and_speaks(visited: Page, view: str) -> None:
    for name, default in defaults(view).items():
        spec = control(view, name)
        other = spec["min"] if default != spec["min"] else spec["max"]
        move(visited, view, name, other)
        assert float(number_field(visited, view, name).input_value()) == other
        model = settle(visited, view, {name: other})
        assert slider(visited, view, name).get_attribute("aria-valuetext") == model["spoken"][name]
        assert any(letter.isalpha() for letter in model["spoken"][name]), model["spoken"][name]

        number_field(visited, view, name).fill(str(default))
        number_field(visited, view, name).press("Enter")
        assert float(slider(visited, view, name).input_value()) == default
        model = settle(visited, view, {name: default})
        assert slider(visited, view, name).get_attribute("aria-valuetext") == model["spoken"][name]


@pytest.mark.parametrize(
    ("typed", "kept"), [("7", 2.0), ("-1", 0.0), ("1e9", 2.0), ("", 1.4), ("0.333", 0.33)]
)
def test_a_typed_number_that_cannot_be_used_is_brought_back_and_says_so(
    visited: Page, typed: str, kept: float
) -> None:
    field = number_field(visited, "ppo-clip", "ratio")
    field.fill(typed)
    field.press("Enter")
    settle(visited, "ppo-clip", {"ratio": kept})
    assert float(field.input_value()) == kept
    notice = widget(visited, "ppo-clip").locator("[data-notice]")
    assert notice.is_visible()
    assert "Probability ratio" in notice.inner_text()
    assert notice.get_attribute("id") in (field.get_attribute("aria-describedby") or "").split()

    # The next move that is in order takes the note away.
    move(visited, "ppo-clip", "ratio", 1.0)
    settle(visited, "ppo-clip", {"ratio": 1.0})
    assert not notice.is_visible()


@pytest.mark.parametrize("view", POSITIONS)
def test_the_table_holds_the_numbers_of_the_figure(visited: Page, view: str) -> None:
    for end in ("max", "min"):
        first = next(iter(defaults(view)))
        move(visited, view, first, control(view, first)[end])
        rows = settle(visited, view)["table"]["rows"]
        cells = (
            widget(visited, view)
            .locator("td")
            .evaluate_all("cells => cells.map((cell) => [cell.dataset.value, cell.textContent])")
        )
        expected = [cell for row in rows for cell in row]
        assert len(cells) == len(expected)
        for (value, text), cell in zip(cells, expected, strict=True):
            assert text == cell["text"]
            if isinstance(cell["value"], (int, float)):
                assert math.isclose(float(value), cell["value"], rel_tol=AGREE, abs_tol=1e-12)
            else:
                assert value == ("" if cell["value"] is None else str(cell["value"]))


def test_probabilities_that_do_not_fit_together_are_mended_and_said(visited: Page) -> None:
    move(visited, "kl", "actions", 3)
    move(visited, "kl", "p_2", 0.3)
    settle(visited, "kl", {"p_2": 0.3})
    move(visited, "kl", "p_1", 1.0)
    settle(visited, "kl", {"p_1": 1.0, "p_2": 0.0})
    assert widget(visited, "kl").locator("[data-notice]").is_visible()


def test_play_pause_step_and_back(visited: Page) -> None:
    view = "two-action-reinforce"
    box = widget(visited, view)
    box.get_by_role("button", name="Back to the start").click()
    settle(visited, view, {"step": 0})
    box.get_by_role("button", name="One update").click()
    settle(visited, view, {"step": 1})

    play = box.get_by_role("button", name="Play")
    play.click()
    assert play.get_attribute("aria-pressed") == "true"
    visited.wait_for_function(
        "(view) => document.querySelector(`[data-widget=${view}] [name=step]`).valueAsNumber >= 4", arg=view
    )
    play.click()
    assert play.get_attribute("aria-pressed") == "false"
    stopped = float(slider(visited, view, "step").input_value())
    visited.wait_for_timeout(400)  # three times the player's pace
    settle(visited, view, {"step": stopped})
    assert 4 <= stopped < 60

    move(visited, view, "step", 59)
    play.click()
    settle(visited, view, {"step": 60})
    visited.wait_for_function(
        "(view) => !document.querySelector(`[data-widget=${view}] [aria-pressed=true]`)", arg=view
    )


def test_a_hand_on_the_slider_ends_the_play(visited: Page) -> None:
    view = "two-action-reinforce"
    play = widget(visited, view).get_by_role("button", name="Play")
    play.click()
    move(visited, view, "step", 20)
    visited.wait_for_function(
        "(view) => !document.querySelector(`[data-widget=${view}] [aria-pressed=true]`)", arg=view
    )
    settle(visited, view, {"step": 20})


def test_another_seed_gives_another_curve_and_the_same_seed_the_same(visited: Page) -> None:
    view = "clip-is-not-a-bound"
    before = settle(visited, view)
    largest = next(one["value"] for one in before["outputs"] if one["name"] == "max_ratio")
    assert largest > 1 + before["params"]["clip_epsilon"]
    widget(visited, view).get_by_role("button", name="Another seed").click()
    other = settle(visited, view, {"seed": before["params"]["seed"] + 1})
    assert other["outputs"] != before["outputs"]
    move(visited, view, "seed", before["params"]["seed"])
    assert settle(visited, view, before["params"]) == before


def test_the_text_moves_a_figure_and_follows_it(visited: Page) -> None:
    followers = visited.locator("[data-live='ppo-clip.objective']")
    button = visited.locator("button[data-set='ppo-clip'][data-params*='-2']").first
    button.click()
    model = settle(visited, "ppo-clip", {"ratio": 1.4, "advantage": -2})
    assert [one["text"] for one in model["outputs"] if one["name"] == "objective"] == ["−2.80"]
    assert followers.count() > 0
    assert set(followers.all_inner_texts()) == {"−2.80"}
    move(visited, "ppo-clip", "ratio", 0.5)
    settle(visited, "ppo-clip", {"ratio": 0.5})
    assert set(followers.all_inner_texts()) == {"−1.60"}

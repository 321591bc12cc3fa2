"""The view of the two-action update."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from policygrad import two_action_run
from policygrad.views import VIEWS

VIEW = VIEWS["two-action-reinforce"]


def model(**params: float) -> dict[str, Any]:
    return VIEW.model(params)


def values(frame: dict[str, Any]) -> dict[str, Any]:
    return {output["name"]: output["value"] for output in frame["outputs"]}


def test_before_the_first_update() -> None:
    # p = 0.3, R = (1, 0): V = 0.3, reward gradient 0.3·0.7 = 0.21, KL as in the lesson by symmetry
    frame = model(step=0)
    assert values(frame)["prob_now"] == 0.3
    assert values(frame)["expected_reward"] == pytest.approx(0.3)
    assert values(frame)["reward_gradient"] == pytest.approx(0.21)
    assert values(frame)["kl"] == pytest.approx(0.082283, abs=5e-7)
    assert values(frame)["kl_gradient"] == pytest.approx(-0.177933, abs=5e-7)
    assert frame["summary"] == (
        "Before the first update action 0 has probability 0.3000: the reward pulls it up (+0.2100) and the "
        "KL pulls it up towards 0.50 (+0.0890), so the next update takes it to 0.3663."
    )


def test_every_step_is_the_run_of_the_core() -> None:
    run = two_action_run(0.3, [1, 0], ref_prob=0.5, kl_coef=0.5, learning_rate=1.0, num_updates=60)
    for step in (0, 1, 17, 60):
        shown = values(model(step=step))
        assert shown["prob_now"] == run.prob[step]
        assert shown["kl"] == run.kl[step]
        assert shown["expected_reward"] == run.expected_reward[step]
        assert shown["reward_gradient"] == run.reward_gradient[step]
        assert shown["kl_gradient"] == run.kl_gradient[step]


@pytest.mark.parametrize(
    ("params", "case", "part"),
    [
        ({}, "reward-stronger", "the reward pulls it up (+0.1838) more strongly than the KL pulls it down"),
        ({"step": 0}, "same-way", "the reward pulls it up (+0.2100) and the KL pulls it up towards 0.50"),
        ({"kl_coef": 0}, "reward-only", "the reward pulls it up (+0.1600) and the KL adds nothing"),
        ({"reward_0": 0}, "kl-only", "the KL pulls it up towards 0.50 (+0.0304) and the reward adds nothing"),
        ({"prob": 0.95}, "kl-stronger", "less strongly than the KL pulls it down towards 0.50"),
        ({"learning_rate": 4, "step": 60}, "balance", "just as strongly as the KL pulls it down"),
        ({"reward_0": 0, "prob": 0.5}, "still", "neither the reward nor the KL pulls at it"),
        ({"reward_0": -1, "kl_coef": 0}, "reward-only", "the reward pulls it down"),
        ({"reward_0": 0, "prob": 0.5}, "still", "so the next update leaves it there"),
        ({"learning_rate": 0}, "same-way", "but with a learning rate of zero it stays there"),
        ({"learning_rate": 4, "step": 60}, "balance", "so the next update moves it by less than 0.0001"),
        (
            {"reward_0": 0, "step": 60},
            "faint",
            "hardly anything pulls at it any more, so the next update moves",
        ),
        (
            {"prob": 0.52, "reward_0": 0, "kl_coef": 0.1, "learning_rate": 0.1},
            "kl-only",
            "and the next update moves it by less than 0.0001",
        ),
    ],
)
def test_the_sentence_says_what_pulls_where(params: dict[str, float], case: str, part: str) -> None:
    frame = model(**params)
    assert frame["state"]["case"] == case
    assert part in frame["summary"]


def test_what_the_sentence_says_of_the_next_update_happens() -> None:
    """Every number of the sentence is the one shown, and the next update does what the sentence says."""
    rng = np.random.default_rng(1)
    for _ in range(400):
        params = {
            c.name: c.on_grid(rng.choice([c.min, c.max, *rng.uniform(c.min, c.max, 3)]))
            for c in VIEW.controls
        }
        params["step"] = min(params["step"], 59)
        frame, later = model(**params), model(**params | {"step": params["step"] + 1})
        now, new = values(frame)["prob_now"], values(later)["prob_now"]
        said = frame["summary"]
        assert f"has probability {now:.4f}: " in said
        if "takes it to" in said:
            assert said.endswith(f" takes it to {new:.4f}.")
            assert f"{new:.4f}" != f"{now:.4f}"
        elif "less than 0.0001" in said:
            assert abs(new - now) < 1e-4
        else:
            assert now == pytest.approx(new, abs=1e-12)
        pulls = re.findall(r"\(([+−])([\d.]+)\)", said)
        if len(pulls) == 2 and pulls[0][0] != pulls[1][0]:
            (_, reward), (_, pull) = pulls
            word = "just as" if reward == pull else "more" if reward > pull else "less"
            assert f"{word} strongly" in said


def test_every_curve_ends_at_the_present_step_on_axes_that_stay() -> None:
    panels = model(step=25)["figure"]["panels"]
    assert [panel["id"] for panel in panels] == ["prob", "reward", "kl", "terms"]
    later = model(step=60)["figure"]["panels"]
    for panel, whole in zip(panels[:3], later[:3], strict=True):
        (line,), (point,) = panel["lines"], panel["points"]
        assert line["y"] == whole["lines"][0]["y"][:26]
        assert (point["x"], point["y"]) == (25, line["y"][25])
        assert (panel["x"], panel["y"]) == (whole["x"], whole["y"])


def test_the_terms_average_and_add_up() -> None:
    frame = model(step=3)
    (bars,) = frame["figure"]["panels"][3]["bars"]
    first, second, average, pull, together = bars["y"]
    prob = values(frame)["prob_now"]
    assert prob * first + (1 - prob) * second == pytest.approx(average, abs=1e-12)
    assert average + pull == pytest.approx(together, abs=1e-12)
    assert pull == -0.5 * values(frame)["kl_gradient"]


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"kl_coef": 0},
        {"reward_0": -2, "reward_1": 2},
        {"reward_1": 1},
        {"prob": 0.05, "learning_rate": 4},
    ],
)
def test_bars_have_one_axis_for_the_whole_run_and_never_leave_it(params: dict[str, float]) -> None:
    panels = [model(**params, step=step)["figure"]["panels"][3] for step in (0, 1, 10, 30, 60)]
    assert len({tuple(panel["y"]["range"]) for panel in panels}) == 1
    low, high = panels[0]["y"]["range"]
    for panel in panels:
        for bar, text in zip(panel["bars"][0]["y"], panel["bars"][0]["text"], strict=True):
            assert low < bar < high
            assert float(text.replace("−", "-")) == pytest.approx(bar, abs=5.1e-4)


def test_the_default_bars_fill_their_panel() -> None:
    panel = model()["figure"]["panels"][3]
    low, high = panel["y"]["range"]
    assert max(panel["bars"][0]["y"]) > 0.4 * (high - low)


def test_the_table_holds_every_fifth_update_and_the_present_one() -> None:
    assert [row[0]["value"] for row in model(step=12)["table"]["rows"]] == [0, 5, 10, 12]
    assert [row[0]["value"] for row in model(step=0)["table"]["rows"]] == [0]


def test_the_step_says_its_meaning() -> None:
    assert model(step=1)["spoken"]["step"] == "1 update done, probability of action 0 is 0.37"
    assert model(kl_coef=0)["spoken"]["kl_coef"] == "KL weight 0.00, no pull"

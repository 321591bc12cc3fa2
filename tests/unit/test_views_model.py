"""Views in general: control positions, notices, and the shape of what every view says."""

from __future__ import annotations

import itertools
import json
import math
from typing import Any

import pytest

from policygrad.views import VIEWS, Control, View

RATIO = Control("ratio", "Probability ratio", "r", 0.0, 2.0, 0.01, 0.1, 1.4, decimals=2)
STEP = Control("step", "Updates done", "", 0, 60, 1, 10, 10, decimals=0)

ROLES = {
    "objective-positive", "objective-negative", "objective-zero", "unclipped", "clipped", "old", "new",
    "reference", "clip", "slope", "p", "q", "positive", "negative", "kl", "reward", "curve", "edge",
    "outside",
}  # fmt: skip


@pytest.mark.parametrize(
    ("value", "place"),
    [(0.1 + 0.2, 0.3), (0.57, 0.57), (-5, 0.0), (math.inf, 2.0), (1.234, 1.23), (1.235, 1.24), (1.9999, 2.0)],
)
def test_a_control_stands_on_its_grid(value: float, place: float) -> None:
    assert RATIO.on_grid(value) == place


def test_every_place_of_every_slider_is_the_decimal_number_it_shows() -> None:
    for view in VIEWS.values():
        for control in view.controls:
            steps = round((control.max - control.min) / control.step)
            for k in range(steps + 1):
                place = control.on_grid(control.min + k * control.step)
                assert place == round(control.min + k * control.step, control.decimals)
                assert f"{place:.{control.decimals}f}" == control.shown(place).replace("−", "-")


def test_a_control_without_decimals_is_a_whole_number() -> None:
    assert STEP.on_grid(3.6) == 4
    assert type(STEP.on_grid(3.6)) is int


@pytest.mark.parametrize(
    ("params", "used", "notices"),
    [
        ({}, 1.4, []),
        ({"ratio": None}, 1.4, []),
        ({"ratio": 1.2}, 1.2, []),
        ({"ratio": 0.1 + 0.2}, 0.3, []),
        ({"ratio": 3}, 2.0, ["Probability ratio 3.00 is above its range (0.00 to 2.00): 2.00 is used."]),
        ({"ratio": 2.004}, 2.0, ["Probability ratio 2.004 is above its range (0.00 to 2.00): 2.00 is used."]),
        ({"ratio": -1e9}, 0.0, ["Probability ratio −1e+09 is below its range (0.00 to 2.00): 0.00 is used."]),
        ({"ratio": math.inf}, 2.0, ["Probability ratio ∞ is above its range (0.00 to 2.00): 2.00 is used."]),
        ({"ratio": 10**400}, 2.0, ["Probability ratio ∞ is above its range (0.00 to 2.00): 2.00 is used."]),
        ({"ratio": 1.234}, 1.23, ["Probability ratio moves in steps of 0.01: 1.23 is used."]),
        ({"ratio": math.nan}, 1.4, ["“NaN” is not a number: Probability ratio stays at 1.40."]),
        ({"ratio": "1.2"}, 1.4, ["“1.2” is not a number: Probability ratio stays at 1.40."]),
        ({"ratio": True}, 1.4, ["“True” is not a number: Probability ratio stays at 1.40."]),
        (
            {"ratoi": 1.2},
            1.4,
            ["“ratoi” is not a control of this figure (ratio, advantage, clip_epsilon): it is ignored."],
        ),
    ],
)
def test_what_cannot_be_used_is_replaced_and_said(
    params: dict[str, Any], used: float, notices: list[str]
) -> None:
    model = VIEWS["ppo-clip"].model(params)
    assert model["params"]["ratio"] == used
    assert model["notices"] == notices


def test_the_ids_and_controls_that_pages_rely_on() -> None:
    assert {view: [c.name for c in VIEWS[view].controls] for view in VIEWS} == {
        "two-action-reinforce": [
            "prob",
            "reward_0",
            "reward_1",
            "ref_prob",
            "kl_coef",
            "learning_rate",
            "step",
        ],
        "ppo-clip": ["ratio", "advantage", "clip_epsilon"],
        "kl": ["actions", "p_1", "p_2", "q_1", "q_2"],
        "clip-is-not-a-bound": ["epochs", "learning_rate", "clip_epsilon", "seed"],
    }
    assert {view: {o.name for o in VIEWS[view].outputs} for view in VIEWS} == {
        "two-action-reinforce": {"prob_now", "kl", "expected_reward", "reward_gradient", "kl_gradient"},
        "ppo-clip": {"objective", "unclipped", "clipped", "slope"},
        "kl": {"kl_pq", "kl_qp"},
        "clip-is-not-a-bound": {"outside_fraction", "clipped_fraction", "kl_old_new", "max_ratio"},
    }


@pytest.mark.parametrize("view", VIEWS.values(), ids=list(VIEWS))
def test_controls_make_sense(view: View) -> None:
    for control in view.controls:
        assert control.min < control.max
        assert control.step < control.page < control.max - control.min or control.name == "actions"
        for place in (control.default, *control.stops):
            assert control.on_grid(place) == place
            assert control.min <= place <= control.max
    names = {control.name for control in view.controls}
    for action in view.actions:
        assert action.control in names
        assert (action.to is None) == (action.kind in {"add", "play"})
        assert (action.by is None) == (action.kind == "set")


@pytest.mark.parametrize("view", VIEWS.values(), ids=list(VIEWS))
def test_spec_and_model_are_plain_json(view: View) -> None:
    for data in (view.spec(), *map(view.model, corners(view))):
        assert json.loads(json.dumps(data, allow_nan=False)) == data


@pytest.mark.parametrize("view", VIEWS.values(), ids=list(VIEWS))
def test_every_corner_of_the_controls_gives_a_whole_model(view: View) -> None:
    for params in corners(view):
        model = view.model(params)
        assert model["summary"].endswith(".")
        assert model["summary"].count(". ") == 0, "one sentence"
        assert all(model["spoken"][control.name] for control in view.controls)
        assert {output["name"] for output in model["outputs"]} == {output.name for output in view.outputs}
        columns = len(model["table"]["columns"])
        assert all(len(row) == columns for row in model["table"]["rows"])
        assert model["figure"]["panels"]
        for panel in model["figure"]["panels"]:
            check_panel(panel)


@pytest.mark.parametrize("view", VIEWS.values(), ids=list(VIEWS))
def test_a_model_is_a_fixed_point(view: View) -> None:
    """Sending back the parameters that a model reports changes nothing and says nothing."""
    for params in corners(view):
        model = view.model(params)
        again = view.model(model["params"])
        assert again["notices"] == []
        assert again | {"notices": []} == model | {"notices": []}


@pytest.mark.parametrize("view", VIEWS.values(), ids=list(VIEWS))
def test_the_axes_do_not_follow_small_moves(view: View) -> None:
    for control in view.controls:
        ranges = set()
        for share in (0.5, 0.51, 0.52):
            place = control.on_grid(control.min + share * (control.max - control.min))
            panels = view.model({control.name: place})["figure"]["panels"]
            ranges.add(json.dumps([[panel["x"], panel["y"].get("range")] for panel in panels]))
        assert len(ranges) == 1 or control.name in {"seed", "actions"}


def corners(view: View) -> list[dict[str, float]]:
    """The defaults and every combination of the ends of the ranges."""
    ends = [(control.min, control.max) for control in view.controls]
    names = [control.name for control in view.controls]
    return [{}, *(dict(zip(names, corner, strict=True)) for corner in itertools.product(*ends))]


def check_panel(panel: dict[str, Any]) -> None:
    """Only marks and roles that figures know, and every number finite."""
    assert set(panel) <= {
        "id", "title", "main", "x", "y", "bands", "lines", "points", "segments", "rules", "bars"
    }  # fmt: skip
    low, high = panel["y"]["range"]
    assert low < high
    for kind in ("bands", "lines", "points", "segments", "rules", "bars"):
        for mark in panel.get(kind, []):
            roles = mark["role"] if isinstance(mark["role"], list) else [mark["role"]]
            assert set(roles) <= ROLES
    for line in panel.get("lines", []):
        assert len(line["x"]) == len(line["y"]) > 0
        assert all(math.isfinite(y) for y in line["y"])
    for bars in panel.get("bars", []):
        assert len(bars["x"]) == len(bars["y"]) == len(bars["text"])
        assert all(low <= y <= high for y in bars["y"])
    for point in panel.get("points", []):
        assert low <= point["y"] <= high

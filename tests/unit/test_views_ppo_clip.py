"""The view of one PPO sample: its cases by name, its sentence, its marks."""

from __future__ import annotations

from typing import Any

import pytest

from policygrad import clipped_objective, clipped_objective_slope
from policygrad.views import VIEWS

VIEW = VIEWS["ppo-clip"]


def model(ratio: float, advantage: float, clip_epsilon: float = 0.2) -> dict[str, Any]:
    return VIEW.model({"ratio": ratio, "advantage": advantage, "clip_epsilon": clip_epsilon})


def texts(frame: dict[str, Any]) -> dict[str, str]:
    return {output["name"]: output["text"] for output in frame["outputs"]}


def test_the_default_is_the_example_of_the_lesson() -> None:
    frame = VIEW.model()
    assert frame["params"] == {"ratio": 1.4, "advantage": 2.0, "clip_epsilon": 0.2}
    assert texts(frame) == {"objective": "2.40", "unclipped": "2.80", "clipped": "2.40", "slope": "0.00"}
    assert texts(model(1.4, -2))["objective"] == "−2.80"


@pytest.mark.parametrize(
    ("ratio", "advantage", "case", "label"),
    [
        (0.5, 2, "below-positive", "A > 0, ratio below the interval: the unclipped branch is the minimum"),
        (1.0, 2, "inside-positive", "A > 0, ratio inside the interval: both branches are equal"),
        (1.5, 2, "above-positive", "A > 0, ratio above the interval: the clipped branch is the minimum"),
        (0.5, -2, "below-negative", "A < 0, ratio below the interval: the clipped branch is the minimum"),
        (1.0, -2, "inside-negative", "A < 0, ratio inside the interval: both branches are equal"),
        (1.5, -2, "above-negative", "A < 0, ratio above the interval: the unclipped branch is the minimum"),
        (0.8, 2, "lower-edge-positive", "A > 0, ratio exactly on the lower edge: both branches are equal"),
        (1.2, 2, "upper-edge-positive", "A > 0, ratio exactly on the upper edge: both branches are equal"),
        (0.8, -2, "lower-edge-negative", "A < 0, ratio exactly on the lower edge: both branches are equal"),
        (1.2, -2, "upper-edge-negative", "A < 0, ratio exactly on the upper edge: both branches are equal"),
        (1.5, 0, "zero", "A = 0, ratio above the interval: both branches are zero"),
    ],
)
def test_every_case_has_its_name(ratio: float, advantage: float, case: str, label: str) -> None:
    assert model(ratio, advantage)["state"] == {"case": case, "label": label}


@pytest.mark.parametrize("hundredths", range(5, 51))
def test_a_ratio_that_reads_as_an_edge_is_on_the_edge(hundredths: int) -> None:
    """1 − 0.43 is 0.5700000000000001 in floats; a slider at 0.57 must still be on it."""
    epsilon = hundredths / 100
    low, high = (100 - hundredths) / 100, (100 + hundredths) / 100
    for advantage in (2, -2):
        assert model(low, advantage, epsilon)["state"]["case"].startswith("lower-edge")
        assert model(high, advantage, epsilon)["state"]["case"].startswith("upper-edge")
        assert model(low - 0.01, advantage, epsilon)["state"]["case"].startswith("below")
        assert model(high + 0.01, advantage, epsilon)["state"]["case"].startswith("above")


def test_sentences() -> None:
    assert model(1.4, 2)["summary"] == (
        "The ratio 1.40 is above the interval, where the advantage +2.0 wanted it, so the clipped branch is "
        "the minimum: 2.40 instead of 2.80, with a slope of 0.00, and the sample pushes no further."
    )
    assert model(1.4, -2)["summary"] == (
        "The ratio 1.40 is above the interval, but the advantage −2.0 wants it smaller, so the unclipped "
        "branch is the minimum: −2.80 and not −2.40, with the full slope of −2.00."
    )
    assert model(1.1, 2)["summary"] == (
        "The ratio 1.10 is inside the interval, where both branches give 2.20, and the slope of +2.00 asks "
        "for a larger ratio."
    )
    assert model(1.2, 2)["summary"] == (
        "The ratio 1.20 is exactly on the upper edge, which belongs to the interval: both branches give "
        "2.40, and the slope, +2.00 on the edge, becomes 0.00 just above it."
    )
    assert model(1.2, -2)["summary"].endswith("the slope, −2.00 on the edge, stays the same just above it.")
    assert model(0.8, -2)["summary"].endswith("the slope, −2.00 on the edge, becomes 0.00 just below it.")
    assert model(1.4, 0)["summary"] == (
        "With an advantage of zero the sample contributes 0.00 at ratio 1.40 and at every other, and its "
        "slope is 0.00."
    )


@pytest.mark.parametrize(
    ("ratio", "advantage", "part"),
    [
        (1.22, 0.1, "0.120 instead of 0.122"),  # both 0.12 at two decimals
        (0.79, 0.1, "0.079 and not 0.080"),
        (1.21, -0.1, "−0.121 and not −0.120"),
        (0, -0.1, "−0.08 instead of 0.00"),
    ],
)
def test_the_two_branches_are_told_apart_in_words(ratio: float, advantage: float, part: str) -> None:
    assert part in model(ratio, advantage)["summary"]


def test_a_control_says_its_value_with_meaning() -> None:
    assert model(1.4, 2)["spoken"] == {
        "ratio": "ratio 1.40, clipped at 1.20",
        "advantage": "advantage +2.0 reward units",
        "clip_epsilon": "clip width 0.20, interval from 0.80 to 1.20",
    }
    assert model(0.5, -2)["spoken"]["ratio"] == "ratio 0.50, clipped at 0.80"
    assert model(1.4, -2)["spoken"]["ratio"] == "ratio 1.40, above the interval, not clipped"
    assert model(1.2, 2)["spoken"]["ratio"] == "ratio 1.20, exactly on the upper edge"


@pytest.mark.parametrize("advantage", [-3, -0.1, 0, 0.1, 3])
@pytest.mark.parametrize("ratio", [0, 0.57, 0.8, 1, 1.2, 2])
def test_outputs_are_the_core(ratio: float, advantage: float) -> None:
    values = {output["name"]: output["value"] for output in model(ratio, advantage)["outputs"]}
    assert values["objective"] == clipped_objective(ratio, advantage, clip_epsilon=0.2)
    assert values["slope"] == clipped_objective_slope(ratio, advantage, clip_epsilon=0.2)
    assert values["objective"] == min(values["unclipped"], values["clipped"])


def test_the_marks_belong_together() -> None:
    (panel,) = model(1.4, -2)["figure"]["panels"]
    unclipped, clipped, objective = panel["lines"]
    assert [line["role"] for line in panel["lines"]] == ["unclipped", "clipped", "objective-negative"]
    assert objective["y"] == [min(u, c) for u, c in zip(unclipped["y"], clipped["y"], strict=True)]
    assert {0.8, 1.2} <= set(objective["x"])  # the corners of the curve are points of it
    assert panel["points"] == [{"role": "new", "x": 1.4, "y": -2.8, "label": "r = 1.40"}]
    assert (panel["bands"][0]["from"], panel["bands"][0]["to"]) == (0.8, 1.2)
    (slope,) = panel["segments"]
    assert slope["arrow"]
    assert slope["x"][1] < slope["x"][0] == 1.4  # ascent lowers the ratio
    assert slope["y"][1] > slope["y"][0]  # and the objective rises
    assert not model(1.4, 2)["figure"]["panels"][0]["segments"][0]["arrow"]


def test_the_table_holds_the_current_ratio_and_both_edges() -> None:
    table = model(1.4, 2)["table"]
    ratios = [row[0]["text"] for row in table["rows"]]
    assert ratios == ["0.00", "0.50", "0.80", "1.00", "1.20", "1.40", "1.50", "2.00"]
    assert table["rows"][5][5]["text"] == "above the interval, current ratio"
    assert table["rows"][5][3] == {"value": 2.4, "text": "2.40"}

"""The view of the divergence in both directions."""

from __future__ import annotations

from typing import Any

import pytest

from policygrad import kl_divergence
from policygrad.views import VIEWS

VIEW = VIEWS["kl"]


def values(frame: dict[str, Any]) -> dict[str, Any]:
    return {output["name"]: output["value"] for output in frame["outputs"]}


def shares(frame: dict[str, Any]) -> list[list[float]]:
    return [bars["y"] for bars in frame["figure"]["panels"][0]["bars"]]


def test_the_default_is_the_example_of_the_lesson() -> None:
    frame = VIEW.model()
    assert shares(frame) == [[0.7, 0.3], [0.5, 0.5]]
    assert [output["text"] for output in frame["outputs"]] == ["0.082283", "0.087177"]
    assert frame["summary"] == (
        "From p to q, action 1 adds +0.2355 and action 2 adds −0.1532, together 0.082283 nats; from q "
        "to p the divergence is 0.087177 nats."
    )


def test_with_two_actions_the_second_probability_is_the_rest() -> None:
    frame = VIEW.model({"actions": 2, "p_1": 0.61, "p_2": 0.9})
    assert shares(frame)[0] == [0.61, 0.39]
    assert frame["params"]["p_2"] == 0.9  # kept for three actions
    assert frame["notices"] == []
    assert frame["unused"] == ["p_2", "q_2"]
    assert frame["spoken"]["p_2"] == "used with three actions; now the rest, 0.39"


def test_with_three_actions_the_third_probability_is_the_rest() -> None:
    frame = VIEW.model({"actions": 3, "p_1": 0.1, "p_2": 0.2, "q_1": 0.3, "q_2": 0.3})
    assert shares(frame) == [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]
    assert frame["unused"] == []
    assert frame["spoken"]["p_1"] == "action 1 has 0.10 under p, action 3 has the rest, 0.70"
    assert values(frame)["kl_pq"] == kl_divergence([0.1, 0.2, 0.7], [0.3, 0.3, 0.4])


def test_a_second_probability_that_is_too_large_is_lowered_and_said() -> None:
    frame = VIEW.model({"actions": 3, "p_1": 0.9, "p_2": 0.5})
    assert frame["params"]["p_2"] == 0.1
    assert shares(frame)[0] == [0.9, 0.1, 0.0]
    assert frame["notices"] == ["p₁ + p₂ would be more than 1: p₂ = 0.10 is used."]


@pytest.mark.parametrize(
    ("params", "case", "summary"),
    [
        (
            {"p_1": 0.5, "q_1": 0.5},
            "equal",
            "Both distributions are 0.50 and 0.50, so the divergence is 0.000000 nats either way.",
        ),
        (
            {"q_1": 1},
            "infinite-pq",
            "From p to q the divergence is infinite, because action 2 has probability 0.30 under p and 0.00 "
            "under q; from q to p it is 0.356675 nats.",  # log(1/0.7)
        ),
        (
            {"p_1": 0},
            "infinite-qp",
            "From q to p the divergence is infinite, because action 1 has probability 0.50 under q and 0.00 "
            "under p; from p to q it is 0.693147 nats.",  # log 2
        ),
        (
            {"p_1": 0, "q_1": 1},
            "infinite-both",
            "Both directions are infinite, because action 2 has probability 1.00 under p and 0.00 under q, "
            "and action 1 has probability 1.00 under q and 0.00 under p.",
        ),
    ],
)
def test_infinite_and_zero_divergences_are_said_with_their_reason(
    params: dict[str, float], case: str, summary: str
) -> None:
    frame = VIEW.model(params)
    assert frame["state"]["case"] == case
    assert frame["summary"] == summary


def test_infinity_is_a_string_in_the_values_and_a_sign_in_the_text() -> None:
    frame = VIEW.model({"q_1": 1})
    assert frame["outputs"][0] | {"label": ""} == {
        "name": "kl_pq", "label": "", "value": "Infinity", "text": "∞", "unit": "nats"
    }  # fmt: skip
    bars = frame["figure"]["panels"][1]["bars"][0]
    assert bars["y"][1] == frame["figure"]["panels"][1]["y"]["range"][1]  # as high as the panel
    assert bars["text"][1] == "+∞"


def test_the_bars_of_a_direction_add_up_to_it() -> None:
    frame = VIEW.model({"actions": 3})
    for panel, output in zip(frame["figure"]["panels"][1:], frame["outputs"], strict=True):
        assert sum(panel["bars"][0]["y"]) == pytest.approx(output["value"], abs=1e-12)
        signs = ["positive" if y >= 0 else "negative" for y in panel["bars"][0]["y"]]
        assert panel["bars"][0]["role"] == signs


def test_the_table_ends_in_the_sums() -> None:
    rows = VIEW.model()["table"]["rows"]
    assert [cell["text"] for cell in rows[-1]] == ["sum", "1.00", "1.00", "0.082283", "0.087177"]


def test_every_position_of_three_actions_is_a_distribution() -> None:
    for first in range(0, 101, 7):
        for second in range(0, 101, 9):
            frame = VIEW.model({"actions": 3, "p_1": first / 100, "p_2": second / 100})
            p = shares(frame)[0]
            assert min(p) >= 0
            assert sum(p) == pytest.approx(1, abs=1e-12)
            assert values(frame)["kl_pq"] == kl_divergence(p, [0.5, 0.3, 0.2])

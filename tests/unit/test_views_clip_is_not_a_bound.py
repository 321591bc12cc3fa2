"""The view of one batch used for many epochs."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from policygrad import reuse_batch
from policygrad.views import VIEWS

VIEW = VIEWS["clip-is-not-a-bound"]


def model(**params: float) -> dict[str, Any]:
    return VIEW.model(params)


def values(frame: dict[str, Any]) -> dict[str, Any]:
    return {output["name"]: output["value"] for output in frame["outputs"]}


def test_the_default_run_leaves_the_interval() -> None:
    shown = values(model())
    assert shown["max_ratio"] > 1.9
    assert shown["outside_fraction"] == 0.875
    assert shown["clipped_fraction"] == 0.75
    assert model()["summary"] == (
        "After 30 epochs the largest ratio is 1.95, above 1.20: its own slope has been zero since epoch 2, "
        "at 1.36, and the other samples have carried it on; 7 of 8 ratios are outside, 6 of 8 samples are "
        "clipped, and the KL is 0.1831 nats."
    )


def test_outputs_are_the_run_of_the_core() -> None:
    run = reuse_batch(epochs=12, learning_rate=0.5, clip_epsilon=0.3, rng=np.random.default_rng(4))
    shown = values(model(epochs=12, learning_rate=0.5, clip_epsilon=0.3, seed=4))
    assert shown == {
        "max_ratio": run.max_ratio[-1],
        "outside_fraction": run.outside_fraction[-1],
        "clipped_fraction": run.clipped_fraction[-1],
        "kl_old_new": run.kl_old_new[-1],
    }


def test_before_the_first_epoch_nothing_has_moved() -> None:
    frame = model(epochs=0)
    assert values(frame) == {
        "max_ratio": 1.0, "outside_fraction": 0.0, "clipped_fraction": 0.0, "kl_old_new": 0.0
    }  # fmt: skip
    assert frame["state"]["case"] == "start"
    assert (
        frame["summary"]
        == "Before the first epoch all 8 ratios are 1.00, none is clipped, and the KL is 0 nats."
    )


def test_a_shorter_run_is_the_beginning_of_a_longer_one() -> None:
    short, long = (model(epochs=epochs)["figure"]["panels"][0]["lines"] for epochs in (7, 30))
    for beginning, whole in zip(short, long, strict=True):
        assert beginning["y"] == whole["y"][:8]


def test_another_seed_gives_another_curve() -> None:
    curves = {tuple(model(seed=seed)["figure"]["panels"][2]["lines"][0]["y"]) for seed in range(10)}
    assert len(curves) == 10


def test_every_case_occurs_and_says_what_it_is() -> None:
    found: dict[str, str] = {}
    for seed in range(100):
        for epochs in (1, 3, 30):
            frame = model(seed=seed, epochs=epochs)
            found.setdefault(frame["state"]["case"], frame["summary"])
    assert set(found) == {"inside", "carried", "against", "below"}
    assert "above 1.20: " in found["carried"]
    assert "and pulls it down" in found["against"]
    assert "the smallest ratio is" in found["below"]
    assert "every ratio is between" in found["inside"]


@pytest.mark.parametrize(
    ("params", "part"),
    [
        (
            {"seed": 1, "epochs": 1},
            "above 1.20: the last step took it across the edge, where its own slope is",
        ),
        ({"seed": 1, "epochs": 2}, "zero since epoch 1, at 1.23, and the other samples have carried it on"),
        ({"seed": 3, "epochs": 3}, "since epoch 2, at 1.53, and the other samples have not brought it back"),
        ({"seed": 21, "epochs": 8}, "since epoch 3, at 1.31, and the other samples have hardly moved it"),
        ({"seed": 21, "epochs": 8}, "all 8 ratios are outside, all 8 samples are clipped"),
        ({"seed": 7, "epochs": 3}, "1 of 8 ratios is outside, 1 of 8 samples is clipped"),
        ({"seed": 0, "epochs": 1}, "between 0.82 and 1.05; no ratio is outside, no sample is clipped"),
        # what two decimals would make equal, or zero
        ({"seed": 44, "epochs": 2}, "the largest ratio is 1.204, above 1.200"),
        ({"seed": 99, "epochs": 8}, "the smallest ratio is 0.7999, below 0.8000"),
        ({"seed": 24, "epochs": 1, "learning_rate": 0.05}, "the KL is below 0.0001 nats"),
    ],
)
def test_the_sentence_is_true_and_well_formed_everywhere(params: dict[str, float], part: str) -> None:
    assert part in model(**params)["summary"]


def test_whoever_is_said_to_be_clipped_since_an_epoch_was_clipped_ever_since() -> None:
    for seed in range(0, 100, 3):
        run = reuse_batch(epochs=20, learning_rate=0.3, clip_epsilon=0.2, rng=np.random.default_rng(seed))
        found = re.search(r"zero since epoch (\d+), at (\S+),", model(seed=seed, epochs=20)["summary"])
        if found:
            since, largest = int(found[1]), int(run.ratios[-1].argmax())
            assert run.clipped[since:, largest].all()
            assert not run.clipped[since - 1, largest]
            assert f"{run.ratios[since, largest]:.2f}" == found[2]


def test_the_marks_say_what_is_outside() -> None:
    frame = model()
    panel = frame["figure"]["panels"][0]
    assert len(panel["lines"]) == 8
    (band,) = panel["bands"]
    assert (band["axis"], band["from"], band["to"]) == ("y", 0.8, 1.2)
    ends = panel["points"][:8]
    assert sum(point["role"] == "outside" for point in ends) == 7
    for point in ends:
        assert (point["role"] != "outside") == (band["from"] <= point["y"] <= band["to"])
    assert panel["points"][8]["label"] == "slope 0"


@pytest.mark.parametrize("epochs", [1, 4, 33])
def test_the_table_ends_at_the_present_epoch(epochs: int) -> None:
    frame = model(epochs=epochs)
    last = frame["table"]["rows"][-1]
    assert last[0]["value"] == epochs
    assert last[1]["value"] == values(frame)["max_ratio"]

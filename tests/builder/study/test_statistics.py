"""What a study says about its seeds, and what the group estimators must show."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from conftest import short

from lessonbuild.study.group_estimators import ARMS, GROUP_ESTIMATORS, SETTINGS, label
from lessonbuild.study.registry import STUDIES, run_seed
from lessonbuild.study.summary import BOOTSTRAP_SEED, middle_curve, statistics
from policygrad import PPOConfig, PPOTrainer, bootstrap_interval, interquartile_mean


def test_statistics_are_those_of_the_core() -> None:
    scores = [500.0, 480.0, 300.0, 490.0]
    runs = [{"measures": {"greedy_return": one, "sampled_return": one}} for one in scores]
    found = statistics(STUDIES["cartpole"], {}, runs)[0]
    assert found["median"] == 485.0
    assert found["interquartileRange"] == pytest.approx(492.5 - 435.0)
    assert found["interquartileMean"] == interquartile_mean(scores)
    assert found["threshold"] == {"value": 475.0, "shareReached": 0.75}
    rng = np.random.default_rng(BOOTSTRAP_SEED)
    interval = bootstrap_interval(scores, statistic="interquartile_mean", rng=rng)
    assert (found["bootstrap"]["low"], found["bootstrap"]["high"]) == (interval.low, interval.high)


def test_one_seed_has_no_interval() -> None:
    run: dict[str, Any] = {"measures": {"greedy_return": 1.0, "sampled_return": 1.0}}
    assert statistics(STUDIES["cartpole"], {}, [run])[0]["bootstrap"] is None


def test_the_middle_of_curves_keeps_what_is_not_a_number() -> None:
    runs = [{"curve": {"x": ["NaN", 1.0]}}, {"curve": {"x": [2.0, 3.0]}}]
    assert middle_curve(runs)["x"]["median"] == ["NaN", 2.0]


def test_a_cartpole_seed_is_the_run_of_the_core() -> None:
    config = short("cartpole").profiles["smoke"]
    found = run_seed("cartpole", config, 3)
    settings = {key: value for key, value in config.items() if key != "evaluation_episodes"}
    frames = PPOTrainer(PPOConfig(**settings), rng=np.random.default_rng(3)).advance(2)
    assert found["curve"]["entropy"] == [frame.entropy for frame in frames]


def test_means_of_the_estimators_are_the_exact_ones() -> None:
    config = GROUP_ESTIMATORS.profiles["smoke"]
    runs = [run_seed("group-estimators", config, seed) for seed in range(10)]
    found = {one["measure"]: one for one in statistics(GROUP_ESTIMATORS, config, runs)}
    first = [found[f"{label(SETTINGS[0])} {arm} mean"] for arm in ARMS]
    assert [one["exact"] for one in first] == pytest.approx([0.273, 0.238875, 0.273], abs=1e-12)
    for setting in SETTINGS:
        for arm in ARMS:
            mean, variance = (found[f"{label(setting)} {arm} {kind}"] for kind in ("mean", "variance"))
            error = 4 * (variance["mean"] / (config["num_groups"] * len(runs))) ** 0.5
            assert mean["mean"] == pytest.approx(mean["exact"], abs=max(error, 1e-12)), mean["measure"]
            assert "exact" not in variance


def test_the_settings_show_that_no_estimator_is_always_quieter() -> None:
    quietest = set()
    for setting in SETTINGS:
        config = {"settings": [setting], "num_groups": 2_000}
        measures = run_seed("group-estimators", config, 0)["measures"]
        unbiased = ("none", "leave_one_out")
        quietest.add(min(unbiased, key=lambda arm: measures[f"{label(setting)} {arm} variance"]))
    assert quietest == {"none", "leave_one_out"}

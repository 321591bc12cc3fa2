"""Settings of the sequence trainer: their ranges, what contradicts, profiles."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from expecting import refused

from policygrad import SequenceConfig


def test_profiles() -> None:
    assert SequenceConfig.profile("full") == SequenceConfig()
    smoke = SequenceConfig.profile("smoke")
    assert dataclasses.replace(smoke, num_updates=SequenceConfig().num_updates) == SequenceConfig()
    assert smoke.num_updates < SequenceConfig().num_updates / 4
    with refused('profile is \'fast\'; it must be "full" or "smoke"'):
        SequenceConfig.profile("fast")


def test_a_configuration_is_frozen_and_by_name_only() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        SequenceConfig().epochs = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        SequenceConfig(300)  # type: ignore[misc]


def test_the_kl_may_be_in_one_place_only() -> None:
    with refused(
        "reward_kl_coef is 0.1 and loss_kl_coef is 0.2; one of them must be 0, or the KL is counted twice"
    ):
        SequenceConfig(reward_kl_coef=0.1, loss_kl_coef=0.2)
    SequenceConfig(reward_kl_coef=0.1)
    SequenceConfig(loss_kl_coef=0.2)


def test_a_kl_without_an_effect_is_refused() -> None:
    with refused(
        'kl_estimator is "k1" with kl_weighting "none"; its slope is 0 on average and holds nothing back, '
        'so kl_weighting must be "ratio" or the estimator another'
    ):
        SequenceConfig(loss_kl_coef=0.1, kl_estimator="k1", kl_weighting="none")
    SequenceConfig(kl_estimator="k1", kl_weighting="none")  # not in use
    SequenceConfig(loss_kl_coef=0.1, kl_estimator="k1")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"num_updates": 0}, "num_updates is 0; it must be at least 1"),
        ({"group_size": 1.5}, "group_size is 1.5; it must be a whole number"),
        ({"max_tokens": 0}, "max_tokens is 0; it must be at least 1"),
        ({"epochs": 0}, "epochs is 0; it must be at least 1"),
        ({"cutoff_reward": float("nan")}, "cutoff_reward is NaN; it must be finite"),
        (
            {"estimator": "ppo"},
            'estimator is \'ppo\'; it must be "rloo", "grpo", "dr_grpo", "group_mean" or "moving_average"',
        ),
        ({"ddof": 2}, "ddof is 2; it must be at least 0 and at most 1"),
        ({"eps": -1}, "eps is -1; it must be at least 0"),
        ({"scale": "none"}, 'scale is \'none\'; it must be "group" or "batch"'),
        ({"baseline_decay": 1.1}, "baseline_decay is 1.1; it must be at least 0 and at most 1"),
        (
            {"ratio_level": "word"},
            'ratio_level is \'word\'; it must be "token", "sequence" or "length_normalized"',
        ),
        ({"clip_epsilon": 1.0}, "clip_epsilon is 1; it must be at least 0 and below 1"),
        ({"clip_epsilon_high": -0.1}, "clip_epsilon_high is -0.1; it must be at least 0"),
        (
            {"reduction": "mean"},
            'reduction is \'mean\'; it must be "token_mean", "sequence_mean", "sequence_sum" or '
            '"constant_length"',
        ),
        ({"entropy_coef": -0.1}, "entropy_coef is -0.1; it must be at least 0"),
        ({"reward_kl_coef": -0.1}, "reward_kl_coef is -0.1; it must be at least 0"),
        ({"loss_kl_coef": -0.1}, "loss_kl_coef is -0.1; it must be at least 0"),
        ({"kl_estimator": "k4"}, 'kl_estimator is \'k4\'; it must be "k1", "k2" or "k3"'),
        ({"kl_weighting": "all"}, 'kl_weighting is \'all\'; it must be "ratio" or "none"'),
        ({"learning_rate": -1.0}, "learning_rate is -1; it must be at least 0"),
        (
            {"learning_rate_schedule": "cosine"},
            'learning_rate_schedule is \'cosine\'; it must be "linear" or "constant"',
        ),
        ({"max_norm": 0}, "max_norm is 0; it must be above 0"),
    ],
)
def test_ranges(wrong: dict[str, Any], message: str) -> None:
    with refused(message):
        SequenceConfig(**wrong)


def test_every_setting_has_a_range() -> None:
    """Text is refused where a number belongs, a wrong name where an option does."""
    for field in dataclasses.fields(SequenceConfig):
        with pytest.raises(ValueError, match=field.name):
            SequenceConfig(**{field.name: "nonsense"})

"""The configuration of a PPO run: profiles, ranges, and that it cannot change under a run."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from expecting import refused

from policygrad import PPOConfig


def test_profiles() -> None:
    assert PPOConfig.profile("full") == PPOConfig()
    smoke = PPOConfig.profile("smoke")
    assert smoke.num_updates < PPOConfig().num_updates
    assert dataclasses.replace(smoke, num_updates=PPOConfig().num_updates) == PPOConfig()
    with refused('profile is \'ful\'; it must be "full" or "smoke"'):
        PPOConfig.profile("ful")


def test_a_configuration_is_frozen_and_can_be_a_key() -> None:
    config = PPOConfig(hidden_sizes=[8, 4])  # type: ignore[arg-type]  # as JSON has it
    assert config.hidden_sizes == (8, 4)
    assert {config: 1}[PPOConfig(hidden_sizes=(8, 4))] == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.gamma = 0.5  # type: ignore[misc]


def test_no_hidden_layer_is_a_linear_policy() -> None:
    assert PPOConfig(hidden_sizes=()).hidden_sizes == ()


OUT_OF_RANGE: dict[str, list[Any]] = {
    "num_updates": [0, 1.5],
    "num_envs": [0, 1.5],
    "num_steps": [0, 1.5],
    "max_steps": [0, 1.5],
    "hidden_sizes": [(0,), (4, 1.5), ("many",)],
    "hidden_gain": [-0.1],
    "policy_gain": [-0.1],
    "value_gain": [-0.1],
    "gamma": [-0.1, 1.1],
    "gae_lambda": [-0.1, 1.1],
    "epochs": [0, 1.5],
    "minibatch_size": [0, 1.5],
    "learning_rate": [-0.1],
    "learning_rate_schedule": ["falling", None],
    "adam_eps": [0, -1],
    "max_norm": [0, -1],
    "clip_epsilon": [-0.1, 1.0],
    "clip_epsilon_high": [-0.1],
    "clip_schedule": ["falling", None],
    "entropy_coef": [-0.1],
    "value_coef": [-0.1],
    "value_clip": [-0.1],
    "target_kl": [0, -0.1],
    "advantage_normalization": ["epoch", None],
    "normalize_observations": [1, None],
    "normalize_rewards": [0, "yes"],
    "return_window": [0, 1.5],
}


def test_every_field_is_tried() -> None:
    assert {field.name for field in dataclasses.fields(PPOConfig)} == set(OUT_OF_RANGE)


@pytest.mark.parametrize("name", OUT_OF_RANGE)
def test_fields_keep_to_their_range(name: str) -> None:
    is_number = isinstance(getattr(PPOConfig(), name), float)
    for wrong in [*OUT_OF_RANGE[name], *([float("nan"), float("inf"), "text"] if is_number else [])]:
        with pytest.raises(ValueError, match=rf"\b{name}\b"):
            PPOConfig(**{name: wrong})

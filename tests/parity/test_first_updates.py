"""A training run begins alike in both engines: draws exactly, floats to nine digits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from agreement import AFTER_TRAINING, disagreements

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import PageEngine

SETTINGS: dict[str, dict[str, Any]] = {
    "the profile full": {},
    "everything switched on": {
        "num_envs": 8,
        "num_steps": 64,
        "minibatch_size": 100,
        "hidden_sizes": [8, 8],
        "clip_schedule": "linear",
        "clip_epsilon_high": 0.28,
        "entropy_coef": 0.01,
        "value_clip": 0.2,
        "target_kl": 0.02,
        "advantage_normalization": "batch",
        "normalize_observations": True,
        "normalize_rewards": True,
    },
}


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_first_updates_of_ppo_agree(
    settings: dict[str, Any], engine: PageEngine, here: Callable[[str], str]
) -> None:
    requests = [
        {
            "id": seed,
            "kind": "call",
            "call": "ppo_run",
            "args": {"settings": settings, "num_updates": 3, "rng": seed},
        }
        for seed in (0, 1)
    ]
    frames = [json.loads(here(json.dumps(request)))["result"]["value"]["frames"] for request in requests]
    assert all(frame["episodes"] > 0 for run in frames for frame in run)  # counts and means of whole episodes
    assert disagreements(requests, here, engine.handle, relative=AFTER_TRAINING) == []

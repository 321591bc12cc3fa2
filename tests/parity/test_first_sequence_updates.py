"""A run on the writing tasks begins alike in both engines: tokens exactly, floats to nine digits."""

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
    "GRPO with its KL": {
        "estimator": "grpo",
        "ddof": 1,
        "eps": 1e-4,
        "reduction": "sequence_mean",
        "loss_kl_coef": 0.04,
        "kl_weighting": "none",
        "cutoff_reward": -0.1,
    },
    "ratios of responses, KL in the reward": {
        "ratio_level": "sequence",
        "reward_kl_coef": 0.05,
        "clip_epsilon_high": 0.28,
        "max_norm": None,
    },
}


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_first_updates_on_the_writing_tasks_agree(
    settings: dict[str, Any], engine: PageEngine, here: Callable[[str], str]
) -> None:
    requests = [
        {
            "id": seed,
            "kind": "call",
            "call": "sequence_run",
            "args": {"settings": settings, "num_updates": 3, "rng": seed},
        }
        for seed in (0, 1)
    ]
    assert all(json.loads(here(json.dumps(request)))["ok"] for request in requests)
    assert disagreements(requests, here, engine.handle, relative=AFTER_TRAINING) == []

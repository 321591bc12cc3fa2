"""A PPO run as one function, for whatever wants its numbers and not its pace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _checks as check
from ._settings import config_of
from .ppo import PPOTrainer
from .ppo_config import PPOConfig

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from .networks import Parameters
    from .ppo_frame import PPOFrame


@dataclass(frozen=True, slots=True)
class PPORun:
    """The beginning of a PPO run."""

    frames: tuple[PPOFrame, ...]
    """One per update."""
    policy: Parameters
    """Parameters of the policy after the last update, as `mlp` takes them."""
    value: Parameters
    """Parameters of the value network."""


def ppo_run(settings: Mapping[str, Any], *, num_updates: int, rng: np.random.Generator) -> PPORun:
    """The first updates of PPO on CartPole; `PPOTrainer` makes the same ones step by step.

        rollout → advantages → epochs of minibatch steps → frame, num_updates times

    Args:
        settings: fields of `PPOConfig` that differ from its defaults, by name.
        num_updates: from 1 to all of the configuration's; schedules still end with its last update.
        rng: as `PPOTrainer`.
    Raises: ValueError on a setting that does not exist or is out of range, or a wrong number of updates.
    Source: Schulman et al., arXiv:1707.06347, algorithm 1.
    """
    config = config_of(PPOConfig, settings)
    count = check.whole(num_updates, "num_updates", at_least=1, at_most=config.num_updates)
    trainer = PPOTrainer(config, rng=rng)
    return PPORun(tuple(trainer.advance(count)), trainer.policy, trainer.value)

"""The study `cartpole`: how well PPO balances the pole after training, seed by seed."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

import numpy as np

from lessonbuild.study.kinds import Config, SeedRun, Study
from policygrad import PPOConfig, PPOTrainer

EPISODES: Final = 100
"""New episodes in which the trained policy is measured."""
EVALUATION: Final = 1
"""Second part of the seed of these episodes, so that they share no draw with training."""
COLUMNS: Final = ("steps", "mean_return", "entropy", "kl", "clipped_fraction", "explained_variance")


def _run(config: Config, seed: int) -> SeedRun:
    settings = {key: value for key, value in config.items() if key != "evaluation_episodes"}
    trainer = PPOTrainer(PPOConfig(**settings), rng=np.random.default_rng(seed))
    frames = trainer.advance(trainer.config.num_updates)
    measures = {
        f"{name}_return": float(
            trainer.evaluate(
                config["evaluation_episodes"], greedy=greedy, rng=np.random.default_rng([seed, EVALUATION])
            ).mean()
        )
        for name, greedy in (("greedy", True), ("sampled", False))
    }
    return SeedRun({name: [float(getattr(one, name)) for one in frames] for name in COLUMNS}, measures)


def _profile(name: str) -> Config:
    config = asdict(PPOConfig.profile(name))
    return {**config, "hidden_sizes": list(config["hidden_sizes"]), "evaluation_episodes": EPISODES}


CARTPOLE: Final = Study(
    name="cartpole",
    title="Mean return of new CartPole episodes after training with PPO, one value per seed",
    profiles={name: _profile(name) for name in ("smoke", "full")},
    run=_run,
    core=("PPOTrainer", "PPOConfig"),
    units=lambda _: {"greedy_return": "steps balanced", "sampled_return": "steps balanced"},
    thresholds={"greedy_return": 475.0, "sampled_return": 475.0},
)

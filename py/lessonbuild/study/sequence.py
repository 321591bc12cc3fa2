"""The study `sequence`: how many of the three writing tasks the decoder has learnt, seed by seed."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

import numpy as np

from lessonbuild.study.kinds import Config, SeedRun, Study
from policygrad import SequenceConfig, SequenceTrainer

LAST: Final = 10
"""Final updates whose batches are averaged: one batch is a noisy measure."""
COLUMNS: Final = ("tokens", "reward", "right_share", "length", "entropy", "kl_reference")


def _run(config: Config, seed: int) -> SeedRun:
    settings = {key: value for key, value in config.items() if key != "measured_updates"}
    trainer = SequenceTrainer(SequenceConfig(**settings), rng=np.random.default_rng(seed))
    frames = trainer.advance(trainer.config.num_updates)
    last = frames[-config["measured_updates"] :]
    measures = {
        name: float(np.mean([getattr(one, name) for one in last])) for name in ("reward", "right_share")
    }
    return SeedRun({name: [float(getattr(one, name)) for one in frames] for name in COLUMNS}, measures)


SEQUENCE: Final = Study(
    name="sequence",
    title="Mean reward of sampled responses in the last updates of the sequence trainer, one value per seed",
    profiles={
        name: {**asdict(SequenceConfig.profile(name)), "measured_updates": LAST} for name in ("smoke", "full")
    },
    run=_run,
    core=("SequenceTrainer", "SequenceConfig"),
    units=lambda _: {"reward": "of 1 at most", "right_share": "share of responses"},
    thresholds={"reward": 0.95},
)

"""This project's PPO on CartPole, timed: `python cartpole_ours.py SEED` prints one line of JSON.

The benchmark runs this very file in CPython and, as text, in the page's Python.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np

from policygrad import PPOConfig, PPOTrainer

THRESHOLD = 475.0
WINDOW = 100


def reach(seed: int) -> dict[str, float]:
    """Train until the mean of the last 100 finished training episodes, actions sampled, is 475."""
    start = time.perf_counter()
    trainer = PPOTrainer(PPOConfig.profile("full"), rng=np.random.default_rng(seed))
    while not trainer.finished:
        frame = trainer.advance()[0]
        if frame.episodes >= WINDOW and frame.mean_return >= THRESHOLD:
            break
    return {
        "seconds": time.perf_counter() - start,
        "steps": frame.steps,
        "reached": frame.episodes >= WINDOW and frame.mean_return >= THRESHOLD,
    }


def finish(seed: int) -> dict[str, float]:
    """The whole run; then 100 new episodes with greedy and 100 with sampled actions."""
    start = time.perf_counter()
    trainer = PPOTrainer(PPOConfig.profile("full"), rng=np.random.default_rng(seed))
    trainer.advance(trainer.config.num_updates)
    seconds = time.perf_counter() - start
    greedy = trainer.evaluate(100, greedy=True, rng=np.random.default_rng([seed, 1]))
    sampled = trainer.evaluate(100, greedy=False, rng=np.random.default_rng([seed, 2]))
    return {"seconds": seconds, "greedy": float(greedy.mean()), "sampled": float(sampled.mean())}


if __name__ == "__main__" and sys.argv[1:]:
    print(json.dumps(reach(int(sys.argv[1]))))

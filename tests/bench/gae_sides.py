"""Generalised advantages and Stable-Baselines3's buffer on the same data, timed: prints one line of JSON.

Runs in `.venv-compare`, which has both.
"""

from __future__ import annotations

import json
import timeit

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3.common.buffers import RolloutBuffer

from policygrad import generalized_advantages

SIZES = [(2048, 64), (1024, 64), (2048, 32), (512, 64), (2048, 16), (256, 8)]
"""Steps and environments; the first is the one to compare."""
GAMMA, GAE_LAMBDA = 0.99, 0.95
REPEATS = 15


def times(steps: int, envs: int) -> dict[str, float]:
    """Milliseconds of each side, the fastest of several: what else runs can only add to it."""
    rng = np.random.default_rng(0)
    rewards, values, next_values = rng.normal(size=(3, steps, envs))
    ended = rng.random((steps, envs)) < 0.01
    buffer = RolloutBuffer(
        steps,
        spaces.Box(-1, 1, (1,)),
        spaces.Discrete(2),
        gamma=GAMMA,
        gae_lambda=GAE_LAMBDA,
        n_envs=envs,
    )
    buffer.reset()
    buffer.rewards[:], buffer.values[:] = rewards, values
    buffer.episode_starts[1:] = ended[:-1]
    last = torch.tensor(next_values[-1])

    def ours() -> None:
        generalized_advantages(rewards, values, next_values, ended, ended, gamma=GAMMA, gae_lambda=GAE_LAMBDA)

    def theirs() -> None:
        buffer.compute_returns_and_advantage(last, ended[-1])

    seconds = [
        [timeit.timeit(side, number=1) for side in (ours, theirs)] for _ in range(REPEATS)
    ]  # the sides take turns
    fastest = np.min(seconds, axis=0) * 1000
    return {"steps": steps, "envs": envs, "ours": float(fastest[0]), "theirs": float(fastest[1])}


if __name__ == "__main__":
    torch.set_num_threads(1)
    print(json.dumps([times(steps, envs) for steps, envs in SIZES]))

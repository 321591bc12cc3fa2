"""Stable-Baselines3's PPO on CartPole, timed: `python cartpole_sb3.py SEED` prints one line of JSON.

Settings of rl-zoo3 for CartPole-v1. Runs in `.venv-compare`.
"""

from __future__ import annotations

import json
import sys
import time

import gymnasium
import numpy as np
import stable_baselines3
import torch
from sb3_settings import BUDGET, NUM_ENVS, SETTINGS
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

THRESHOLD = 475.0
WINDOW = 100


class StopAtThreshold(BaseCallback):
    """Looks at the mean that SB3 keeps anyway, of the last 100 finished episodes, whenever one has ended."""

    reached = False
    """Whether the mean has been at the threshold."""

    def _on_step(self) -> bool:
        episodes = self.model.ep_info_buffer
        if len(episodes) == WINDOW and self.locals["dones"].any():
            self.reached = bool(np.mean([episode["r"] for episode in episodes]) >= THRESHOLD)
        return not self.reached


def reach(seed: int) -> dict[str, float]:
    """Train until the mean of the last 100 finished training episodes is 475, or the budget is used."""
    start = time.perf_counter()
    env = make_vec_env("CartPole-v1", n_envs=NUM_ENVS, seed=seed)
    model = PPO(
        "MlpPolicy",
        env,
        learning_rate=lambda left: 1e-3 * left,
        clip_range=lambda left: 0.2 * left,
        seed=seed,
        device="cpu",
        stats_window_size=WINDOW,
        **SETTINGS,
    )
    stop = StopAtThreshold()
    model.learn(total_timesteps=BUDGET, callback=stop)
    return {"seconds": time.perf_counter() - start, "steps": model.num_timesteps, "reached": stop.reached}


if __name__ == "__main__":
    torch.set_num_threads(1)
    versions = {
        "torch": torch.__version__,
        "stable-baselines3": stable_baselines3.__version__,
        "gymnasium": gymnasium.__version__,
    }
    print(json.dumps({**reach(int(sys.argv[1])), "versions": versions}))

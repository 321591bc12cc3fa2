"""rl-zoo3's settings of Stable-Baselines3's PPO for CartPole-v1, for the run and for its report."""

from __future__ import annotations

SETTINGS = {
    "n_steps": 32,
    "batch_size": 256,
    "gae_lambda": 0.8,
    "gamma": 0.98,
    "n_epochs": 20,
    "ent_coef": 0.0,
}
NUM_ENVS = 8
BUDGET = 100_000
"""Steps, over which learning rate and clip fall to 0."""

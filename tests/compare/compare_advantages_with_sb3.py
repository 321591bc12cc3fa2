"""Generalised advantages beside Stable-Baselines3's rollout buffer, time limits included.

SB3 has one flag for the end of an episode. A time limit is handled before: the discounted value of the final
observation is added to the reward. The two masks give the same advantages without touching a reward.
"""

from __future__ import annotations

import numpy as np
import pytest
import torch
from gymnasium import spaces
from stable_baselines3.common.buffers import RolloutBuffer

from policygrad import generalized_advantages, value_targets


@pytest.mark.parametrize(("steps", "envs"), [(1, 1), (64, 8), (512, 3)])
@pytest.mark.parametrize(("gamma", "gae_lambda"), [(0.99, 0.95), (0.98, 0.8), (0.9, 1.0), (0.9, 0.0)])
def test_generalized_advantages(steps: int, envs: int, gamma: float, gae_lambda: float) -> None:
    rng = np.random.default_rng(0)
    # SB3 stores float32: numbers that float32 holds exactly leave only the rounding of its sums.
    rewards, values, next_values = (
        rng.integers(-8, 9, size=(steps, envs)).astype(np.float64) / 8 for _ in range(3)
    )
    terminated, truncated = rng.random((2, steps, envs)) < 0.1
    ended = terminated | truncated
    # Where an episode goes on, the value after a step is that of the next row.
    next_values[:-1] = np.where(ended[:-1], next_values[:-1], values[1:])
    buffer = RolloutBuffer(
        steps,
        spaces.Box(-1, 1, (1,)),
        spaces.Discrete(2),
        gamma=gamma,
        gae_lambda=gae_lambda,
        n_envs=envs,
    )
    buffer.reset()
    buffer.rewards[:] = rewards + gamma * next_values * (truncated & ~terminated)
    buffer.values[:] = values
    buffer.episode_starts[1:] = ended[:-1]
    buffer.compute_returns_and_advantage(torch.tensor(next_values[-1]), ended[-1])
    advantages = generalized_advantages(
        rewards, values, next_values, terminated, ended, gamma=gamma, gae_lambda=gae_lambda
    )
    np.testing.assert_allclose(advantages, buffer.advantages, rtol=0, atol=3e-6)
    np.testing.assert_allclose(value_targets(values, advantages), buffer.returns, rtol=0, atol=3e-6)

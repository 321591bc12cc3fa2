"""One whole PPO update against a second one, written sample by sample from the paper.

It shares with the core only CartPole itself and the order of random draws: parameters, first states, then for
each update uniforms, resets and permutations. Everything else is spelled out in loops over numbers.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from policygrad import CartPole, PPOConfig, PPOTrainer, init_mlp

Network = list[np.ndarray]


def outputs(network: Network, x: np.ndarray) -> list[np.ndarray]:
    """All layers for one sample."""
    layers = [x]
    for i in range(0, len(network), 2):
        z = np.array([row @ layers[-1] + b for row, b in zip(network[i], network[i + 1], strict=True)])
        layers.append(z if i == len(network) - 2 else np.array([math.tanh(number) for number in z]))
    return layers


def log_probs_of(logits: np.ndarray) -> np.ndarray:
    total = math.log(sum(math.exp(z) for z in logits))
    return np.array([z - total for z in logits])


def add_gradient(into: Network, network: Network, layers: list[np.ndarray], outer: np.ndarray) -> None:
    for i in range(len(network) - 2, -1, -2):
        below = layers[i // 2]
        into[i] += np.outer(outer, below)
        into[i + 1] += outer
        outer = np.array([(network[i][:, j] @ outer) * (1 - below[j] ** 2) for j in range(len(below))])


def rollout(config: PPOConfig, env: CartPole, policy: Network, rng: np.random.Generator) -> list[list[dict]]:
    """rows[t][n]: one step."""
    rows = []
    for uniforms in rng.random((config.num_steps, config.num_envs)):
        states = env.states.copy()
        logs = [log_probs_of(outputs(policy, state)[-1]) for state in states]
        actions = [int(u >= math.exp(log[0])) for u, log in zip(uniforms, logs, strict=True)]
        step = env.step(actions)
        rows.append(
            [
                {
                    "state": states[n],
                    "final": step.final_observations[n],
                    "action": actions[n],
                    "log_prob": logs[n][actions[n]],
                    "reward": step.rewards[n],
                    "terminated": bool(step.terminated[n]),
                    "ended": bool(step.terminated[n] or step.truncated[n]),
                }
                for n in range(config.num_envs)
            ]
        )
    return rows


def with_advantages(config: PPOConfig, rows: list[list[dict]], value: Network) -> list[dict]:
    """Each advantage as the sum Σ (γλ)^k δ_{t+k} up to the next cut; samples time first."""
    for t, row in enumerate(rows):
        for n, sample in enumerate(row):
            sample["value"] = outputs(value, sample["state"])[-1][0]
            total, weight = 0.0, 1.0
            for later in rows[t:]:
                after = 0.0 if later[n]["terminated"] else outputs(value, later[n]["final"])[-1][0]
                here = outputs(value, later[n]["state"])[-1][0]
                total += weight * (later[n]["reward"] + config.gamma * after - here)
                weight *= config.gamma * config.gae_lambda
                if later[n]["ended"]:
                    break
            sample["advantage"] = total
            sample["target"] = sample["value"] + total
    return [sample for row in rows for sample in row]


def minibatch_gradient(config: PPOConfig, samples: list[dict], policy: Network, value: Network) -> Network:
    gradient = [np.zeros_like(array) for array in policy + value]
    advantages = [sample["advantage"] for sample in samples]
    mean = sum(advantages) / len(samples)
    std = math.sqrt(sum((a - mean) ** 2 for a in advantages) / len(samples))
    for sample in samples:
        layers = outputs(policy, sample["state"])
        logs = log_probs_of(layers[-1])
        probs = np.array([math.exp(log) for log in logs])
        A = (sample["advantage"] - mean) / (std + 1e-8)
        ratio = math.exp(logs[sample["action"]] - sample["log_prob"])
        flat = (ratio > 1 + config.clip_epsilon and A > 0) or (ratio < 1 - config.clip_epsilon and A < 0)
        score = -probs
        score[sample["action"]] += 1
        spread = -sum(p * log for p, log in zip(probs, logs, strict=True))
        bonus = np.array([-p * (log + spread) for p, log in zip(probs, logs, strict=True)])
        outer = -(0.0 if flat else A * ratio) * score - config.entropy_coef * bonus
        add_gradient(gradient[: len(policy)], policy, layers, outer / len(samples))
        layers = outputs(value, sample["state"])
        v, old, target = layers[-1][0], sample["value"], sample["target"]
        slope = v - target
        if config.value_clip is not None:
            moved = old + min(max(v - old, -config.value_clip), config.value_clip)
            if abs(v - old) > config.value_clip and (moved - target) ** 2 > slope**2:
                slope = 0.0
        add_gradient(
            gradient[len(policy) :], value, layers, np.array([config.value_coef * slope / len(samples)])
        )
    return gradient


def train(config: PPOConfig, seed: int, updates: int) -> Network:
    """All parameters after some updates."""
    rng = np.random.default_rng(seed)
    gains = [config.hidden_gain] * len(config.hidden_sizes)
    policy = list(init_mlp([4, *config.hidden_sizes, 2], gains=[*gains, config.policy_gain], rng=rng))
    value = list(init_mlp([4, *config.hidden_sizes, 1], gains=[*gains, config.value_gain], rng=rng))
    env = CartPole(config.num_envs, rng=rng, max_steps=config.max_steps)
    means = [np.zeros_like(array) for array in policy + value]
    squares = [np.zeros_like(array) for array in policy + value]
    count = 0
    for update in range(updates):
        rate = config.learning_rate * (1 - update / config.num_updates)
        samples = with_advantages(config, rollout(config, env, policy, rng), value)
        for _ in range(config.epochs):
            order = rng.permutation(len(samples))
            for start in range(0, len(order), config.minibatch_size):
                chosen = [samples[i] for i in order[start : start + config.minibatch_size]]
                gradient = minibatch_gradient(config, chosen, policy, value)
                norm = math.sqrt(sum(float((g**2).sum()) for g in gradient))
                scale = min(1.0, config.max_norm / (norm + 1e-6)) if config.max_norm else 1.0
                count += 1
                for i, array in enumerate(policy + value):
                    means[i] = 0.9 * means[i] + 0.1 * scale * gradient[i]
                    squares[i] = 0.999 * squares[i] + 0.001 * (scale * gradient[i]) ** 2
                    corrected = means[i] / (1 - 0.9**count)
                    root = np.sqrt(squares[i] / (1 - 0.999**count))
                    array[...] = array - rate * corrected / (root + config.adam_eps)
    return policy + value


SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "time limits, values clipped, entropy": {"max_steps": 7, "value_clip": 0.1, "entropy_coef": 0.02},
}


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_two_updates(settings: dict[str, Any]) -> None:
    config = PPOConfig(
        num_updates=4,
        num_envs=3,
        num_steps=14,
        epochs=2,
        minibatch_size=20,
        hidden_sizes=(5, 4),
        learning_rate=0.02,
        clip_epsilon=0.05,
        **settings,
    )
    trainer = PPOTrainer(config, rng=np.random.default_rng(3))
    frames = trainer.advance(2)
    assert frames[-1].episodes > 0  # ends of episodes lie inside the rollouts
    assert all(frame.clipped_fraction > 0 for frame in frames)
    for array, expected in zip(trainer.policy + trainer.value, train(config, 3, 2), strict=True):
        np.testing.assert_allclose(array, expected, rtol=0, atol=1e-11)

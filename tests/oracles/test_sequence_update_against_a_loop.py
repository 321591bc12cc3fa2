"""Two whole updates of the sequence trainer against the same updates written as plain loops.

Responses are sampled one after the other and token by token; rewards, advantages, the clipped objective with
its KL and Adam are scalar arithmetic; only single scores come from the core.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any

import numpy as np
import pytest

from policygrad import SequenceConfig, SequenceTrainer, decoder_log_probs, response_scores

TASKS = (1, 2, 3)


def distribution(params: np.ndarray, text: list[int]) -> list[float]:
    """Probabilities of the next token after a text."""
    return [exp(decoder_log_probs(params, [[*text, token]])[0, -1]) for token in range(9)]


def sampled(params: np.ndarray, prompt: list[int], uniform: list[float]) -> list[int]:
    """A response to one prompt."""
    response: list[int] = []
    for u in uniform:
        chances = distribution(params, prompt + response)
        token = next(a for a in range(9) if u < sum(chances[: a + 1]))
        response.append(token)
        if token == 0:
            break
    return response


def reward(task: int, response: list[int], cutoff: float) -> float:
    """What the docstring of the verifier says, case by case."""
    if response[-1] != 0:
        return cutoff
    letters = response[:-1]
    if len(letters) != {1: 2, 2: 3, 3: 3}[task] or min(letters, default=0) < 4:
        return 0.0
    if task == 3:
        return (1 + (letters[0] < letters[1]) + (letters[1] < letters[2])) / 3
    return (1 + (letters[0] == letters[-1])) / 2


def score(params: np.ndarray, text: list[int], place: int) -> np.ndarray:
    """Gradient of the log-probability of the token in one place."""
    mask = [[int(k + 1 == place) for k in range(len(text) - 1)]]
    return response_scores(params, [text], mask)[0]


class Loop:
    """A run with leave-one-out advantages and the sum over tokens, one scalar at a time."""

    def __init__(self, trainer: SequenceTrainer) -> None:
        self.config = trainer.config
        self.params = trainer.state.params.copy()
        self.reference = self.params.copy()
        self.m, self.v = np.zeros(423), np.zeros(423)
        self.step = 0

    def update(self, number: int, rng: np.random.Generator) -> float:
        """One update; returns the mean reward."""
        config, size = self.config, self.config.group_size
        uniform = rng.random((config.max_tokens, 3 * size))
        texts = []
        for b in range(3 * size):
            prompt = [0, TASKS[b // size]]
            texts.append(prompt + sampled(self.params, prompt, uniform[:, b].tolist()))
        rewards = [reward(text[1], text[2:], config.cutoff_reward) for text in texts]
        old = [decoder_log_probs(self.params, [text])[0].tolist() for text in texts]
        ref = [decoder_log_probs(self.reference, [text])[0].tolist() for text in texts]
        shaped = [
            r - config.reward_kl_coef * sum(o[k] - q[k] for k in range(1, len(o)))
            for r, o, q in zip(rewards, old, ref, strict=True)
        ]
        for _ in range(config.epochs):
            gradient = np.zeros(423)
            for b, text in enumerate(texts):
                group = shaped[b // size * size : (b // size + 1) * size]
                advantage = shaped[b] - (sum(group) - shaped[b]) / (size - 1)
                gradient += self.response_gradient(text, old[b], ref[b], advantage) / len(texts)
            rate = config.learning_rate * (1 - number / config.num_updates)
            self.adam(gradient, rate)
        return sum(rewards) / len(rewards)

    def response_gradient(
        self, text: list[int], old: list[float], ref: list[float], advantage: float
    ) -> np.ndarray:
        """Of the sum over its tokens of clipped objective, weighted k3 and entropy."""
        config = self.config
        new = decoder_log_probs(self.params, [text])[0].tolist()
        gradient = np.zeros(423)
        for place in range(2, len(text)):
            r = exp(new[place - 1] - old[place - 1])
            outside = r > 1 + config.clip_epsilon if advantage > 0 else r < 1 - config.clip_epsilon
            slope = 0.0 if outside else advantage * r
            # w κ with w = r and κ = k3 has the slope r (κ + κ′) = −r ℓ in log π
            slope += config.loss_kl_coef * r * (ref[place - 1] - new[place - 1])
            gradient += slope * score(self.params, text, place)
            # ∇H = −Σ_a π(a) log π(a) ∇log π(a)
            for token, chance in enumerate(distribution(self.params, text[:place])):
                if config.entropy_coef:
                    one = score(self.params, [*text[:place], token], place)
                    gradient -= config.entropy_coef * chance * log(chance) * one
        return gradient

    def adam(self, gradient: np.ndarray, rate: float) -> None:
        """Ascent, after a clip of the norm."""
        if self.config.max_norm is not None:
            norm = sqrt(sum(g * g for g in gradient))
            gradient = gradient * min(1.0, self.config.max_norm / (norm + 1e-6))
        self.step += 1
        self.m = 0.9 * self.m + 0.1 * gradient
        self.v = 0.999 * self.v + 0.001 * gradient**2
        m, v = self.m / (1 - 0.9**self.step), self.v / (1 - 0.999**self.step)
        self.params = self.params + rate * m / (np.sqrt(v) + 1e-8)


OPTIONS: dict[str, dict[str, Any]] = {
    "the profile full": {},
    "KL in the reward, no entropy": {"reward_kl_coef": 0.05, "entropy_coef": 0.0},
    "KL in the loss, gradients as they are": {"loss_kl_coef": 0.1, "entropy_coef": 0.0, "max_norm": None},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_two_updates(options: dict[str, Any]) -> None:
    config = SequenceConfig(
        num_updates=5, group_size=3, max_tokens=4, epochs=2, cutoff_reward=0.3, learning_rate=0.05, **options
    )
    trainer = SequenceTrainer(config, rng=np.random.default_rng(3))
    loop = Loop(trainer)
    for number in range(2):
        loops_own = trainer.generator(number)
        (frame,) = trainer.advance()
        assert loop.update(number, loops_own) == pytest.approx(frame.reward, abs=1e-15)
        np.testing.assert_allclose(trainer.state.params, loop.params, rtol=0, atol=1e-11)
    assert np.abs(loop.params - loop.reference).max() > 0.05

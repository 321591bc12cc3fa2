"""Slopes of the sequence objective, and the trainer's gradient in all parameters, against differences.

The trainer's gradient is compared with a second way to the same number: token log-probabilities and
entropies from the decoder's public functions, then `sequence_objective`. Each option of the configuration
that enters the gradient is switched on in turn.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from policygrad import (
    SequenceConfig,
    SequenceObjective,
    decoder_log_probs,
    decoder_params,
    decoder_weights,
    entropy,
    gru_sequence,
    reduce_tokens,
    sequence_objective,
    softmax,
)
from policygrad.decoder_passes import read, weights_of
from policygrad.sequence_batch import Batch, sample_batch
from policygrad.sequence_trainer import objective_gradient

WIDTH = 1e-6
MASK = np.array([[1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0]])
LEVELS = ("token", "sequence", "length_normalized")
REDUCTIONS = ("token_mean", "sequence_mean", "sequence_sum", "constant_length")
KLS = tuple(product(("k1", "k2", "k3"), ("ratio", "none")))


def slopes_by_differences(options: dict[str, Any], seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The slopes that `sequence_objective` gives, and those of its value; ratios in and out of the clip."""
    rng = np.random.default_rng(seed)
    old = -rng.uniform(0.5, 3, size=MASK.shape)
    new = old + rng.choice([-0.6, -0.1, 0.1, 0.6], size=MASK.shape)
    ref = old + rng.normal(0, 0.5, size=MASK.shape)
    advantages = np.array([1.5, -2.0, -0.7, 1.0])

    def run(log_probs: np.ndarray) -> Any:
        return sequence_objective(
            log_probs, old, advantages, MASK, ref, clip_epsilon=0.2, max_length=6, **options
        )

    expected = np.zeros(MASK.shape)
    for place in np.ndindex(*MASK.shape):
        shift = np.zeros(MASK.shape)
        shift[place] = WIDTH
        expected[place] = (run(new + shift).objective - run(new - shift).objective) / (2 * WIDTH)
    return run(new).slopes, expected


@pytest.mark.parametrize(("level", "reduction"), list(product(LEVELS, REDUCTIONS)))
def test_slopes_of_the_surrogate(level: str, reduction: str) -> None:
    for seed in range(5):
        actual, expected = slopes_by_differences({"ratio_level": level, "reduction": reduction}, seed)
        np.testing.assert_allclose(actual, expected, atol=1e-8)


@pytest.mark.parametrize(("estimator", "weighting"), KLS)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_slopes_with_a_kl(estimator: str, weighting: str, reduction: str) -> None:
    options = {"kl_coef": 0.4, "kl_estimator": estimator, "kl_weighting": weighting, "reduction": reduction}
    actual, expected = slopes_by_differences(options, 1)
    np.testing.assert_allclose(actual, expected, atol=1e-8)


OPTIONS: dict[str, dict[str, Any]] = {
    "the profile full": {},
    "no entropy": {"entropy_coef": 0.0},
    "grpo": {"estimator": "grpo", "reduction": "sequence_mean", "ddof": 1},
    "grpo scaled by the batch": {"estimator": "grpo", "scale": "batch", "eps": 1e-4},
    "dr_grpo": {"estimator": "dr_grpo", "reduction": "constant_length"},
    "group_mean": {"estimator": "group_mean", "reduction": "token_mean"},
    "moving_average": {"estimator": "moving_average"},
    "two widths": {"clip_epsilon": 0.05, "clip_epsilon_high": 0.1},
    "ratios of responses": {"ratio_level": "sequence"},
    "length-normalised ratios": {"ratio_level": "length_normalized", "clip_epsilon": 0.03},
    "KL in the reward": {"reward_kl_coef": 0.1},
    **{
        f"KL in the loss: {estimator}, {weighting}": {
            "loss_kl_coef": 0.3,
            "kl_estimator": estimator,
            "kl_weighting": weighting,
        }
        for estimator, weighting in KLS
        if (estimator, weighting) != ("k1", "none")
    },
}


def mean_entropy(params: np.ndarray, batch: Batch, config: SequenceConfig) -> float:
    """Entropy of the policy at each sampled token, reduced as the tokens are; the long way round."""
    tokens = batch.sampled.tokens.T
    w = decoder_weights(params)
    gru = [w.input_weights, w.hidden_weights, w.input_bias, w.hidden_bias]
    states = gru_sequence(gru, w.embedding[tokens[:, :-1]], np.zeros((len(tokens), 6)))
    entropies = entropy(softmax(states @ w.output_weights.T + w.output_bias))[:, 1:]
    return reduce_tokens(entropies, batch.valid, reduction=config.reduction, max_length=config.max_tokens)


def objective(params: np.ndarray, batch: Batch, config: SequenceConfig) -> SequenceObjective:
    """What the trainer climbs, but for the entropy."""
    return sequence_objective(
        decoder_log_probs(params, batch.sampled.tokens.T)[:, 1:],
        batch.old_log_probs,
        batch.advantages[:, 0],
        batch.valid,
        batch.ref_log_probs,
        clip_epsilon=config.clip_epsilon,
        clip_epsilon_high=config.clip_epsilon_high,
        ratio_level=config.ratio_level,
        reduction=config.reduction,
        max_length=config.max_tokens,
        kl_coef=config.loss_kl_coef,
        kl_estimator=config.kl_estimator,
        kl_weighting=config.kl_weighting,
    )


def value(params: np.ndarray, batch: Batch, config: SequenceConfig) -> float:
    """The number that the trainer climbs."""
    return objective(params, batch, config).objective + config.entropy_coef * mean_entropy(
        params, batch, config
    )


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_the_trainer_s_gradient(options: dict[str, Any]) -> None:
    # A reward for being cut off, so that the first policy's responses differ in their rewards.
    config = SequenceConfig(group_size=6, max_tokens=5, cutoff_reward=0.4, **options)
    rng = np.random.default_rng(7)
    old, reference = decoder_params(rng=rng), decoder_params(rng=rng)
    batch = sample_batch(weights_of(old), weights_of(reference), np.full(3, 0.1), config, rng)
    params = old + 0.15 * rng.normal(size=423)
    assert (batch.advantages != 0).mean() > 0.5
    assert 0 < objective(params, batch, config).clipped_fraction < 1
    weights = weights_of(params)
    reading = read(weights, batch.sampled.tokens[:-1], first=1)
    actual = objective_gradient(weights, reading, batch, config)
    for place in range(0, 423, 7):
        shift = np.zeros(423)
        shift[place] = WIDTH
        expected = value(params + shift, batch, config) - value(params - shift, batch, config)
        assert actual[place] == pytest.approx(expected / (2 * WIDTH), abs=2e-8)
    direction = rng.normal(size=423)
    direction /= np.linalg.norm(direction)
    expected = value(params + WIDTH * direction, batch, config) - value(
        params - WIDTH * direction, batch, config
    )
    assert actual @ direction == pytest.approx(expected / (2 * WIDTH), abs=2e-8)

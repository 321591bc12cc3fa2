"""Every gradient of networks and of PPO's loss against differences of the numbers themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from policygrad import init_mlp, log_softmax, mlp, mlp_gradients, ppo_loss
from policygrad.descent import Proposal
from policygrad.networks import joined, split_like
from policygrad.ppo_batch import Batch
from policygrad.ppo_config import PPOConfig
from policygrad.ppo_update import Networks, proposals, seen_advantages, strengths

STEP = 1e-6


def differences(function: Callable[[np.ndarray], float], at: np.ndarray) -> np.ndarray:
    """Central differences in every entry."""
    slopes = np.empty(at.shape)
    for place in np.ndindex(*at.shape):
        shift = np.zeros(at.shape)
        shift[place] = STEP
        slopes[place] = (function(at + shift) - function(at - shift)) / (2 * STEP)
    return slopes


def agrees(actual: np.ndarray, function: Callable[[np.ndarray], float], at: np.ndarray) -> None:
    expected = differences(function, at)
    assert np.abs(expected).max() > 1e-6, "a gradient of zeros would show nothing"
    np.testing.assert_allclose(actual, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("sizes", [[3, 2], [3, 5, 2], [4, 6, 3, 1]])
def test_every_parameter_of_a_network(sizes: list[int]) -> None:
    rng = np.random.default_rng(len(sizes))
    network = init_mlp(sizes, gains=[1.3] * (len(sizes) - 1), rng=rng)
    network = tuple(array + 0.1 * rng.normal(size=array.shape) for array in network)
    inputs, weights = rng.normal(size=(7, sizes[0])), rng.normal(size=(7, sizes[-1]))

    def weighted_outputs(params: np.ndarray) -> float:
        return float((weights * mlp(split_like(params, network), inputs)).sum())

    agrees(joined(mlp_gradients(weights, network, inputs)), weighted_outputs, joined(network))


SETTINGS: dict[str, dict[str, Any]] = {
    "surrogate and critic": {},
    "entropy": {"entropy_coef": 0.3},
    "two widths": {"clip_epsilon": 0.1, "clip_epsilon_high": 0.3},
    "values clipped": {"value_coef": 1.0, "clips_values": True},
    "everything": {"entropy_coef": 0.1, "clip_epsilon_high": 0.3, "clips_values": True, "value_coef": 0.7},
}


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_ppo_loss_in_logits_and_values(settings: dict[str, Any]) -> None:
    rng = np.random.default_rng(5)
    size = 40
    options = {"clip_epsilon": 0.2, **settings}
    values = rng.normal(size=size)
    if options.pop("clips_values", False):
        options |= {"old_values": values + rng.normal(size=size), "value_clip": 0.4}
    logits = rng.normal(size=(size, 3))
    actions = rng.integers(3, size=size)
    old = log_softmax(logits)[np.arange(size), actions] + 0.4 * rng.normal(size=size)
    advantages, targets = rng.normal(size=size), rng.normal(size=size)

    def loss(z: np.ndarray, v: np.ndarray) -> float:
        return ppo_loss(z, actions, old, advantages, values=v, targets=targets, **options).loss

    result = ppo_loss(logits, actions, old, advantages, values=values, targets=targets, **options)
    agrees(result.logit_gradients, lambda z: loss(z, values), logits)
    agrees(result.value_gradients, lambda v: loss(logits, v), values)
    assert (result.logit_gradients == 0).all(axis=1).any() == (options.get("entropy_coef", 0) == 0)


def random_batch(networks: Networks, rng: np.random.Generator, size: int) -> Batch:
    """Samples whose stored policy and values are not the present ones, so that clips act."""
    observations = rng.normal(size=(size, 4))
    actions = rng.integers(2, size=size)
    log_probs = log_softmax(mlp(networks.policy, observations))[np.arange(size), actions]
    values = mlp(networks.value, observations)[:, 0]
    return Batch(
        observations=observations,
        actions=actions,
        old_log_probs=log_probs + 0.3 * rng.normal(size=size),
        old_values=values + 0.3 * rng.normal(size=size),
        advantages=rng.normal(size=size),
        targets=rng.normal(size=size),
    )


@pytest.mark.parametrize("normalization", ["none", "batch"])
@pytest.mark.parametrize("value_clip", [None, 0.2])
def test_the_trainers_gradient_in_all_parameters(normalization: str, value_clip: float | None) -> None:
    """Through both networks, on a minibatch: what `descend` is given is the gradient of `ppo_loss`."""
    rng = np.random.default_rng(11)
    networks = Networks(
        init_mlp([4, 5, 2], gains=[1.4, 1.0], rng=rng), init_mlp([4, 5, 1], gains=[1.4, 1.0], rng=rng)
    )
    config = PPOConfig(
        entropy_coef=0.05, value_clip=value_clip, advantage_normalization=normalization, value_coef=0.6
    )
    batch = random_batch(networks, rng, 30)
    chosen = rng.permutation(30)[:20]
    advantages = seen_advantages(batch, config)[chosen]

    def loss(params: np.ndarray) -> float:
        current = networks.at(params)
        return ppo_loss(
            mlp(current.policy, batch.observations[chosen]),
            batch.actions[chosen],
            batch.old_log_probs[chosen],
            advantages,
            values=mlp(current.value, batch.observations[chosen])[:, 0],
            targets=batch.targets[chosen],
            old_values=None if value_clip is None else batch.old_values[chosen],
            value_clip=value_clip,
            clip_epsilon=config.clip_epsilon,
            value_coef=config.value_coef,
            entropy_coef=config.entropy_coef,
        ).loss

    params = networks.joined()
    proposal: Proposal = proposals(networks, batch, config, strengths(config, 0))(params, chosen)
    agrees(proposal.gradient, loss, params)

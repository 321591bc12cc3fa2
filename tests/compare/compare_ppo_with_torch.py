"""Networks, PPO's loss and whole updates beside PyTorch, in float64: values and gradients to 1e-10.

PyTorch differentiates by itself here; the core's gradients are written out by hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from policygrad import (
    CartPole,
    PPOConfig,
    adam_update,
    clip_by_global_norm,
    init_mlp,
    log_softmax,
    mlp,
    mlp_gradients,
    ppo_loss,
)
from policygrad.descent import descend, fresh_adam
from policygrad.networks import joined
from policygrad.ppo_batch import Batch, make_batch
from policygrad.ppo_rollout import collect_rollout
from policygrad.ppo_update import Networks, proposals, strengths
from policygrad.running_moments import no_moments

WITHIN = 1e-10


def close(ours: Any, theirs: torch.Tensor) -> None:
    np.testing.assert_allclose(ours, theirs.detach().numpy(), rtol=0, atol=WITHIN)


def module_of(network: tuple[np.ndarray, ...]) -> torch.nn.Sequential:
    """The same network as PyTorch builds it: `Linear` and `Tanh` in turn."""
    layers: list[torch.nn.Module] = []
    for i in range(0, len(network), 2):
        outputs, inputs = network[i].shape
        linear = torch.nn.Linear(inputs, outputs, dtype=torch.float64)
        linear.weight.data = torch.tensor(network[i])
        linear.bias.data = torch.tensor(network[i + 1])
        layers += [linear, torch.nn.Tanh()]
    return torch.nn.Sequential(*layers[:-1])


def network_of(sizes: list[int], seed: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    network = init_mlp(sizes, gains=[2**0.5] * (len(sizes) - 2) + [0.5], rng=rng)
    return tuple(array + 0.1 * rng.normal(size=array.shape) for array in network)


@pytest.mark.parametrize("sizes", [[4, 2], [4, 32, 2], [4, 64, 64, 1], [3, 7, 5, 6, 2]])
def test_networks(sizes: list[int]) -> None:
    rng = np.random.default_rng(1)
    network = network_of(sizes, 0)
    module = module_of(network)
    inputs, weights = rng.normal(size=(100, sizes[0])), rng.normal(size=(100, sizes[-1]))
    outputs = module(torch.tensor(inputs))
    close(mlp(network, inputs), outputs)
    (outputs * torch.tensor(weights)).sum().backward()
    for ours, parameter in zip(mlp_gradients(weights, network, inputs), module.parameters(), strict=True):
        close(ours, parameter.grad)


def torch_loss(
    logits: torch.Tensor, values: torch.Tensor, batch: Batch, config: PPOConfig, advantages: torch.Tensor
) -> dict[str, torch.Tensor]:
    """PPO's loss as programs on PyTorch write it."""
    policy = torch.distributions.Categorical(logits=logits)
    ratios = (policy.log_prob(torch.tensor(batch.actions)) - torch.tensor(batch.old_log_probs)).exp()
    high = config.clip_epsilon if config.clip_epsilon_high is None else config.clip_epsilon_high
    clipped = ratios.clamp(1 - config.clip_epsilon, 1 + high)
    objective = torch.minimum(ratios * advantages, clipped * advantages).mean()
    targets, old_values = torch.tensor(batch.targets), torch.tensor(batch.old_values)
    errors = (values - targets).square()
    if config.value_clip is not None:
        moved = old_values + (values - old_values).clamp(-config.value_clip, config.value_clip)
        errors = torch.maximum(errors, (moved - targets).square())
    critic, spread = 0.5 * errors.mean(), policy.entropy().mean()
    loss = -objective + config.value_coef * critic - config.entropy_coef * spread
    return {"loss": loss, "clipped_objective": objective, "value_loss": critic, "entropy": spread}


SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "entropy": {"entropy_coef": 0.1},
    "two widths": {"clip_epsilon": 0.1, "clip_epsilon_high": 0.28},
    "values clipped": {"value_clip": 0.3},
    "everything": {"entropy_coef": 0.01, "clip_epsilon_high": 0.3, "value_clip": 0.2, "value_coef": 1.0},
}
each_setting = pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)


def batch_of(size: int) -> Batch:
    rng = np.random.default_rng(2)
    return Batch(
        observations=rng.normal(size=(size, 4)),
        actions=rng.integers(2, size=size),
        old_log_probs=np.log(rng.uniform(0.2, 0.9, size=size)),
        old_values=rng.normal(size=size),
        advantages=rng.normal(size=size),
        targets=rng.normal(size=size),
    )


@each_setting
def test_ppo_loss(settings: dict[str, Any]) -> None:
    rng = np.random.default_rng(3)
    config, batch = PPOConfig(**settings), batch_of(200)
    logits = torch.tensor(rng.normal(size=(200, 2)), requires_grad=True)
    values = torch.tensor(rng.normal(size=200), requires_grad=True)
    theirs = torch_loss(logits, values, batch, config, torch.tensor(batch.advantages))
    theirs["loss"].backward()
    ours = ppo_loss(
        logits.detach().numpy(),
        batch.actions,
        batch.old_log_probs,
        batch.advantages,
        values=values.detach().numpy(),
        targets=batch.targets,
        old_values=None if config.value_clip is None else batch.old_values,
        value_clip=config.value_clip,
        clip_epsilon=config.clip_epsilon,
        clip_epsilon_high=config.clip_epsilon_high,
        value_coef=config.value_coef,
        entropy_coef=config.entropy_coef,
    )
    for name, value in theirs.items():
        close(getattr(ours, name), value)
    close(ours.logit_gradients, logits.grad)
    close(ours.value_gradients, values.grad)


def test_adam_and_the_norm() -> None:
    rng = np.random.default_rng(4)
    start, gradients = rng.normal(size=50), 3 * rng.normal(size=(20, 50))
    parameter = torch.nn.Parameter(torch.tensor(start))
    optimizer = torch.optim.Adam([parameter], lr=0.01, eps=1e-5)
    params, mean, mean_square = start, np.zeros(50), np.zeros(50)
    for step, gradient in enumerate(gradients, start=1):
        parameter.grad = torch.tensor(gradient)
        norm = torch.nn.utils.clip_grad_norm_([parameter], 0.5)
        optimizer.step()
        clipped = clip_by_global_norm([gradient], max_norm=0.5)
        close(clipped.norm, norm)
        update = adam_update(
            params, clipped.gradients[0], mean, mean_square, step=step, learning_rate=0.01, eps=1e-5
        )
        params, mean, mean_square = update.params, update.mean, update.mean_square
    close(params, parameter)


@each_setting
def test_a_whole_update_of_both_networks(settings: dict[str, Any]) -> None:
    """Real steps of CartPole, the same minibatches: after 24 optimiser steps all parameters agree."""
    config = PPOConfig(advantage_normalization="minibatch", learning_rate=3e-3, **settings)
    networks = Networks(network_of([4, 32, 2], 5), network_of([4, 32, 1], 6))
    rng = np.random.default_rng(7)
    rollout = collect_rollout(CartPole(8, rng=rng), networks.policy, no_moments(4), num_steps=64, rng=rng)
    batch = make_batch(rollout, rollout.rewards, networks.value, gamma=0.98, gae_lambda=0.95)
    minibatches = [piece for _ in range(3) for piece in np.split(rng.permutation(512), 8)]
    result = descend(
        fresh_adam(networks.joined()),
        minibatches,
        proposals(networks, batch, config, strengths(config, 0)),
        learning_rate=config.learning_rate,
        adam_eps=config.adam_eps,
        max_norm=config.max_norm,
        target_kl=None,
    )
    policy, value = module_of(networks.policy), module_of(networks.value)
    parameters = [*policy.parameters(), *value.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=config.learning_rate, eps=config.adam_eps)
    for chosen in minibatches:
        part = Batch(*(getattr(batch, name)[chosen] for name in Batch.__slots__))
        advantages = torch.tensor(part.advantages)
        advantages = (advantages - advantages.mean()) / (advantages.std(correction=0) + 1e-8)
        observations = torch.tensor(part.observations)
        loss = torch_loss(policy(observations), value(observations)[:, 0], part, config, advantages)["loss"]
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, config.max_norm)
        optimizer.step()
    theirs = joined([parameter.detach().numpy() for parameter in parameters])
    assert np.abs(theirs - networks.joined()).max() > 0.01  # it did move
    np.testing.assert_allclose(result.state.params, theirs, rtol=0, atol=WITHIN)


def test_log_softmax() -> None:
    logits = 30 * np.random.default_rng(8).normal(size=(50, 6))
    close(log_softmax(logits), torch.log_softmax(torch.tensor(logits), dim=-1))

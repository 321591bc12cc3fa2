"""GRU, decoder and whole updates on responses beside PyTorch, in float64: values and gradients to 1e-10.

PyTorch differentiates by itself here; the core's gradients are written out by hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from policygrad import (
    SequenceConfig,
    SequenceTrainer,
    decoder_log_probs,
    decoder_params,
    decoder_weights,
    gru_cell,
    gru_sequence,
    gru_sequence_gradients,
    response_mask,
    response_scores,
)
from policygrad.decoder_passes import weights_of
from policygrad.sequence_batch import Batch, sample_batch

WITHIN = 1e-10


def close(ours: Any, theirs: Tensor) -> None:
    np.testing.assert_allclose(ours, theirs.detach().numpy(), rtol=0, atol=WITHIN)


def torch_gru(network: list[np.ndarray]) -> torch.nn.GRU:
    """`torch.nn.GRU` with the same four arrays."""
    module = torch.nn.GRU(network[0].shape[1], network[1].shape[1], batch_first=True, dtype=torch.float64)
    for parameter, array in zip(module.parameters(), network, strict=True):
        parameter.data = torch.tensor(array)
    return module


def random_network(inputs: int, hidden: int, seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    shapes = [(3 * hidden, inputs), (3 * hidden, hidden), (3 * hidden,), (3 * hidden,)]
    return [rng.normal(size=shape) for shape in shapes]


@pytest.mark.parametrize(("batch", "length", "inputs", "hidden"), [(1, 1, 1, 1), (5, 9, 3, 7), (40, 6, 8, 6)])
def test_gru(batch: int, length: int, inputs: int, hidden: int) -> None:
    rng = np.random.default_rng(1)
    network = random_network(inputs, hidden, 0)
    module = torch_gru(network)
    x, h = rng.normal(size=(batch, length, inputs)), rng.normal(size=(batch, hidden))
    weights = rng.normal(size=(batch, length, hidden))
    theirs_x, theirs_h = torch.tensor(x, requires_grad=True), torch.tensor(h[np.newaxis], requires_grad=True)
    states, _ = module(theirs_x, theirs_h)
    close(gru_sequence(network, x, h), states)
    (states * torch.tensor(weights)).sum().backward()
    ours = gru_sequence_gradients(weights, network, x, h)
    close(ours.inputs, theirs_x.grad)
    close(ours.hidden, theirs_h.grad[0])
    for gradient, parameter in zip(ours.parameters, module.parameters(), strict=True):
        close(gradient, parameter.grad)


def test_gru_cell() -> None:
    rng = np.random.default_rng(2)
    network = random_network(8, 6, 3)
    cell = torch.nn.GRUCell(8, 6, dtype=torch.float64)
    for parameter, array in zip(cell.parameters(), network, strict=True):
        parameter.data = torch.tensor(array)
    x, h = rng.normal(size=(50, 8)), rng.normal(size=(50, 6))
    close(gru_cell(network, x, h), cell(torch.tensor(x), torch.tensor(h)))


class Decoder(torch.nn.Module):
    """The decoder as PyTorch has it: an embedding, a GRU and a linear layer."""

    def __init__(self, params: np.ndarray) -> None:
        super().__init__()
        self.embedding = torch.nn.Embedding(9, 8)
        self.gru = torch.nn.GRU(8, 6, batch_first=True)
        self.output = torch.nn.Linear(6, 9)
        self.double()
        for parameter, array in zip(self.parameters(), decoder_weights(params), strict=True):
            parameter.data = torch.tensor(array)

    def every_log_prob(self, tokens: Tensor) -> Tensor:
        """(B, L − 1, 9) of all tokens that could follow."""
        states, _ = self.gru(self.embedding(tokens[:, :-1]))
        return torch.log_softmax(self.output(states), dim=-1)

    def log_probs(self, tokens: Tensor) -> Tensor:
        """(B, L − 1) of the tokens that did."""
        return self.every_log_prob(tokens).gather(2, tokens[:, 1:, None])[:, :, 0]

    def vector(self) -> Tensor:
        """All parameters in the order of the core's vector."""
        return torch.cat([parameter.reshape(-1) for parameter in self.parameters()])

    def gradient(self) -> Tensor:
        """Their gradients."""
        return torch.cat([parameter.grad.reshape(-1) for parameter in self.parameters()])


@pytest.mark.parametrize("seed", range(3))
def test_decoder(seed: int) -> None:
    rng = np.random.default_rng(seed)
    params = 2 * decoder_params(rng=rng)
    decoder = Decoder(params)
    assert sum(parameter.numel() for parameter in decoder.parameters()) == 423
    tokens = rng.integers(9, size=(12, 8))
    mask = response_mask(tokens, [2] * 12, eos_id=0, pad_id=0, lengths=rng.integers(2, 9, size=12))[:, 1:]
    log_probs = decoder.log_probs(torch.tensor(tokens))
    close(decoder_log_probs(params, tokens), log_probs)
    scores = response_scores(params, tokens, mask)
    for b in range(12):
        decoder.zero_grad()
        (log_probs[b] * torch.tensor(mask[b])).sum().backward(retain_graph=True)
        close(scores[b], decoder.gradient())


OPTIONS: dict[str, dict[str, Any]] = {
    "RLOO": {},
    "GRPO": {
        "estimator": "grpo",
        "ddof": 1,
        "eps": 1e-4,
        "reduction": "sequence_mean",
        "loss_kl_coef": 0.1,
        "kl_weighting": "none",
    },
    "Dr. GRPO": {"estimator": "dr_grpo", "reduction": "constant_length", "clip_epsilon_high": 0.28},
    "one ratio per response, KL in the reward": {"ratio_level": "sequence", "reward_kl_coef": 0.05},
    "GSPO": {"estimator": "grpo", "ratio_level": "length_normalized", "clip_epsilon": 0.01},
    "weighted k3 in the loss": {"loss_kl_coef": 0.1, "reduction": "token_mean"},
    "weighted k1 in the loss": {"loss_kl_coef": 0.1, "kl_estimator": "k1"},
}


def torch_advantages(rewards: Tensor, config: SequenceConfig) -> Tensor:
    """(3, G) → (B, 1), as libraries write them."""
    centred = rewards - rewards.mean(1, keepdim=True)
    if config.estimator == "rloo":
        others = (rewards.sum(1, keepdim=True) - rewards) / (config.group_size - 1)
        centred = rewards - others
    if config.estimator == "grpo":
        centred = centred / (rewards.std(1, keepdim=True, correction=config.ddof) + config.eps)
    return centred.reshape(-1, 1)


def torch_loss(decoder: Decoder, batch: Batch, config: SequenceConfig, advantages: Tensor) -> Tensor:
    """Minus the objective, as programs on PyTorch write it."""
    tokens, mask = torch.tensor(batch.sampled.tokens.T.copy()), torch.tensor(batch.valid).double()
    old, ref = torch.tensor(batch.old_log_probs.copy()), torch.tensor(batch.ref_log_probs.copy())
    every = decoder.every_log_prob(tokens)[:, 1:]
    log_probs = every.gather(2, tokens[:, 2:, None])[:, :, 0]
    high = config.clip_epsilon if config.clip_epsilon_high is None else config.clip_epsilon_high

    def reduced(values: Tensor) -> Tensor:
        by_response = (values * mask).sum(1)
        return {
            "token_mean": by_response.sum() / mask.sum(),
            "sequence_mean": (by_response / mask.sum(1)).mean(),
            "sequence_sum": by_response.mean(),
            "constant_length": by_response.mean() / config.max_tokens,
        }[config.reduction]

    token_ratios = (log_probs - old).exp()
    summed = ((log_probs - old) * mask).sum(1, keepdim=True)
    ratios = {
        "token": token_ratios,
        "sequence": summed.exp(),
        "length_normalized": (summed / mask.sum(1, keepdim=True)).exp(),
    }[config.ratio_level]
    terms = torch.minimum(ratios * advantages, ratios.clamp(1 - config.clip_epsilon, 1 + high) * advantages)
    surrogate = reduced(terms) if config.ratio_level == "token" else terms.mean()
    ell = ref - log_probs
    estimate = {"k1": -ell, "k2": ell**2 / 2, "k3": ell.exp() - 1 - ell}[config.kl_estimator]
    if config.kl_weighting == "ratio":
        estimate = token_ratios * estimate
    entropies = -(every.exp() * every).sum(-1)
    return config.loss_kl_coef * reduced(estimate) - surrogate - config.entropy_coef * reduced(entropies)


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_whole_updates(options: dict[str, Any]) -> None:
    """Five updates of the trainer, each batch given to PyTorch's autograd, clip of the norm and Adam."""
    config = SequenceConfig(num_updates=20, group_size=8, max_tokens=6, cutoff_reward=0.4, **options)
    trainer = SequenceTrainer(config, rng=np.random.default_rng(6))
    reference = weights_of(trainer.state.params)
    decoder = Decoder(trainer.state.params)
    parameters = list(decoder.parameters())
    optimizer = torch.optim.Adam(parameters)
    for update in range(5):
        optimizer.param_groups[0]["lr"] = config.learning_rate * (1 - update / config.num_updates)
        weights = weights_of(trainer.state.params)
        batch = sample_batch(weights, reference, np.zeros(3), config, trainer.generator(update))
        kl = ((batch.old_log_probs - batch.ref_log_probs) * batch.valid).sum(axis=1)
        rewards = torch.tensor(batch.rewards - config.reward_kl_coef * kl)
        advantages = torch_advantages(rewards.reshape(3, -1), config)
        norms = []
        for _ in range(config.epochs):
            optimizer.zero_grad()
            torch_loss(decoder, batch, config, advantages).backward()
            norms.append(float(torch.nn.utils.clip_grad_norm_(parameters, config.max_norm)))
            optimizer.step()
        (frame,) = trainer.advance()
        close(trainer.state.params, decoder.vector())
        assert frame.gradient_norm == pytest.approx(np.mean(norms), abs=WITHIN)

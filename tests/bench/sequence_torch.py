"""The sequence trainer as a small PyTorch program: `python sequence_torch.py SEED` prints one line of JSON.

The same decoder (`Embedding`, `GRU`, `Linear`: 423 parameters), tasks, groups, advantages, clipped epochs,
entropy bonus, clip of the gradient's norm and Adam, as one writes them with PyTorch, in float32; without the
diagnostics that the project's trainer computes in every update. Runs in `.venv-compare`.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import log_softmax

from policygrad import SequenceConfig, verify_responses

END, TASKS, PROMPT = 0, (1, 2, 3), 2
CONFIG = SequenceConfig.profile("full")
UPDATES_IN_MEAN = 20


class Decoder(nn.Module):
    """Logits of the next token after each token."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(9, 8)
        self.gru = nn.GRU(8, 6, batch_first=True)
        self.output = nn.Linear(6, 9)

    def forward(self, tokens: Tensor, hidden: Tensor | None = None) -> tuple[Tensor, Tensor]:
        states, last = self.gru(self.embedding(tokens), hidden)
        return self.output(states), last


@torch.no_grad()
def sample(decoder: Decoder, prompts: Tensor) -> tuple[Tensor, Tensor]:
    """Tokens (B, L) and lengths; one step of the GRU per token, each with the state of the one before."""
    tokens, hidden, current = [prompts], None, prompts
    finished = torch.zeros(len(prompts), dtype=torch.bool)
    lengths = torch.full((len(prompts),), PROMPT)
    for _ in range(CONFIG.max_tokens):
        logits, hidden = decoder(current, hidden)
        current = torch.multinomial(logits[:, -1].softmax(-1), 1)
        current[finished] = END
        lengths += ~finished
        tokens.append(current)
        finished |= current[:, 0] == END
        if finished.all():
            break
    return torch.cat(tokens, dim=1), lengths


def log_probs_of(decoder: Decoder, tokens: Tensor) -> tuple[Tensor, Tensor]:
    """Of the response's tokens, (B, K), and of all tokens in their place, (B, K, 9)."""
    logits, _ = decoder(tokens[:, :-1])
    every = log_softmax(logits[:, PROMPT - 1 :], dim=-1)
    return every.gather(2, tokens[:, PROMPT:, None])[:, :, 0], every


def train(seed: int) -> dict[str, float]:
    """A whole run of the profile `full`."""
    torch.manual_seed(seed)
    start = time.perf_counter()
    decoder = Decoder()
    parameters = list(decoder.parameters())
    optimizer = torch.optim.Adam(parameters, lr=CONFIG.learning_rate)
    prompts = torch.tensor([[END, task] for task in TASKS]).repeat_interleave(CONFIG.group_size, dim=0)
    count, rewards_seen = 0, []
    for update in range(CONFIG.num_updates):
        for group in optimizer.param_groups:
            group["lr"] = CONFIG.learning_rate * (1 - update / CONFIG.num_updates)
        tokens, lengths = sample(decoder, prompts)
        count += int((lengths - PROMPT).sum())
        rewards = torch.from_numpy(verify_responses(tokens.numpy(), lengths.numpy())).float()
        rewards_seen.append(float(rewards.mean()))
        groups = rewards.view(len(TASKS), -1)
        size = CONFIG.group_size
        advantages = ((groups - groups.mean(1, keepdim=True)) * size / (size - 1)).view(-1, 1)
        mask = (torch.arange(PROMPT, tokens.shape[1]) < lengths[:, None]).float()
        with torch.no_grad():
            old_log_probs, _ = log_probs_of(decoder, tokens)
        for _ in range(CONFIG.epochs):
            log_probs, every = log_probs_of(decoder, tokens)
            ratios = (log_probs - old_log_probs).exp()
            clipped = ratios.clamp(1 - CONFIG.clip_epsilon, 1 + CONFIG.clip_epsilon)
            terms = torch.minimum(ratios * advantages, clipped * advantages)
            entropies = -(every.exp() * every).sum(-1)
            loss = -((terms + CONFIG.entropy_coef * entropies) * mask).sum() / len(tokens)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, CONFIG.max_norm)
            optimizer.step()
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "tokens": count, "reward": float(np.mean(rewards_seen[-UPDATES_IN_MEAN:]))}


if __name__ == "__main__":
    torch.set_num_threads(1)
    assert sum(p.numel() for p in Decoder().parameters()) == 423
    print(json.dumps({**train(int(sys.argv[1])), "versions": {"torch": torch.__version__}}))

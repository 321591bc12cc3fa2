"""What one update of the sequence trainer reports: how the policy writes, and what the update did to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .rloo import clip_shares, term_ratios
from .sequence_policy import PROMPT_LENGTH, TASKS, response_text
from .surrogate import kl_k3

if TYPE_CHECKING:
    from ._checks import Array, Mask
    from .sequence_batch import Batch
    from .sequence_config import SequenceConfig


@dataclass(frozen=True, slots=True)
class SequenceExample:
    """One response of the batch in words."""

    prompt: str
    """Its two tokens."""
    response: str
    """Its tokens, END with them if the policy sampled it."""
    ended: bool
    """Whether it did; otherwise the response was cut off."""
    reward: float
    """What the verifier gave it."""


@dataclass(frozen=True, slots=True)
class SequenceFrame:
    """The state of a run at one update. Plain values only, so that it is JSON as it is.

    Rewards, lengths, entropy and the KL to the reference are those of the policy that sampled the batch;
    ratios are those that the update left behind.
    """

    update: int
    """Number of this update, from 1."""
    tokens: int
    """Tokens sampled so far."""
    reward: float
    """Mean reward of the batch, of 1 at most; actions sampled, the KL not taken off."""
    task_rewards: tuple[float, ...]
    """The same for each of the three tasks: same, mirror, rise."""
    right_share: float
    """Share of responses with reward 1."""
    length: float
    """Mean number of tokens of a response, a sampled END with them."""
    eos_share: float
    """Share of responses that the policy ended itself."""
    entropy: float
    """Mean entropy of the next token at all sampled tokens, in nats; log 9 = 2.197 at most."""
    kl_reference: float
    """D_KL(π‖π_ref) of whole responses, in nats: exact at each token, summed along a response."""
    informative_share: float
    """Share of the groups whose rewards are not all equal; the others have nothing to teach."""
    outside_fraction: float
    """Share of the ratios outside the clip interval after the update."""
    clipped_fraction: float
    """Share of them whose clipped branch is the minimum after the update; at most the one above."""
    kl: float
    """Mean of (r − 1) − log r over tokens after the update, an estimate of D_KL(π_old‖π_new) in nats."""
    gradient_norm: float
    """Mean norm of the gradient before its clip, over the update's steps."""
    learning_rate: float
    """As it was in this update."""
    examples: tuple[SequenceExample, ...]
    """The first response to each prompt."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What only the trainer knows."""

    update: int
    """Number of this update."""
    tokens: int
    """Sampled before it."""
    gradient_norms: list[float]
    """One per step."""
    learning_rate: float
    """Of this update."""


def frame_of(batch: Batch, log_ratios: Array, progress: Progress, config: SequenceConfig) -> SequenceFrame:
    """The frame of a batch, from the log-ratios (B, K) that the update left, 0 outside the mask."""
    valid = batch.valid
    sampled = batch.sampled
    groups = batch.rewards.reshape(len(TASKS), -1)
    outside, clipped = clip_shares(
        term_ratios(log_ratios, batch.terms),
        batch.advantages,
        batch.terms,
        clip_epsilon=config.clip_epsilon,
        clip_epsilon_high=config.clip_epsilon_high,
    )
    log_probs = sampled.reading.log_probs  # (K, V, B)
    probs = np.exp(log_probs)
    entropies = -(probs * log_probs).sum(axis=1).T
    divergences = (probs * (log_probs - batch.ref_reading.log_probs)).sum(axis=1).T
    count = int(valid.sum())
    return SequenceFrame(
        update=progress.update,
        tokens=progress.tokens + count,
        reward=float(batch.rewards.mean()),
        task_rewards=tuple(groups.mean(axis=1).tolist()),
        right_share=float((batch.rewards == 1).mean()),
        length=count / len(valid),
        eos_share=float(sampled.ended.mean()),
        entropy=_sum(entropies, valid) / count,
        kl_reference=max(_sum(divergences, valid) / len(valid), 0.0),
        informative_share=float((groups.min(axis=1) < groups.max(axis=1)).mean()),
        outside_fraction=outside,
        clipped_fraction=clipped,
        kl=float(np.mean(kl_k3(log_ratios[valid]))),
        gradient_norm=float(np.mean(progress.gradient_norms)),
        learning_rate=progress.learning_rate,
        examples=tuple(_example(batch, b * config.group_size) for b in range(len(TASKS))),
    )


def _sum(values: Array, valid: Mask) -> float:
    return float(values.sum(where=valid))


def _example(batch: Batch, b: int) -> SequenceExample:
    tokens = batch.sampled.tokens[: batch.sampled.lengths[b], b]
    return SequenceExample(
        prompt=response_text(tokens[:PROMPT_LENGTH]),
        response=response_text(tokens[PROMPT_LENGTH:]),
        ended=bool(batch.sampled.ended[b]),
        reward=float(batch.rewards[b]),
    )

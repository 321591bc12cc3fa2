"""One batch of responses as the sequence trainer keeps it: what is frozen while the policy moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .baselines import moving_average_advantages
from .decoder_passes import chosen_log_probs, read
from .rloo import Penalty, Terms, group_advantages, terms_of
from .sequence_policy import END, PROMPT_LENGTH, TASKS, draw, rewards_of
from .sequences import response_mask
from .surrogate import clip_bounds
from .token_losses import kl_in_reward, reduction_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._checks import Array, Mask
    from .decoder_passes import DecoderWeights, Reading
    from .sequence_config import SequenceConfig
    from .sequence_policy import Draw


@dataclass(frozen=True, slots=True)
class Batch:
    """B responses, those to one prompt next to each other, and K columns: the longest response."""

    sampled: Draw
    """The responses, the batch last, and the reading that they were sampled from."""
    ref_reading: Reading
    """The same tokens as the reference policy reads them."""
    responses: NDArray[np.intp]
    """(K, B) sampled tokens, and END after the end."""
    valid: Mask
    """(B, K) which of them were sampled."""
    old_log_probs: Array
    """(B, K) of the policy that sampled them; frozen."""
    ref_log_probs: Array
    """(B, K) of the reference policy."""
    rewards: Array
    """(B,) of the verifier, before any KL."""
    advantages: Array
    """(B, 1) constants."""
    baselines: Array
    """(3,) moving average of each prompt's rewards, this batch included; 0 unless that is the baseline."""
    terms: Terms
    """Of the surrogate."""
    penalty: Penalty
    """Of the KL in the objective."""


def sample_batch(
    weights: DecoderWeights,
    ref_weights: DecoderWeights,
    baselines: Array,
    config: SequenceConfig,
    rng: np.random.Generator,
) -> Batch:
    """Sample `group_size` responses to each prompt, and compute all that stays as it is from then on."""
    prompts = np.repeat([[END] * len(TASKS), TASKS], config.group_size, axis=1)  # (2, B)
    sampled = draw(weights, prompts, max_tokens=config.max_tokens, rng=rng)
    responses = sampled.tokens[PROMPT_LENGTH:]
    ref_reading = read(ref_weights, sampled.tokens[:-1], first=PROMPT_LENGTH - 1)
    mask = response_mask(
        sampled.tokens.T,
        np.full(prompts.shape[1], PROMPT_LENGTH),
        eos_id=END,
        pad_id=END,
        lengths=sampled.lengths,
    )
    valid = mask[:, PROMPT_LENGTH:] == 1
    old_log_probs = chosen_log_probs(sampled.reading, responses).T
    ref_log_probs = chosen_log_probs(ref_reading, responses).T
    rewards = rewards_of(sampled.tokens, sampled.lengths, config.cutoff_reward)
    shaped = rewards
    if config.reward_kl_coef > 0:
        shaped = kl_in_reward(rewards, old_log_probs, ref_log_probs, valid, kl_coef=config.reward_kl_coef)
    advantages, baselines = _advantages(shaped.reshape(len(TASKS), -1), baselines, config)
    bounds = clip_bounds(clip_epsilon=config.clip_epsilon, clip_epsilon_high=config.clip_epsilon_high)
    token_weights = reduction_weights(valid, config.reduction, config.max_tokens)
    return Batch(
        sampled=sampled,
        ref_reading=ref_reading,
        responses=responses,
        valid=valid,
        old_log_probs=old_log_probs,
        ref_log_probs=ref_log_probs,
        rewards=rewards,
        advantages=advantages.reshape(-1, 1),
        baselines=baselines,
        terms=terms_of(valid, token_weights, config.ratio_level, bounds),
        penalty=Penalty(token_weights, config.kl_estimator, config.kl_weighting),
    )


def _advantages(rewards: Array, baselines: Array, config: SequenceConfig) -> tuple[Array, Array]:
    """Advantages of (3, G) rewards, a row per prompt, and the baselines that the next batch begins with."""
    if config.estimator != "moving_average":
        return group_advantages(
            rewards, estimator=config.estimator, ddof=config.ddof, eps=config.eps, scale=config.scale
        ), baselines
    after = [
        moving_average_advantages([row.mean()], decay=config.baseline_decay, baseline=b).baselines[-1]
        for row, b in zip(rewards, baselines, strict=True)
    ]
    return rewards - baselines[:, np.newaxis], np.array(after)

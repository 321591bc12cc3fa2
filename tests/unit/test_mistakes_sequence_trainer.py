"""Mistakes that published programs contain, where a trainer of whole responses could make them.

Each test reaches the right value and shows the value that the mistake leads to, which it must not reach.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from expecting import close, right_not

from policygrad import (
    SequenceConfig,
    SequenceTrainer,
    decoder_log_probs,
    decoder_params,
    group_advantages,
    kl_in_reward,
    moving_average_advantages,
    response_scores,
    sample_responses,
    sequence_objective,
    token_rewards,
)
from policygrad.decoder_passes import weights_of
from policygrad.sequence_batch import Batch, sample_batch

PARAMS = decoder_params(rng=np.random.default_rng(0))


def batch_of(**settings: Any) -> Batch:
    config = SequenceConfig(group_size=20, max_tokens=6, **settings)
    weights = weights_of(PARAMS)
    return sample_batch(weights, weights, np.zeros(3), config, np.random.default_rng(1))


def kl_of(losses: Any, mask: Any, **options: Any) -> float:
    """The KL part of an objective whose k1 estimates are the given losses: log π = 0, log π_ref = −loss."""
    zeros = np.zeros(np.shape(losses))
    return sequence_objective(
        zeros,
        zeros,
        np.zeros(len(zeros)),
        mask,
        -np.asarray(losses),
        clip_epsilon=0.2,
        kl_estimator="k1",
        kl_weighting="none",
        **options,
    ).kl


def test_a_sampled_end_is_trained_although_padding_has_its_id() -> None:
    batch = batch_of()
    counts = batch.valid.sum(axis=1)
    not_padding = (batch.sampled.tokens[2:].T != 0).sum(axis=1)
    right_not(counts, right=not_padding + batch.sampled.ended, mistake=not_padding)
    # END's logit is pushed by the responses that ended: its output bias has a part of the score of its own.
    ended = int(np.flatnonzero(batch.sampled.ended)[0])
    tokens, mask = batch.sampled.tokens.T[[ended]], batch.valid[[ended]].astype(int)
    with_end = response_scores(PARAMS, tokens, np.insert(mask, 0, 0, axis=1))
    without = mask.copy()
    without[0, mask.sum() - 1] = 0
    assert not np.allclose(with_end, response_scores(PARAMS, tokens, np.insert(without, 0, 0, axis=1)))


def test_a_token_is_scored_by_what_came_before_it() -> None:
    # Read in its own column, a token would be scored after having been read.
    tokens = np.array([[0, 1, 4, 6, 0]])
    shifted = decoder_log_probs(PARAMS, np.insert(tokens, 5, 0, axis=1))[:, 1:]
    right_not(
        decoder_log_probs(PARAMS, tokens)[0, 2],
        right=np.log(_chance(tokens[0, :3], 6)),
        mistake=shifted[0, 2],
    )


def _chance(text: Any, token: int) -> float:
    """Probability of a token after a text, from the probabilities of all nine."""
    after = [decoder_log_probs(PARAMS, [[*text, t]])[0, -1] for t in range(9)]
    return float(np.exp(after[token]) / np.exp(after).sum())


def test_the_end_token_is_an_action_and_columns_line_up() -> None:
    sampled = sample_responses(PARAMS, np.tile([0, 2], (50, 1)), max_tokens=8, rng=np.random.default_rng(2))
    for b in np.flatnonzero(sampled.ended):
        columns = np.flatnonzero(sampled.mask[b])
        assert columns[0] == 1  # the first sampled token, scored after the prompt's second
        right_not(sampled.tokens[b, columns[-1] + 1], right=0, mistake=sampled.tokens[b, columns[-1]])


def test_the_penalties_of_single_tokens_make_up_that_of_the_response() -> None:
    rng = np.random.default_rng(3)
    batch = batch_of()
    ref = batch.old_log_probs + rng.normal(size=batch.old_log_probs.shape)
    whole = kl_in_reward(batch.rewards, batch.old_log_probs, ref, batch.valid, kl_coef=0.1)
    by_token = token_rewards(batch.rewards, batch.old_log_probs - ref, batch.valid, kl_coef=0.1)
    padded = batch.rewards - 0.1 * (batch.old_log_probs - ref).sum(axis=1)  # padding has its share too
    right_not(by_token.sum(axis=1), right=whole, mistake=padded)


def test_what_fills_the_padding_does_not_enter_a_mean() -> None:
    # −log p with a sentinel of 1.0 on padding: sums 1.5 and 2.5, five tokens
    losses = np.array([[0.5, 1.0, -1.0, -1.0], [2.0, 0.25, 0.25, -1.0]])
    mask = [[1, 1, 0, 0], [1, 1, 1, 0]]
    right_not(kl_of(losses, mask, reduction="sequence_sum"), right=2.0, mistake=0.5)
    right_not(kl_of(losses, mask, reduction="token_mean"), right=0.8, mistake=0.125)


def test_an_advantage_goes_to_the_tokens_of_its_response_only() -> None:
    zeros, mask = np.zeros((2, 3)), np.array([[1, 1, 0], [1, 1, 1]])
    result = sequence_objective(zeros, zeros, [2, -1], mask, clip_epsilon=0.2, reduction="sequence_sum")
    right_not(2 * result.slopes, right=[[2, 2, 0], [-1, -1, -1]], mistake=[[2, 2, 2], [-1, -1, -1]])


def test_groups_are_those_of_the_prompts() -> None:
    batch = batch_of(cutoff_reward=0.4)
    right = group_advantages(batch.rewards, estimator="rloo", group_ids=batch.sampled.tokens[1])
    interleaved = group_advantages(batch.rewards.reshape(-1, 3), estimator="rloo").ravel()
    right_not(batch.advantages[:, 0], right=right, mistake=interleaved)


def test_a_lone_winner_is_bounded_with_every_estimator() -> None:
    winner = [0.0, 0, 5, 0, 0]
    close(group_advantages(winner, estimator="rloo"), [-1.25, -1.25, 5, -1.25, -1.25])
    right_not(
        group_advantages(winner, estimator="grpo", ddof=1, eps=0),
        right=np.array([-1, -1, 4, -1, -1]) / 5**0.5,
        mistake=[-0.5, -0.5, 5e6, -0.5, -0.5],  # by the deviation of the others, which is 0 for the winner
    )


SCALED = {
    "group": [[-0.7070567847218314, 0.7070567847218314], [0, 0]],  # by √2 + 1e-4
    "batch": [[-1.2245948897605123, 1.2245948897605123], [0, 0]],  # by √(2/3) + 1e-4
}


@pytest.mark.parametrize(("scale", "other"), [("group", "batch"), ("batch", "group")])
def test_scaling_modes_are_not_mixed_up(scale: str, other: str) -> None:
    actual = group_advantages([[0, 2], [1, 1]], estimator="grpo", ddof=1, eps=1e-4, scale=scale)
    right_not(actual, right=SCALED[scale], mistake=SCALED[other])
    right_not(
        group_advantages([[0, 2], [1, 1]], estimator="dr_grpo"),
        right=[[-1, 1], [0, 0]],
        mistake=SCALED[scale],
    )


@pytest.mark.parametrize("ddof", [0, 1])
def test_the_trainer_divides_by_the_deviation_that_was_asked_for(ddof: int) -> None:
    batch = batch_of(estimator="grpo", ddof=ddof, eps=0.0, cutoff_reward=0.4)
    rewards = batch.rewards.reshape(3, 20)
    deviations = rewards - rewards.mean(axis=1, keepdims=True)
    right, mistake = (deviations / rewards.std(axis=1, ddof=d, keepdims=True) for d in (ddof, 1 - ddof))
    right_not(batch.advantages.reshape(3, 20), right=right, mistake=mistake)


def test_one_response_alone_is_not_compared() -> None:
    for estimator in ("rloo", "grpo", "dr_grpo", "group_mean"):
        actual = group_advantages([3, 1, 2, 6], estimator=estimator, group_ids=[0, 1, 1, 1])
        assert actual[0] == 0
        assert np.isfinite(actual).all()


LOSSES, MASK = [[1.0, 2, 3, 0], [4, 0, 0, 0]], [[1, 1, 1, 0], [1, 0, 0, 0]]


@pytest.mark.parametrize(
    ("reduction", "right", "mistake"),
    [
        ("token_mean", 2.5, 3.0),
        ("sequence_mean", 3.0, 2.5),
        ("sequence_sum", 5.0, 10.0),
        ("constant_length", 1.25, 2.5),
    ],
)
def test_four_reductions_are_four(reduction: str, right: float, mistake: float) -> None:
    actual = kl_of(LOSSES, MASK, reduction=reduction, max_length=4)
    right_not(actual, right=right, mistake=mistake)
    twice = kl_of(LOSSES * 2, MASK * 2, reduction=reduction, max_length=4)
    assert twice == pytest.approx(right, abs=1e-14)  # a larger batch has no larger loss


def test_the_kl_is_averaged_over_valid_tokens_like_the_surrogate() -> None:
    # (0.5 + 0.5 + 1)/3; with the padding's 8 it would be 2.5
    right_not(kl_of([[0.5, 0.5], [1, 8]], [[1, 1], [1, 0]]), right=2 / 3, mistake=2.5)


def test_product_and_geometric_mean_of_ratios() -> None:
    log_ratios = np.array([[0.1, -0.2, 0.4, 9.0], [-0.5, -0.5, 0, 0]])
    mask, products, means = [[1, 1, 1, 0], [1, 1, 0, 0]], np.exp([0.3, -1.0]), np.exp([0.1, -0.5])
    for level, right, mistake in (("sequence", products, means), ("length_normalized", means, products)):
        values = [
            sequence_objective(
                log_ratios, np.zeros((2, 4)), only, mask, clip_epsilon=0.9, ratio_level=level
            ).surrogate
            for only in ([2.0, 0.0], [0.0, 2.0])
        ]
        right_not(values, right=right, mistake=mistake)


def test_the_kl_in_the_loss_changes_the_update() -> None:
    log_probs, ref = np.array([[-1.0, -2.0]]), np.array([[-1.5, -1.5]])
    result = sequence_objective(
        log_probs,
        log_probs,
        [0.0],
        [[1, 1]],
        ref,
        clip_epsilon=0.2,
        kl_coef=0.04,
        kl_estimator="k3",
        kl_weighting="none",
    )
    # β/N (1 − e^{ref − log π}) of the loss
    right_not(-result.slopes, right=[[0.00786938680574733, -0.012974425414002563]], mistake=[[0, 0]])


def test_micro_batches_are_divided_once_and_by_the_whole() -> None:
    rng = np.random.default_rng(4)
    mask = np.array([[1, 1, 1], [1, 0, 0], [1, 1, 0]])
    old, advantages = -rng.uniform(0.5, 2, size=(3, 3)), np.array([1.0, -2.0, 3.0])
    new = old + rng.normal(0, 0.1, size=(3, 3))
    whole = sequence_objective(new, old, advantages, mask, clip_epsilon=0.2).slopes
    parts = [
        sequence_objective(new[[b]], old[[b]], advantages[[b]], mask[[b]], clip_epsilon=0.2).slopes[0]
        for b in range(3)
    ]
    weighted = [part * mask[b].sum() / mask.sum() for b, part in enumerate(parts)]
    right_not(weighted, right=whole, mistake=np.array(parts) / 3)


def test_a_moving_average_is_kept() -> None:
    result = moving_average_advantages([1.0, 0.0, 2.0], decay=0.9)
    right_not(result.advantages, right=[1, -0.1, 1.91], mistake=[1, 0, 2])
    right_not(result.baselines, right=[0.1, 0.09, 0.281], mistake=[0, 0, 0])


def test_the_trainer_keeps_its_moving_average() -> None:
    config = SequenceConfig(
        num_updates=3, group_size=8, estimator="moving_average", cutoff_reward=0.4, baseline_decay=0.75
    )
    trainer = SequenceTrainer(config, rng=np.random.default_rng(5))
    expected = np.zeros(3)
    for _ in range(3):
        (frame,) = trainer.advance()
        expected = 0.75 * expected + 0.25 * np.array(frame.task_rewards)
        right_not(trainer.state.baselines, right=expected, mistake=[0, 0, 0])

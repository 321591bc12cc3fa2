"""Mistakes that published programs contain: masks, labels, groups and reductions of responses.

Each test reaches the right value and shows the value that the mistake leads to, which it must not reach.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from expecting import close, right_not

from policygrad import (
    dr_grpo_advantages,
    grpo_advantages,
    kl_k1,
    kl_k3,
    length_normalized_ratios,
    reduce_tokens,
    response_mask,
    rloo_advantages,
    sequence_ratios,
    token_log_probs,
    token_rewards,
)


def test_eos_belongs_to_the_response_also_when_padding_has_its_id() -> None:
    tokens = [[5, 2, 2, 2], [5, 6, 7, 8], [2, 2, 2, 2], [5, 6, 2, 9]]
    mask = response_mask(tokens, [0, 0, 0, 0], eos_id=2, pad_id=2)
    right = np.array([[1, 1, 0, 0], [1, 1, 1, 1], [1, 0, 0, 0], [1, 1, 1, 0]])
    right_not(mask, right=right, mistake=np.not_equal(tokens, 2))
    close(mask.sum(axis=1), [2, 4, 1, 3], within=0)


def test_a_token_is_scored_one_column_earlier_and_the_first_not_at_all() -> None:
    probs = [[0.5, 0.25, 0.25], [0.2, 0.3, 0.5], [0.1, 0.6, 0.3], [0.25, 0.25, 0.5]]
    actual = token_log_probs([np.log(probs)], [[1, 0, 2, 1]])
    # In its own column token 0 would have a number too, and all would be others.
    right_not(actual, right=np.log([[0.5, 0.5, 0.6]]), mistake=np.log([[0.25, 0.2, 0.3, 0.25]]))


def test_the_last_token_of_the_response_gets_its_reward() -> None:
    kl = [[0.1, 0.2, 0.3, 0.9, 0.9], [0.0, 0.1, 0.0, 0.1, 0.4]]
    mask = [[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]
    rewards = token_rewards([2, -1], kl, mask, kl_coef=0.1)
    right_not(
        rewards,
        right=[[-0.01, -0.02, 1.97, 0, 0], [0, -0.01, 0, -0.01, -1.04]],
        mistake=[[-0.01, -0.02, -0.03, 2.0, 0], [0, -0.01, 0, -0.01, -1.04]],
    )
    # A column too late the mask removes the reward again.
    right_not(rewards.sum(axis=1), right=[1.94, -1.06], mistake=[-0.06, -1.06])


def test_what_fills_the_padding_is_not_summed() -> None:
    log_probs = np.array([[-0.5, -1.0, 1.0, 1.0], [-2.0, -0.25, -0.25, 1.0]])
    mask = [[1, 1, 0, 0], [1, 1, 1, 0]]
    # (1.5 + 2.5)/2 and 4/5
    right_not(reduce_tokens(-log_probs, mask, reduction="sequence_sum"), right=2.0, mistake=0.5)
    right_not(reduce_tokens(-log_probs, mask, reduction="token_mean"), right=0.8, mistake=0.125)


def test_padding_has_no_part_in_a_response_mean() -> None:
    advantages, mask = np.array([[2.0, 2, 9], [-1, -1, -1]]), np.array([[1, 1, 0], [1, 1, 1]])
    means = [
        reduce_tokens([row], [valid], reduction="token_mean")
        for row, valid in zip(advantages, mask, strict=True)
    ]
    right_not(means, right=[2, -1], mistake=advantages.mean(axis=1))
    right_not(
        mask * np.array(means)[:, np.newaxis], right=[[2, 2, 0], [-1, -1, -1]], mistake=[[2, 2, 2], [-1] * 3]
    )


def test_eos_is_an_action_and_columns_line_up_with_it() -> None:
    tokens = [[5, 6, 7, 8, 2]]
    mask = response_mask(tokens, [2], eos_id=2, pad_id=0)
    right_not(np.flatnonzero(mask[0]), right=[2, 3, 4], mistake=[2, 3])
    # In shifted arrays column j belongs to token j + 1 and is scored by column j of the logits.
    right_not(np.flatnonzero(mask[0, 1:]), right=[1, 2, 3], mistake=[2, 3])
    logits = np.zeros((1, 5, 9))
    logits[0, [1, 2, 3], [7, 8, 2]] = 50  # each column sure of the token after it
    close(token_log_probs(logits, tokens)[:, 1:], [[0, 0, 0]], within=1e-15)


def test_groups_are_known_by_their_ids_not_by_their_places() -> None:
    actual = dr_grpo_advantages([1, 10, 3, 30], group_ids=[0, 1, 0, 1])
    right_not(actual, right=[-1, -10, 1, 10], mistake=[-4.5, 4.5, -13.5, 13.5])


def test_a_lone_winner_keeps_a_bounded_advantage() -> None:
    rewards = [0.0, 0, 5, 0, 0]
    close(rloo_advantages(rewards), [-1.25, -1.25, 5, -1.25, -1.25])
    # Sample std of the whole group √5; the other four have std 0, and division by that explodes.
    right_not(
        grpo_advantages(rewards, ddof=1, eps=0),
        right=np.array([-1, -1, 4, -1, -1]) / np.sqrt(5),
        mistake=[-0.5, -0.5, 5e6, -0.5, -0.5],
    )


def test_scaling_by_the_group_or_not_at_all() -> None:
    rewards = [[0.0, 2.0], [1.0, 1.0]]
    # Sample std √2 of the first group, 0 of the second
    scaled = 1 / (np.sqrt(2) + 1e-4)
    right_not(
        grpo_advantages(rewards, ddof=1, eps=1e-4),
        right=[[-scaled, scaled], [0, 0]],
        mistake=[[-1.2245948897605123, 1.2245948897605123], [0, 0]],  # by the whole batch
    )
    right_not(dr_grpo_advantages(rewards), right=[[-1, 1], [0, 0]], mistake=[[-scaled, scaled], [0, 0]])


@pytest.mark.parametrize("ddof", [0, 1])
def test_the_deviation_is_the_one_that_was_asked_for(ddof: int) -> None:
    deviations = np.array([-3.0, -2, 0, 5])
    both = [deviations / np.sqrt(38 / 4), deviations / np.sqrt(38 / 3)]
    actual = grpo_advantages([1, 2, 4, 9], ddof=ddof, eps=0)
    right_not(actual, right=both[ddof], mistake=both[1 - ddof])


def test_one_response_alone_is_not_compared() -> None:
    with np.errstate(all="raise"):
        actual = rloo_advantages([3, 1, 2, 6], group_ids=[0, 1, 1, 1])
    close(actual, [0, -3, -1.5, 4.5])


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
    actual = reduce_tokens(LOSSES, MASK, reduction=reduction, max_length=4)
    right_not(actual, right=right, mistake=mistake)


def test_a_global_mean_is_divided_once() -> None:
    # Three micro-batches with token gradients (2, 4), (6), (0, 8, 4): 24/6, and not again by 3.
    gradients, mask = [[2, 4, 0], [6, 0, 0], [0, 8, 4]], [[1, 1, 0], [1, 0, 0], [1, 1, 1]]
    right_not(reduce_tokens(gradients, mask, reduction="token_mean"), right=4.0, mistake=4 / 3)


def test_workers_are_weighted_by_their_tokens() -> None:
    # Sums 6, 4, 0 of 3, 1, 0 tokens: 10/4; the mean of their means, 2 and 4, is 3.
    values, mask = [[1, 2, 3], [4, 0, 0], [9, 9, 9]], [[1, 1, 1], [1, 0, 0], [0, 0, 0]]
    right_not(reduce_tokens(values, mask, reduction="token_mean"), right=2.5, mistake=3.0)


def test_the_kl_term_is_masked_with_the_loss() -> None:
    loss, kl, mask = np.array([[1.0, 2], [3, 0]]), np.array([[0.5, 0.5], [1, 8]]), [[1, 1], [1, 0]]
    # (6 + 0.1·2)/3; the mean of kl over all four places would be 2.5
    right_not(reduce_tokens(loss + 0.1 * kl, mask, reduction="token_mean"), right=6.2 / 3, mistake=2.25)


def test_product_and_geometric_mean_of_ratios() -> None:
    log_ratios = np.array([[0.1, -0.2, 0.4, 9.0], [-0.5, -0.5, 0, 0]])
    mask = [[1, 1, 1, 0], [1, 1, 0, 0]]
    whole, normalized = np.exp([0.3, -1.0]), np.exp([0.1, -0.5])
    right_not(sequence_ratios(log_ratios, np.zeros((2, 4)), mask), right=whole, mistake=normalized)
    right_not(length_normalized_ratios(log_ratios, mask), right=normalized, mistake=whole)


def test_a_larger_batch_has_no_larger_loss() -> None:
    losses = [[1.0, 1], [3, 1]]
    for copies in (1, 2):
        actual = reduce_tokens(
            losses * copies, np.ones((2 * copies, 2)), reduction="constant_length", max_length=4
        )
        right_not(actual, right=0.75, mistake=1.5 * copies)


def test_k3_of_tokens_and_of_the_response_differ_on_a_sample() -> None:
    first = np.array([[0.6, 0.4], [0.5, 0.5]])  # policy, reference
    second = np.array([[[0.7, 0.3], [0.2, 0.8]], [[0.5, 0.5], [0.4, 0.6]]])
    means, divergence = np.zeros(3), 0.0
    for a, b in product((0, 1), repeat=2):
        steps = np.log([[first[i, a], second[i, a, b]] for i in (0, 1)])
        log_ratios = steps[1] - steps[0]  # log ref − log π, as actions come from π
        chance = np.exp(steps[0].sum())
        divergence -= chance * log_ratios.sum()
        samples = [kl_k1(log_ratios).sum(), kl_k3(log_ratios).sum(), float(kl_k3(log_ratios.sum()))]
        means += chance * np.array(samples)
        if (a, b) == (0, 1):
            right_not(samples[1], right=0.17149593302796395, mistake=0.060384821916852835)
            right_not(samples[2], right=0.060384821916852835, mistake=0.17149593302796395)
    close(divergence, 0.10611172939349425)
    close(means, [divergence] * 3)

"""Token arithmetic against loops over single tokens, and expectations over every response."""

from __future__ import annotations

import numpy as np
import pytest

from policygrad import (
    kl_in_reward,
    length_normalized_ratios,
    log_softmax,
    reduce_tokens,
    response_mask,
    sequence_log_probs,
    sequence_ratios,
    token_clipped_objective,
    token_log_probs,
    token_rewards,
)

EOS, PAD = 1, 0


def padded_batch(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tokens (B, L), prompt lengths and real lengths: a prompt, a response with or without EOS, padding."""
    rng = np.random.default_rng(seed)
    width = 9
    tokens, prompts, lengths = np.full((6, width), PAD), rng.integers(1, 4, size=6), np.zeros(6, dtype=int)
    for b in range(6):
        length = rng.integers(prompts[b], width + 1)
        tokens[b, :length] = rng.integers(1, 5, size=length)  # 1 is EOS, in prompts too
        lengths[b] = length
    return tokens, prompts, lengths


@pytest.mark.parametrize("seed", range(8))
def test_masks_against_a_walk_along_the_row(seed: int) -> None:
    tokens, prompts, lengths = padded_batch(seed)
    expected = np.zeros_like(tokens)
    for b, row in enumerate(tokens):
        for k in range(prompts[b], lengths[b]):
            expected[b, k] = 1
            if row[k] == EOS:
                break
    for given in (None, lengths):
        actual = response_mask(tokens, prompts, eos_id=EOS, pad_id=PAD, lengths=given)
        np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("seed", range(4))
def test_everything_against_loops(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tokens, prompts, _ = padded_batch(seed)
    logits, old_logits = rng.normal(size=(2, 6, 9, 5))
    new, old = token_log_probs(logits, tokens), token_log_probs(old_logits, tokens)
    mask = response_mask(tokens, prompts, eos_id=EOS, pad_id=PAD)[:, 1:]
    rewards, advantages = rng.normal(size=(2, 6))

    sums, ratio_sums = np.zeros(6), np.zeros(6)
    terms: list[list[float]] = [[] for _ in range(6)]
    for b in range(6):
        for k in range(1, 9):  # token k is scored by column k − 1 of the logits
            column = k - 1
            assert new[b, column] == log_softmax(logits[b, column])[tokens[b, k]]
            if not mask[b, column]:
                continue
            sums[b] += new[b, column]
            ratio_sums[b] += new[b, column] - old[b, column]
            ratio = np.exp(new[b, column] - old[b, column])
            clipped = min(max(ratio, 0.7), 1.4)
            terms[b].append(min(ratio * advantages[b], clipped * advantages[b]))
    counts = np.array([len(t) for t in terms])

    np.testing.assert_allclose(sequence_log_probs(new, mask), sums, atol=1e-12)
    np.testing.assert_allclose(sequence_ratios(new, old, mask), np.exp(ratio_sums), rtol=1e-12)
    np.testing.assert_allclose(
        length_normalized_ratios(new - old, mask), np.exp(ratio_sums / np.maximum(counts, 1)), rtol=1e-12
    )
    np.testing.assert_allclose(
        kl_in_reward(rewards, new, old, mask, kl_coef=0.3), rewards - 0.3 * ratio_sums, atol=1e-12
    )
    shaped = token_rewards(rewards, new - old, mask, kl_coef=0.3)
    np.testing.assert_allclose(
        shaped.sum(axis=1), np.where(counts > 0, rewards - 0.3 * ratio_sums, 0), atol=1e-12
    )
    expected = {
        "token_mean": sum(map(sum, terms)) / counts.sum(),
        "sequence_mean": np.mean([sum(t) / max(len(t), 1) for t in terms]),
        "sequence_sum": np.mean([sum(t) for t in terms]),
        "constant_length": np.mean([sum(t) / 8 for t in terms]),
    }
    for reduction, value in expected.items():
        options = {"clip_epsilon": 0.3, "clip_epsilon_high": 0.4, "reduction": reduction, "max_length": 8}
        actual = token_clipped_objective(new, old, advantages, mask, **options)  # type: ignore[arg-type]
        assert actual == pytest.approx(value, abs=1e-12), reduction


# A policy and a reference over responses of one or two tokens: token 1 ends, token 0 goes on, two at most.
FIRST, SECOND = np.array([[0.6, 0.4], [0.5, 0.5]]), np.array([[0.7, 0.3], [0.2, 0.8]])


def all_responses() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Probability under the policy, token log-probabilities under both, mask; a row for each response."""
    chances, policy, reference, mask = [], [], [], []
    for response in ((1,), (0, 0), (0, 1)):
        steps = [(FIRST, SECOND)[k][:, token] for k, token in enumerate(response)]
        logs = np.full((2, 2), np.nan)
        logs[: len(steps)] = np.log(steps)
        chances.append(np.prod([step[0] for step in steps]))
        policy.append(logs[:, 0])
        reference.append(logs[:, 1])
        mask.append([1] * len(steps) + [0] * (2 - len(steps)))
    return np.array(chances), np.array(policy), np.array(reference), np.array(mask)


def test_the_sampled_kl_in_the_reward_is_the_kl_of_responses_on_average() -> None:
    chances, policy, reference, mask = all_responses()
    assert chances.sum() == pytest.approx(1)
    np.testing.assert_allclose(np.exp(sequence_log_probs(policy, mask)), chances)
    reference_chances = np.exp(sequence_log_probs(reference, mask))
    divergence = chances @ np.log(chances / reference_chances)
    shaped = kl_in_reward(np.zeros(3), policy, reference, mask, kl_coef=1)
    assert chances @ shaped == pytest.approx(-divergence)
    # The same as the chain rule: KL of the first token plus that of the second where it is drawn.
    by_tokens = [p @ np.log(p / q) for p, q in ((FIRST[0], FIRST[1]), (SECOND[0], SECOND[1]))]
    assert divergence == pytest.approx(by_tokens[0] + FIRST[0, 0] * by_tokens[1])


def test_importance_weights_average_to_one() -> None:
    chances, policy, reference, mask = all_responses()
    assert chances @ sequence_ratios(reference, policy, mask) == pytest.approx(1)
    # The length-normalised ratio is not an importance weight.
    log_ratios = np.where(mask, reference - policy, 0)
    assert abs(chances @ length_normalized_ratios(log_ratios, mask) - 1) > 1e-3


@pytest.mark.parametrize("reduction", ["token_mean", "sequence_mean", "sequence_sum", "constant_length"])
def test_reductions_are_linear(reduction: str) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 3, 4))
    mask = rng.random((3, 4)) < 0.6
    whole = reduce_tokens(2 * a - b, mask, reduction=reduction, max_length=4)
    parts = [reduce_tokens(x, mask, reduction=reduction, max_length=4) for x in (a, b)]
    assert whole == pytest.approx(2 * parts[0] - parts[1])


def test_a_batch_in_parts_has_the_token_mean_only_with_global_counts() -> None:
    rows = [np.array([[2.0, 4.0, 0.0]]), np.array([[6.0, 0.0, 0.0]]), np.array([[0.0, 8.0, 4.0]])]
    masks = [np.array([[1, 1, 0]]), np.array([[1, 0, 0]]), np.array([[1, 1, 1]])]
    whole = reduce_tokens(np.concatenate(rows), np.concatenate(masks), reduction="token_mean")
    sums = sum(reduce_tokens(r, m, reduction="sequence_sum") for r, m in zip(rows, masks, strict=True))
    assert whole == pytest.approx(sums / sum(int(m.sum()) for m in masks)) == 4.0
    naive = np.mean([reduce_tokens(r, m, reduction="token_mean") for r, m in zip(rows, masks, strict=True)])
    assert naive != pytest.approx(whole)

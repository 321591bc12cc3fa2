"""Laws of token masks, ratios, reductions and KL in the reward."""

from __future__ import annotations

import numpy as np
import pytest
from drawing import token_batches
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from policygrad import (
    kl_in_reward,
    length_normalized_ratios,
    reduce_tokens,
    response_mask,
    sequence_log_probs,
    sequence_ratios,
    token_clipped_objective,
    token_log_probs,
    token_rewards,
)

Batch = dict[str, np.ndarray]
REDUCTIONS = ["token_mean", "sequence_mean", "sequence_sum", "constant_length"]
EOS, PAD = 1, 0


def everything(batch: Batch, first: np.ndarray, second: np.ndarray) -> list[np.ndarray]:
    """Every function of token values."""
    mask, rewards = batch["mask"], batch["rewards"]
    results = [
        sequence_log_probs(first, mask),
        sequence_ratios(first, second, mask),
        length_normalized_ratios(first, mask),
        kl_in_reward(rewards, first, second, mask, kl_coef=0.5),
        token_rewards(rewards, first, mask, kl_coef=0.5),
    ]
    for reduction in REDUCTIONS:
        options = {"reduction": reduction, "max_length": 5}
        results.append(np.asarray(reduce_tokens(first, mask, **options)))  # type: ignore[arg-type]
        objective = token_clipped_objective(first, second, rewards, mask, clip_epsilon=0.2, **options)  # type: ignore[arg-type]
        results.append(np.asarray(objective))
    return results


@given(token_batches())
def test_what_stands_outside_the_mask_changes_nothing(batch: Batch) -> None:
    clean = [np.where(batch["mask"], batch[name], 0.0) for name in ("first", "second")]
    with_garbage = everything(batch, batch["first"], batch["second"])
    for actual, expected in zip(with_garbage, everything(batch, *clean), strict=True):
        assert np.isfinite(actual).all()
        np.testing.assert_array_equal(actual, expected)


@given(token_batches())
def test_padding_on_the_right_changes_nothing_but_columns(batch: Batch) -> None:
    def wider(array: np.ndarray, fill: float) -> np.ndarray:
        return np.pad(array, ((0, 0), (0, 2)), constant_values=fill)

    padded = {**batch, "mask": wider(batch["mask"], False)}
    narrow = everything(batch, batch["first"], batch["second"])
    wide = everything(padded, wider(batch["first"], np.nan), wider(batch["second"], np.inf))
    for actual, expected in zip(wide, narrow, strict=True):
        trimmed = actual[:, :-2] if actual.ndim == 2 else actual
        np.testing.assert_allclose(trimmed, expected, rtol=1e-12, atol=1e-12)


@given(token_batches(), st.sampled_from(REDUCTIONS))
def test_a_batch_twice_has_the_same_mean(batch: Batch, reduction: str) -> None:
    options = {"reduction": reduction, "max_length": 7}
    once = reduce_tokens(batch["first"], batch["mask"], **options)  # type: ignore[arg-type]
    twice = reduce_tokens(np.tile(batch["first"], (2, 1)), np.tile(batch["mask"], (2, 1)), **options)  # type: ignore[arg-type]
    assert twice == pytest.approx(once, abs=1e-12)


@given(token_batches())
def test_for_equal_lengths_the_means_agree(batch: Batch) -> None:
    values = np.where(batch["mask"], batch["first"], 1.0)
    everywhere = np.ones_like(batch["mask"])
    token, sequence = (reduce_tokens(values, everywhere, reduction=r) for r in REDUCTIONS[:2])
    constant = reduce_tokens(values, everywhere, reduction=REDUCTIONS[3], max_length=values.shape[1])
    assert token == pytest.approx(sequence, abs=1e-12) == pytest.approx(constant, abs=1e-12)


@given(token_batches(), st.sampled_from(REDUCTIONS))
def test_at_ratio_one_the_objective_is_the_reduced_advantage(batch: Batch, reduction: str) -> None:
    options = {"reduction": reduction, "max_length": 5}
    spread = np.where(batch["mask"], batch["rewards"][:, np.newaxis], np.nan)
    objective = token_clipped_objective(
        batch["first"],
        batch["first"],
        batch["rewards"],
        batch["mask"],
        clip_epsilon=0.2,
        **options,  # type: ignore[arg-type]
    )
    assert objective == pytest.approx(reduce_tokens(spread, batch["mask"], **options), abs=1e-9)  # type: ignore[arg-type]


@given(token_batches())
def test_ratios_of_sums_and_of_means(batch: Batch) -> None:
    log_ratios = np.where(batch["mask"], batch["first"], np.nan) - np.where(
        batch["mask"], batch["second"], np.nan
    )
    counts = batch["mask"].sum(axis=1)
    np.testing.assert_allclose(
        length_normalized_ratios(log_ratios, batch["mask"]) ** counts,
        sequence_ratios(batch["first"], batch["second"], batch["mask"]),
        rtol=1e-9,
    )


@given(token_batches())
def test_token_rewards_sum_to_the_shaped_reward(batch: Batch) -> None:
    mask = batch["mask"]
    with np.errstate(invalid="ignore", over="ignore"):
        token_kl = batch["first"] - batch["second"]
    by_token = token_rewards(batch["rewards"], token_kl, mask, kl_coef=0.3).sum(axis=1)
    shaped = kl_in_reward(batch["rewards"], batch["first"], batch["second"], mask, kl_coef=0.3)
    np.testing.assert_allclose(by_token, np.where(mask.any(axis=1), shaped, 0), atol=1e-9)


@st.composite
def generated(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of prompt, response and padding with their prompt lengths and real lengths."""
    rows, width = draw(st.integers(1, 4)), draw(st.integers(2, 7))
    tokens = draw(arrays(np.int64, (rows, width), elements=st.integers(1, 4)))
    prompts = draw(arrays(np.int64, rows, elements=st.integers(0, width)))
    lengths = prompts + draw(arrays(np.int64, rows, elements=st.integers(0, width)))
    lengths = np.minimum(lengths, width)
    tokens[np.arange(width) >= lengths[:, np.newaxis]] = PAD
    return tokens, prompts, lengths


@given(generated())
def test_a_mask_is_one_run_that_ends_with_the_first_eos_or_the_row(
    drawn: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    tokens, prompts, lengths = drawn
    mask = response_mask(tokens, prompts, eos_id=EOS, pad_id=PAD, lengths=lengths)
    np.testing.assert_array_equal(mask, response_mask(tokens, prompts, eos_id=EOS, pad_id=PAD))
    for row, valid, start, end in zip(tokens, mask, prompts, lengths, strict=True):
        columns = np.flatnonzero(valid)
        if start == end:
            assert columns.size == 0
            continue
        np.testing.assert_array_equal(columns, np.arange(start, columns[-1] + 1))
        assert EOS not in row[columns[:-1]]
        assert row[columns[-1]] == EOS or columns[-1] == end - 1


@given(generated())
def test_with_lengths_the_padding_id_does_not_matter(
    drawn: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    tokens, prompts, lengths = drawn
    padding = np.arange(tokens.shape[1]) >= lengths[:, np.newaxis]
    expected = response_mask(tokens, prompts, eos_id=EOS, pad_id=PAD, lengths=lengths)
    padded_with_eos = np.where(padding, EOS, tokens)
    actual = response_mask(padded_with_eos, prompts, eos_id=EOS, pad_id=EOS, lengths=lengths)
    np.testing.assert_array_equal(actual, expected)


@given(arrays(np.float64, (2, 3, 4), elements=st.floats(-1e4, 1e4)), st.data())
def test_all_tokens_together_have_probability_one(logits: np.ndarray, data: st.DataObject) -> None:
    tokens = data.draw(arrays(np.int64, (2, 3), elements=st.integers(0, 3)))
    total = np.zeros(2)
    for token in range(4):
        tokens[:, 1] = token
        total += np.exp(token_log_probs(logits, tokens)[:, 0])
    np.testing.assert_allclose(total, 1, atol=1e-12)

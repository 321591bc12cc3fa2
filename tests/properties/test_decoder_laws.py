"""Laws of the decoder, of sampled responses and of the trainer: padding, masks, order, slices, seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
from drawing import token_batches
from hypothesis import given, settings
from hypothesis import strategies as st

from policygrad import (
    SequenceConfig,
    SequenceTrainer,
    decoder_log_probs,
    decoder_params,
    masked_update,
    response_log_probs,
    response_mask,
    response_scores,
    sample_responses,
    sequence_objective,
)

SEEDS = st.integers(0, 2**32 - 1)
LEVELS = st.sampled_from(["token", "sequence", "length_normalized"])
REDUCTIONS = st.sampled_from(["token_mean", "sequence_mean", "sequence_sum", "constant_length"])


@st.composite
def responses(draw: st.DrawFn) -> dict[str, Any]:
    """Parameters, tokens with anything behind the responses, their mask, and advantages."""
    rng = np.random.default_rng(draw(SEEDS))
    batch, width = draw(st.integers(1, 4)), draw(st.integers(2, 7))
    starts = rng.integers(1, width + 1, size=batch)
    ends = np.array([rng.integers(start, width + 1) for start in starts])
    tokens = rng.integers(9, size=(batch, width))
    mask = response_mask(tokens, starts, eos_id=0, pad_id=0, lengths=ends)
    return {
        "params": draw(st.sampled_from([0.3, 1.0, 5.0])) * decoder_params(rng=rng),
        "tokens": tokens,
        "mask": mask[:, 1:],
        "advantages": rng.normal(size=batch),
        "rng": rng,
    }


@given(responses())
def test_padding_never_matters(case: dict[str, Any]) -> None:
    """Neither what stands behind a response nor how much of it."""
    tokens, mask, rng = case["tokens"], case["mask"], case["rng"]
    last = np.where(mask.any(axis=1), mask.shape[1] - np.argmax(mask[:, ::-1], axis=1), 0)
    behind = np.arange(tokens.shape[1]) > last[:, np.newaxis]
    other = np.where(behind, rng.integers(9, size=tokens.shape), tokens)
    wider = np.concatenate([other, rng.integers(9, size=(len(tokens), 3))], axis=1)
    wider_mask = np.concatenate([mask, np.zeros((len(mask), 3), dtype=int)], axis=1)
    for function in (response_log_probs, response_scores):
        expected = function(case["params"], tokens, mask)
        np.testing.assert_allclose(function(case["params"], wider, wider_mask), expected, rtol=0, atol=1e-12)


@given(responses())
def test_members_of_a_batch_do_not_meet(case: dict[str, Any]) -> None:
    params, tokens, mask = case["params"], case["tokens"], case["mask"]
    together = response_scores(params, tokens, mask)
    for b in range(len(tokens)):
        alone = response_scores(params, tokens[[b]], mask[[b]])[0]
        np.testing.assert_allclose(together[b], alone, rtol=0, atol=1e-12)


@given(responses())
def test_the_gradient_of_a_batch_is_the_mean_of_advantage_times_score(case: dict[str, Any]) -> None:
    update = masked_update(
        case["params"], case["tokens"], case["mask"], case["advantages"], learning_rate=0.01
    )
    scores = response_scores(case["params"], case["tokens"], case["mask"])
    expected = (case["advantages"][:, np.newaxis] * scores).mean(axis=0)
    np.testing.assert_allclose(update.gradient, expected, rtol=0, atol=1e-12)


@given(responses())
def test_log_probabilities_are_at_most_0_and_those_of_all_tokens_sum_to_1(case: dict[str, Any]) -> None:
    params, first = case["params"], case["tokens"][:1]
    assert (decoder_log_probs(params, case["tokens"]) <= 0).all()
    followers = np.concatenate([np.tile(first, (9, 1)), np.arange(9)[:, np.newaxis]], axis=1)
    total = np.exp(decoder_log_probs(params, followers)[:, -1]).sum()
    assert abs(total - 1) < 1e-12


@given(responses(), st.integers(1, 5))
def test_sampled_responses_hold_together(case: dict[str, Any], max_tokens: int) -> None:
    prompts = case["tokens"]
    sampled = sample_responses(case["params"], prompts, max_tokens=max_tokens, rng=case["rng"])
    width = prompts.shape[1]
    assert (sampled.tokens[:, :width] == prompts).all()
    assert sampled.tokens.shape[1] == sampled.lengths.max() <= width + max_tokens
    assert (sampled.mask.sum(axis=1) == sampled.lengths - width).all()
    for tokens, length, ended in zip(sampled.tokens, sampled.lengths, sampled.ended, strict=True):
        response = tokens[width:length]
        assert len(response) >= 1
        assert (response[:-1] != 0).all()
        assert ended == (response[-1] == 0)
        assert ended or len(response) == max_tokens


@given(token_batches(), LEVELS, REDUCTIONS, st.sampled_from(["ratio", "none"]))
def test_what_is_outside_the_mask_changes_nothing(
    batch: dict[str, np.ndarray], level: str, reduction: str, weighting: str
) -> None:
    mask, advantages = batch["mask"], np.where(batch["mask"].any(axis=1), batch["rewards"], np.nan)
    options: dict[str, Any] = {
        "clip_epsilon": 0.2,
        "ratio_level": level,
        "reduction": reduction,
        "max_length": 9,
        "kl_coef": 0.1,
        "kl_weighting": weighting,
    }
    new, old = batch["first"], batch["second"]
    dirty = sequence_objective(new, old, advantages, mask, old, **options)
    clean = sequence_objective(
        np.where(mask, new, 0),
        np.where(mask, old, 0),
        np.nan_to_num(advantages),
        mask,
        np.where(mask, old, 0),
        **options,
    )
    assert dirty.objective == clean.objective
    assert dirty.slopes.tolist() == clean.slopes.tolist()
    assert (dirty.slopes[~mask] == 0).all()
    assert dirty.clipped_fraction <= dirty.outside_fraction == clean.outside_fraction


@given(token_batches(), LEVELS, st.floats(0, 0.9))
def test_the_clip_never_adds(batch: dict[str, np.ndarray], level: str, width: float) -> None:
    args = (batch["first"], batch["second"], batch["rewards"], batch["mask"])
    clipped = sequence_objective(*args, clip_epsilon=width, ratio_level=level)
    free = sequence_objective(*args, clip_epsilon=0.99, clip_epsilon_high=1e9, ratio_level=level)
    assert clipped.surrogate <= free.surrogate + 1e-9 * abs(free.surrogate)


@settings(max_examples=15)
@given(SEEDS, st.lists(st.integers(0, 3), max_size=6), st.sampled_from(["rloo", "grpo", "moving_average"]))
def test_a_run_depends_on_its_seed_and_not_on_its_slices(
    seed: int, slices: list[int], estimator: str
) -> None:
    config = SequenceConfig(num_updates=4, group_size=4, max_tokens=4, estimator=estimator, cutoff_reward=0.3)
    whole = SequenceTrainer(config, rng=np.random.default_rng(seed))
    sliced = SequenceTrainer(config, rng=np.random.default_rng(seed))
    frames = whole.advance(4)
    pieces = [frame for count in [*slices, 4] for frame in sliced.advance(count)]
    assert pieces == frames
    assert sliced.state.params.tolist() == whole.state.params.tolist()

"""The three writing tasks: what the verifier accepts, how responses are sampled, EOS against cut-off."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from expecting import close, refused

from policygrad import (
    decoder_log_probs,
    decoder_params,
    response_mask,
    response_text,
    sample_responses,
    verify_responses,
)
from policygrad.sequence_policy import TOKENS, sampled_index

PROMPTS = np.repeat([[0, 1], [0, 2], [0, 3]], 40, axis=0)
WORDS = {word: token for token, word in enumerate(TOKENS)}


def params(seed: int = 0) -> np.ndarray:
    return decoder_params(rng=np.random.default_rng(seed))


def reward_of(text: str, **options: float) -> float:
    """Reward of one response, written as `same d d END`."""
    tokens = [0, *(WORDS[word] for word in text.split())]
    return float(verify_responses([tokens], [len(tokens)], **options)[0])


def only(token: int) -> np.ndarray:
    """A policy that writes the same token again and again."""
    vector = np.zeros(423)
    vector[414 + token] = 1000
    return vector


@pytest.mark.parametrize(
    ("response", "reward"),
    [
        ("same d d END", 1),
        ("same a b END", 1 / 2),  # the form, but y₀ ≠ y₁: (1 + 0)/(1 + 1)
        ("same d END", 0),  # too short
        ("same d d d END", 0),  # too long
        ("same END", 0),
        ("same d same END", 0),  # a word of the prompt is no letter
        ("mirror b e b END", 1),
        ("mirror c c c END", 1),
        ("mirror b e e END", 1 / 2),
        ("mirror b b END", 0),
        ("mirror b mirror b END", 0),
        ("rise a c d END", 1),
        ("rise a d c END", 2 / 3),  # one of two conditions: (1 + 1)/(1 + 2)
        ("rise d a c END", 2 / 3),
        ("rise a a b END", 2 / 3),  # equal is not after
        ("rise e c a END", 1 / 3),
        ("rise a b END", 0),
        ("rise a b c d END", 0),
    ],
)
def test_the_verifier(response: str, reward: float) -> None:
    assert reward_of(response) == pytest.approx(reward, abs=1e-15)


@pytest.mark.parametrize("response", ["same d d", "rise a c d", "same", "mirror b e b b b"])
def test_a_cut_off_response_is_not_judged(response: str) -> None:
    assert reward_of(response) == 0
    assert reward_of(response, cutoff_reward=-0.5) == -0.5


def test_a_wrong_answer_that_ended_has_nothing_to_do_with_cut_off() -> None:
    assert reward_of("same d END", cutoff_reward=-0.5) == 0


def test_what_follows_the_end_is_not_read() -> None:
    tokens = [[0, 1, 4, 4, 0, 0, 0], [0, 1, 4, 4, 0, 5, 8], [0, 1, 4, 4, 4, 5, 8]]
    assert verify_responses(tokens, [5, 5, 4]).tolist() == [
        1,
        1,
        0,
    ]  # the third was cut off after two letters


def test_mixed_tasks_in_one_call() -> None:
    tokens = [[0, 3, 4, 5, 6, 0], [0, 1, 4, 4, 0, 0], [0, 2, 4, 5, 4, 0], [0, 2, 4, 0, 0, 0]]
    assert verify_responses(tokens, [6, 5, 6, 4]).tolist() == [1, 1, 1, 0]


def test_words() -> None:
    assert response_text([0, 1, 7, 7, 0]) == "END same d d END"


def test_a_policy_that_ends_at_once() -> None:
    sampled = sample_responses(only(0), PROMPTS, max_tokens=6, rng=np.random.default_rng(0))
    assert sampled.tokens.shape == (120, 3)  # L is where the longest one ends
    assert sampled.ended.all()
    assert (sampled.lengths == 3).all()
    assert sampled.mask.tolist() == [[0, 1]] * 120  # END is an action and in the mask
    close(sampled.log_probs, np.zeros((120, 2)), within=1e-12)


def test_a_policy_that_never_ends_is_cut_off() -> None:
    sampled = sample_responses(only(5), PROMPTS, max_tokens=4, rng=np.random.default_rng(0))
    assert sampled.tokens[0].tolist() == [0, 1, 5, 5, 5, 5]  # no END is added
    assert not sampled.ended.any()
    assert (sampled.lengths == 6).all()
    assert sampled.mask[0].tolist() == [0, 1, 1, 1, 1]
    assert (verify_responses(sampled.tokens, sampled.lengths) == 0).all()


def test_an_end_in_the_last_place_is_an_end() -> None:
    sampled = sample_responses(only(0), [[0, 1]], max_tokens=1, rng=np.random.default_rng(0))
    assert sampled.ended.tolist() == [True]
    cut = sample_responses(only(4), [[0, 1]], max_tokens=1, rng=np.random.default_rng(0))
    assert cut.ended.tolist() == [False]
    assert cut.lengths.tolist() == sampled.lengths.tolist() == [3]


def test_log_probs_are_those_of_the_policy_and_0_outside_the_mask() -> None:
    sampled = sample_responses(params(1), PROMPTS, max_tokens=6, rng=np.random.default_rng(1))
    expected = decoder_log_probs(params(1), sampled.tokens)
    close(sampled.log_probs, np.where(sampled.mask, expected, 0), within=1e-14)


def test_the_mask_is_that_of_the_responses() -> None:
    sampled = sample_responses(params(1), PROMPTS, max_tokens=6, rng=np.random.default_rng(1))
    expected = response_mask(sampled.tokens, [2] * 120, eos_id=0, pad_id=0, lengths=sampled.lengths)
    assert sampled.mask.tolist() == expected[:, 1:].tolist()
    assert (sampled.mask.sum(axis=1) == sampled.lengths - 2).all()
    assert (sampled.lengths > 2).all()
    assert sampled.ended.any()
    assert not sampled.ended.all()
    last = sampled.tokens[np.arange(120), sampled.lengths - 1]
    assert ((last == 0) == sampled.ended).all()
    beyond = np.arange(sampled.tokens.shape[1]) >= sampled.lengths[:, np.newaxis]
    assert (sampled.tokens[beyond] == 0).all()


def test_tokens_are_drawn_with_their_probabilities() -> None:
    """First two tokens of 20,000 responses to one prompt against the exact probabilities of all 81 pairs."""
    vector = params(2)
    prompts = np.tile([0, 3], (20_000, 1))
    sampled = sample_responses(vector, prompts, max_tokens=2, rng=np.random.default_rng(2))
    pairs = sampled.tokens[:, 2] * 9 + sampled.tokens[:, 3]
    counts = np.bincount(pairs, minlength=81)
    every = np.array([[0, 3, a, b] for a in range(9) for b in range(9)])
    log_probs = decoder_log_probs(vector, every)
    chances = np.exp(log_probs[:, 1] + np.where(every[:, 2] == 0, 0, log_probs[:, 2]))
    chances[1:9] = 0  # after END comes padding only
    assert counts[1:9].sum() == 0
    # χ² with 72 degrees of freedom is above 120 once in 3000 draws
    used = chances > 0
    assert (np.square(counts[used] - 20_000 * chances[used]) / (20_000 * chances[used])).sum() < 120


def test_a_draw_is_the_first_token_at_which_the_sum_passes() -> None:
    log_probs = np.log(np.tile([[0.5], [0.25], [0.25]], (1, 5)))
    uniform = np.array([0.0, 0.499, 0.5, 0.75, np.nextafter(1, 0)])
    assert sampled_index(log_probs, uniform).tolist() == [0, 0, 1, 2, 2]


def test_an_impossible_token_is_never_drawn() -> None:
    log_probs = np.array([[-1e4], [log(0.5)], [-1e4], [log(0.5)]])
    drawn = [sampled_index(log_probs, np.array([u]))[0] for u in (0.0, 0.25, 0.499, 0.5, 0.9, 0.9999999)]
    assert set(drawn) == {1, 3}


def test_the_same_seed_gives_the_same_responses_and_takes_the_same_numbers() -> None:
    first, second = np.random.default_rng(3), np.random.default_rng(3)
    one = sample_responses(params(3), PROMPTS, max_tokens=5, rng=first)
    same = sample_responses(params(3), PROMPTS, max_tokens=5, rng=second)
    assert one.tokens.tolist() == same.tokens.tolist()
    # Another policy stops elsewhere, and yet as many numbers were taken.
    sample_responses(only(0), PROMPTS, max_tokens=5, rng=second)
    sample_responses(only(5), PROMPTS, max_tokens=5, rng=first)
    assert first.random() == second.random()


def test_errors() -> None:
    rng = np.random.default_rng(0)
    with refused("max_tokens is 0; it must be at least 1"):
        sample_responses(params(), PROMPTS, max_tokens=0, rng=rng)
    with refused("prompts[0, 1] is 9; it must be a whole number from 0 to 8"):
        sample_responses(params(), [[0, 9]], max_tokens=3, rng=rng)
    with refused("params has shape (9,); it must have shape (423,)"):
        sample_responses(np.zeros(9), PROMPTS, max_tokens=3, rng=rng)
    with refused("tokens[1] begins with 1, 1; it must begin with 0 and a task, 1 to 3"):
        verify_responses([[0, 1, 4], [1, 1, 4]], [3, 3])
    with refused("tokens[0] begins with 0, 4; it must begin with 0 and a task, 1 to 3"):
        verify_responses([[0, 4, 4]], [3])
    with refused("lengths[1] is 1; it must be at least 2, the length of the prompt"):
        verify_responses([[0, 1, 4], [0, 1, 4]], [3, 1])
    with refused("lengths has shape (1,); it must have one entry per row of tokens, (2,)"):
        verify_responses([[0, 1, 4], [0, 1, 4]], [3])
    with refused("tokens has shape (1, 1); it must have at least two columns, the prompt's"):
        verify_responses([[0]], [1])
    with refused("cutoff_reward is NaN; it must be finite"):
        verify_responses([[0, 1, 4]], [3], cutoff_reward=np.nan)

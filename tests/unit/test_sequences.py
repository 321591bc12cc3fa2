"""Shifted log-probabilities, response masks and ratios, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from expecting import close, refused

from policygrad import (
    length_normalized_ratios,
    response_mask,
    sequence_log_probs,
    sequence_ratios,
    token_log_probs,
)

EOS, PAD = 2, 0


def test_a_column_of_logits_scores_the_next_token() -> None:
    probs = np.array([[[0.7, 0.2, 0.1], [0.5, 0.25, 0.25], [0.1, 0.8, 0.1]]])
    # tokens 2, 0, 1: token 0 by column 0 (0.7), token 1 by column 1 (0.25); column 2 scores nothing
    close(token_log_probs(np.log(probs), [[2, 0, 1]]), np.log([[0.7, 0.25]]))


def test_the_last_column_of_the_logits_is_not_read() -> None:
    logits = np.zeros((2, 3, 4))
    logits[:, -1] = np.nan
    close(token_log_probs(logits, np.ones((2, 3))), np.log(np.full((2, 2), 0.25)))


def test_impossible_and_rare_tokens() -> None:
    # log softmax(0, −800) = (−e^−800, −800); −∞ stays −∞
    rare = token_log_probs([[[0, -800], [0, -np.inf], [0, 0]]], [[0, 1, 1]])
    assert np.array_equal(rare, [[-800, -np.inf]])


@pytest.mark.parametrize(
    ("tokens", "prompt", "expected"),
    [
        ([5, 6, 7, EOS, PAD, PAD], 2, [0, 0, 1, 1, 0, 0]),  # prompt, two generated, padding
        ([5, EOS, 7, 7, EOS, PAD], 2, [0, 0, 1, 1, 1, 0]),  # an EOS inside the prompt ends nothing
        ([5, 6, EOS, 7, EOS, PAD], 2, [0, 0, 1, 0, 0, 0]),  # nothing after the first EOS
        ([5, 6, 7, 7, 7, 7], 2, [0, 0, 1, 1, 1, 1]),  # cut off at the full width
        ([5, 6, 7, 7, PAD, PAD], 2, [0, 0, 1, 1, 0, 0]),  # cut off, then padded
        ([5, 6, PAD, 7, EOS, PAD], 2, [0, 0, 1, 1, 1, 0]),  # a generated token may have the padding's id
        ([5, PAD, PAD, PAD, PAD, PAD], 2, [0, 0, 0, 0, 0, 0]),  # nothing was generated
        ([5, 6, 7, 7, 7, 7], 6, [0, 0, 0, 0, 0, 0]),  # a prompt as long as the row
        ([EOS, 6, 7, 7, 7, 7], 0, [1, 0, 0, 0, 0, 0]),  # no prompt
    ],
)
def test_masks_with_a_padding_id_of_its_own(tokens: list[int], prompt: int, expected: list[int]) -> None:
    close(response_mask([tokens], [prompt], eos_id=EOS, pad_id=PAD), [expected], within=0)


def test_masks_when_padding_is_eos() -> None:
    rows = [[5, 2, 2, 2], [5, 6, 7, 8], [5, 6, 2, 2]]
    # Without lengths the first EOS after the prompt ends the response, and belongs to it.
    close(
        response_mask(rows, [1, 1, 1], eos_id=2, pad_id=2),
        [[0, 1, 0, 0], [0, 1, 1, 1], [0, 1, 1, 0]],
        within=0,
    )
    # With them, row 2 was cut off after one generated token; what follows is padding.
    close(
        response_mask(rows, [1, 1, 1], eos_id=2, pad_id=2, lengths=[2, 4, 2]),
        [[0, 1, 0, 0], [0, 1, 1, 1], [0, 1, 0, 0]],
        within=0,
    )


def test_lengths_decide_what_is_padding() -> None:
    # A generated token with the padding's id at the very end, kept; an EOS beyond the length, not read.
    close(
        response_mask([[5, 7, PAD, PAD], [5, 7, EOS, EOS]], [1, 1], eos_id=EOS, pad_id=PAD, lengths=[3, 2]),
        [[0, 1, 1, 0], [0, 1, 0, 0]],
        within=0,
    )
    # Nothing generated at all.
    close(response_mask([[5, 7]], [2], eos_id=EOS, pad_id=PAD, lengths=[2]), [[0, 0]], within=0)


def test_masks_are_whole_numbers() -> None:
    mask = response_mask([[5, 7]], [1], eos_id=EOS, pad_id=PAD)
    assert mask.dtype == np.int64
    assert mask.tolist() == [[0, 1]]


def test_a_response_is_as_likely_as_its_tokens_together() -> None:
    log_probs = [[-0.5, -1.0, np.nan], [-2.0, -np.inf, 9.0], [np.nan, np.nan, np.nan]]
    mask = [[1, 1, 0], [1, 0, 0], [0, 0, 0]]
    close(sequence_log_probs(log_probs, mask), [-1.5, -2.0, 0.0], within=0)


def test_two_ratios_of_a_response() -> None:
    new = [[0.1, -0.2, 0.4, 9.0], [-0.5, -0.5, np.nan, np.nan], [np.inf, 0, 0, 0]]
    old = np.where(np.isfinite(new), 0.0, np.nan)
    mask = [[1, 1, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    # sums 0.3 and −1; means 0.1 and −0.5; a response without a token has ratio 1
    close(sequence_ratios(new, old, mask), [np.exp(0.3), np.exp(-1), 1])
    close(length_normalized_ratios(new, mask), [np.exp(0.1), np.exp(-0.5), 1])


def test_ratios_stay_finite() -> None:
    assert np.array_equal(sequence_ratios([[500, 500]], [[0, 0]], [[1, 1]]), [np.exp(700)])
    assert np.array_equal(sequence_ratios([[-500, -500]], [[0, 0]], [[1, 1]]), [np.exp(-700)])
    # The sum is limited, not its terms: 800 − 800 = 0.
    assert np.array_equal(sequence_ratios([[800, -800]], [[0, 0]], [[1, 1]]), [1])
    assert np.array_equal(length_normalized_ratios([[900, 900]], [[1, 1]]), [np.exp(700)])


def test_wrong_arguments_are_named() -> None:
    with refused("logits has shape (2, 3); it must have 3 axes"):
        token_log_probs(np.zeros((2, 3)), [[0, 0]])
    with refused("tokens has shape (1, 2); it must have the first two axes of logits, (1, 3)"):
        token_log_probs(np.zeros((1, 3, 4)), [[0, 0]])
    with refused("tokens[0, 1] is 4; it must be a whole number from 0 to 3"):
        token_log_probs(np.zeros((1, 2, 4)), [[0, 4]])
    with refused("tokens has shape (1, 1); it must have at least two columns"):
        token_log_probs(np.zeros((1, 1, 4)), [[0]])
    ids = {"eos_id": EOS, "pad_id": PAD}
    with refused("prompt_lengths has shape (2,); it must have one entry per row of tokens, (1,)"):
        response_mask([[1, 2]], [1, 1], **ids)
    with refused("prompt_lengths[0] is 3; it must be a whole number from 0 to 2"):
        response_mask([[1, 2]], [3], **ids)
    with refused("lengths[0] is 1; it must be at least prompt_lengths[0], 2"):
        response_mask([[1, 2]], [2], **ids, lengths=[1])
    with refused("eos_id is 0.5; it must be a whole number"):
        response_mask([[1, 2]], [1], eos_id=0.5, pad_id=0)  # type: ignore[arg-type]
    with refused("mask has shape (2,); it must have two axes, (responses, tokens)"):
        sequence_log_probs([0, 0], [1, 1])
    with refused("token_log_probs has shape (1, 3); it must have the shape of mask, (1, 2)"):
        sequence_log_probs([[0, 0, 0]], [[1, 1]])
    with refused("token_log_probs[0, 1] is -infinity; it must be finite"):
        sequence_log_probs([[0, -np.inf]], [[1, 1]])
    with refused("old_log_probs[0, 0] is NaN; it must be finite"):
        sequence_ratios([[0, 0]], [[np.nan, 0]], [[1, 1]])

"""The decoder of 423 parameters: their count, log-probabilities by hand, scores, masks and one update."""

from __future__ import annotations

from itertools import product
from math import log

import numpy as np
import pytest
from expecting import close, refused

from policygrad import (
    DecoderWeights,
    decoder_log_probs,
    decoder_params,
    decoder_step,
    decoder_weights,
    gru_sequence,
    log_softmax,
    masked_update,
    response_log_probs,
    response_mask,
    response_scores,
    sequence_log_probs,
    token_log_probs,
)

TOKENS = np.array([[0, 1, 4, 4, 0, 0], [0, 3, 5, 6, 8, 0], [0, 2, 4, 7, 1, 3]])
MASK = response_mask(TOKENS, [2, 2, 2], eos_id=0, pad_id=0, lengths=[5, 6, 6])[:, 1:]


def params(seed: int = 0) -> np.ndarray:
    return decoder_params(rng=np.random.default_rng(seed))


def test_there_are_exactly_423_parameters() -> None:
    weights = decoder_weights(params())
    assert [array.size for array in weights] == [72, 144, 108, 18, 18, 54, 9]
    assert sum(array.size for array in weights) == 423
    assert weights.embedding.shape == (9, 8)
    assert weights.hidden_weights.shape == (18, 6)
    assert weights.output_weights.shape == (9, 6)


def test_names_and_vector_hold_the_same_numbers() -> None:
    vector = np.arange(423.0)
    weights = decoder_weights(vector)
    assert np.concatenate([array.ravel() for array in weights]).tolist() == vector.tolist()
    weights.embedding[0, 0] = 7
    assert vector[0] == 0  # a copy


def test_first_parameters_have_the_spread_of_their_layers() -> None:
    drawn = np.array([params(seed) for seed in range(300)])
    embedding, rest = drawn[:, :72], drawn[:, 72:]
    assert np.abs(embedding).max() <= 3**0.5
    assert np.abs(rest).max() <= 6**-0.5
    # A uniform distribution between ±w has variance w²/3: 1 and 1/18
    assert embedding.var() == pytest.approx(1, rel=0.02)
    assert rest.var() == pytest.approx(1 / 18, rel=0.02)
    assert params(3).tolist() == params(3).tolist()


def test_zeros_make_every_token_equally_likely() -> None:
    close(decoder_log_probs(np.zeros(423), TOKENS), np.full((3, 5), -log(9)), within=1e-15)


def test_the_output_bias_alone_sets_the_distribution() -> None:
    vector = np.zeros(423)
    vector[-9:] = np.log([1, 2, 3, 4, 5, 6, 7, 8, 9])  # sum 45
    expected = np.log(TOKENS[:, 1:] + 1) - log(45)
    close(decoder_log_probs(vector, TOKENS), expected, within=1e-14)


def test_one_step_by_hand() -> None:
    # Only token 4's embedding reaches the candidate of state 0: 2·3 = 6; r and z are 1/2, h starts at 0.
    # After reading it h = tanh(6)/2; one output weight 10 gives token 5 the logit 5·tanh(6), the others 0.
    weights = decoder_weights(np.zeros(423))
    weights.embedding[4, 0] = 2
    weights.input_weights[12, 0] = 3
    weights.output_weights[5, 0] = 10
    vector = np.concatenate([array.ravel() for array in weights])
    logit = 5 * np.tanh(6.0)
    close(decoder_log_probs(vector, [[4, 5]]), [[logit - log(np.exp(logit) + 8)]], within=1e-14)
    close(decoder_log_probs(vector, [[3, 5]]), [[-log(9)]], within=1e-15)  # another token first


def test_it_is_embedding_gru_and_output() -> None:
    vector = params(1)
    w = decoder_weights(vector)
    gru = [w.input_weights, w.hidden_weights, w.input_bias, w.hidden_bias]
    states = gru_sequence(gru, w.embedding[TOKENS], np.zeros((3, 6)))
    logits = states @ w.output_weights.T + w.output_bias
    close(decoder_log_probs(vector, TOKENS), token_log_probs(logits, TOKENS), within=1e-14)


def test_all_responses_of_a_length_have_probability_1_together() -> None:
    every = np.array([[0, 2, a, b] for a, b in product(range(9), repeat=2)])
    mask = np.tile([0, 1, 1], (81, 1))
    assert np.exp(response_log_probs(params(2), every, mask)).sum() == pytest.approx(1, abs=1e-14)


def test_a_response_is_the_sum_of_its_tokens() -> None:
    vector = params(3)
    by_token = decoder_log_probs(vector, TOKENS)
    close(response_log_probs(vector, TOKENS, MASK), sequence_log_probs(by_token, MASK), within=1e-14)
    # Second row: its four sampled tokens, END with them
    close(response_log_probs(vector, TOKENS, MASK)[1], by_token[1, 1:].sum(), within=1e-14)


def test_what_follows_has_no_influence() -> None:
    vector = params(4)
    changed = TOKENS.copy()
    changed[:, 4:] = 8
    close(decoder_log_probs(vector, changed)[:, :3], decoder_log_probs(vector, TOKENS)[:, :3], within=0)


def test_every_parameter_has_a_gradient_for_some_response() -> None:
    """END's embedding too, since prompts begin with END."""
    tokens = [[0, 1, 4, 5, 6, 7, 8, 2, 3, 0]]
    scores = response_scores(params(5), tokens, [[0, 1, 1, 1, 1, 1, 1, 1, 1]])
    assert np.flatnonzero(scores[0] == 0).tolist() == []


def test_the_embedding_of_a_token_that_was_not_read_has_no_gradient() -> None:
    scores = response_scores(params(5), [[0, 1, 4, 0]], [[0, 1, 1]])
    used = np.abs(scores[0, :72].reshape(9, 8)).sum(axis=1) > 0
    assert used.tolist() == [True, True, False, False, True, False, False, False, False]


def test_scores_average_to_0_under_the_policy() -> None:
    vector = params(6)
    every = np.array([[0, 3, a, b] for a, b in product(range(9), repeat=2)])
    mask = np.tile([0, 1, 1], (81, 1))
    chances = np.exp(response_log_probs(vector, every, mask))
    close(chances @ response_scores(vector, every, mask), np.zeros(423), within=1e-14)


def test_a_response_without_a_token_has_log_probability_and_score_0() -> None:
    empty = MASK.copy()
    empty[1] = 0
    vector = params(7)
    assert response_log_probs(vector, TOKENS, empty)[1] == 0
    assert (response_scores(vector, TOKENS, empty)[1] == 0).all()


def test_an_update_climbs_along_the_mean_of_advantage_times_score() -> None:
    vector, advantages = params(8), np.array([1.0, -2.0, 0.5])
    update = masked_update(vector, TOKENS, MASK, advantages, learning_rate=0.1)
    expected = (advantages[:, np.newaxis] * response_scores(vector, TOKENS, MASK)).mean(axis=0)
    close(update.gradient, expected, within=1e-14)
    close(update.params, vector + 0.1 * expected, within=1e-14)
    close(update.log_probs, response_log_probs(vector, TOKENS, MASK), within=0)
    close(update.new_log_probs, response_log_probs(update.params, TOKENS, MASK), within=0)


def test_an_update_makes_what_was_good_more_likely() -> None:
    update = masked_update(params(9), TOKENS, MASK, [1, 0, -1], learning_rate=0.05)
    assert update.new_log_probs[0] > update.log_probs[0]
    assert update.new_log_probs[2] < update.log_probs[2]


def test_the_advantage_of_an_empty_response_is_not_read() -> None:
    empty = MASK.copy()
    empty[2] = 0
    update = masked_update(params(), TOKENS, empty, [1, -1, np.nan], learning_rate=0.1)
    # It still counts as one of three.
    scores = response_scores(params(), TOKENS, empty)
    close(update.gradient, (scores[0] - scores[1]) / 3, within=1e-15)


def test_without_a_learning_rate_nothing_moves() -> None:
    update = masked_update(params(), TOKENS, MASK, [1, -1, 2], learning_rate=0)
    assert update.params.tolist() == params().tolist()
    assert update.new_log_probs.tolist() == update.log_probs.tolist()


def test_logits_in_the_thousands_are_exact() -> None:
    vector = np.zeros(423)
    vector[-9:] = np.arange(9) * 1e4
    expected = log_softmax(np.arange(9) * 1e4)[TOKENS[:, 1:]]
    close(decoder_log_probs(vector, TOKENS), expected, within=1e-9)
    assert np.isfinite(response_scores(vector, TOKENS, MASK)).all()


def test_errors() -> None:
    vector = params()
    with refused("params has shape (422,); it must have shape (423,)"):
        decoder_log_probs(vector[:-1], TOKENS)
    with refused("params[3] is NaN; it must be finite"):
        decoder_weights(np.where(np.arange(423) == 3, np.nan, vector))
    with refused("tokens[1, 2] is 9; it must be a whole number from 0 to 8"):
        decoder_log_probs(vector, np.where(np.arange(18).reshape(3, 6) == 8, 9, TOKENS))
    with refused("tokens has shape (3, 1); it must have at least two columns"):
        decoder_log_probs(vector, TOKENS[:, :1])
    with refused("mask has shape (3, 6); it must have one entry per token but the first, (3, 5)"):
        response_scores(vector, TOKENS, np.ones((3, 6)))
    with refused("mask[0, 0] is 2; it must be 0 or 1"):
        response_log_probs(vector, TOKENS, MASK + 2)
    with refused("advantages has shape (2,); it must have one entry per row of mask, (3,)"):
        masked_update(vector, TOKENS, MASK, [1, 2], learning_rate=0.1)
    with refused("learning_rate is -1; it must be at least 0"):
        masked_update(vector, TOKENS, MASK, [1, 2, 3], learning_rate=-1)


def test_weights_are_documented_by_name() -> None:
    assert DecoderWeights._fields == (
        "embedding",
        "input_weights",
        "hidden_weights",
        "input_bias",
        "hidden_bias",
        "output_weights",
        "output_bias",
    )


def test_everything_in_one_call() -> None:
    step = decoder_step(
        TOKENS, [2, 2, 2], [1, -1, 0.5], learning_rate=0.1, rng=np.random.default_rng(8), lengths=[5, 6, 6]
    )
    vector = params(8)
    update = masked_update(vector, TOKENS, MASK, [1, -1, 0.5], learning_rate=0.1)
    assert step.num_params == 423
    assert step.mask.tolist() == MASK.tolist()
    close(step.token_log_probs, decoder_log_probs(vector, TOKENS) * MASK, within=1e-15)
    close(step.log_probs, update.log_probs, within=0)
    close(step.new_log_probs, update.new_log_probs, within=0)
    close(step.score_norms, np.linalg.norm(response_scores(vector, TOKENS, MASK), axis=1), within=1e-14)
    assert step.gradient_norm == pytest.approx(np.linalg.norm(update.gradient), abs=1e-15)
    # The first response reads END, "same" and "a": six embeddings of 8 numbers have no gradient.
    assert step.moving_params[0] == 423 - 6 * 8


def test_without_lengths_a_cut_off_response_looks_as_if_it_had_ended() -> None:
    tokens, rngs = [[0, 1, 4, 0, 0]], [np.random.default_rng(1) for _ in range(2)]
    options = {"prompt_lengths": [2], "advantages": [1.0], "learning_rate": 0.1}
    assert decoder_step(tokens, rng=rngs[0], **options).mask.tolist() == [[0, 1, 1, 0]]
    assert decoder_step(tokens, rng=rngs[1], lengths=[3], **options).mask.tolist() == [[0, 1, 0, 0]]

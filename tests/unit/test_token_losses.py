"""Reductions, the token-wise clipped objective and KL in the reward, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from expecting import close, refused

from policygrad import kl_in_reward, reduce_tokens, token_clipped_objective, token_rewards

VALUES = [[1.0, 2.0, 3.0], [4.0, np.nan, np.inf]]
MASK = [[1, 1, 1], [1, 0, 0]]


@pytest.mark.parametrize(
    ("reduction", "expected"),
    [
        ("token_mean", 2.5),  # (1 + 2 + 3 + 4)/4
        ("sequence_mean", 3.0),  # (6/3 + 4/1)/2
        ("sequence_sum", 5.0),  # (6 + 4)/2
        ("constant_length", 1.25),  # 10/(2·4)
    ],
)
def test_four_reductions(reduction: str, expected: float) -> None:
    result = reduce_tokens(VALUES, MASK, reduction=reduction, max_length=4)
    assert result == pytest.approx(expected, abs=1e-15)
    assert isinstance(result, float)


@pytest.mark.parametrize(
    ("reduction", "expected"),
    [
        ("token_mean", 2.0),  # 6/3: counts tokens
        ("sequence_mean", 1.0),  # (2 + 0)/2: an empty response is still one of two
        ("sequence_sum", 3.0),  # (6 + 0)/2
        ("constant_length", 1.0),  # 6/(2·3)
    ],
)
def test_a_response_without_a_token_adds_0_and_counts(reduction: str, expected: float) -> None:
    values = [[1, 2, 3], [np.nan, np.nan, np.nan]]
    assert reduce_tokens(values, [[1, 1, 1], [0, 0, 0]], reduction=reduction, max_length=3) == expected
    assert reduce_tokens(values, np.zeros((2, 3)), reduction=reduction, max_length=3) == 0.0


def test_the_clipped_objective_of_tokens_by_hand() -> None:
    # Ratios (1.5, 1.0) with A = 2 and (0.5) with A = −1, ε = 0.2:
    # min(3, 2.4) = 2.4, min(2, 2) = 2;  min(−0.5, −0.8) = −0.8
    new = np.log([[1.5, 1.0], [0.5, 1.0]])
    new[1, 1] = np.nan
    mask = [[1, 1], [1, 0]]
    options = {"clip_epsilon": 0.2, "max_length": 2}
    for reduction, expected in (
        ("token_mean", (2.4 + 2 - 0.8) / 3),
        ("sequence_mean", (2.2 - 0.8) / 2),
        ("sequence_sum", (4.4 - 0.8) / 2),
        ("constant_length", (4.4 - 0.8) / 4),
    ):
        result = token_clipped_objective(new, np.zeros((2, 2)), [2, -1], mask, reduction=reduction, **options)
        assert result == pytest.approx(expected), reduction


def test_a_wider_upper_clip() -> None:
    # r = 1.5, A = 1: clipped at 1.28
    result = token_clipped_objective(
        np.log([[1.5]]), [[0]], [1], [[1]], clip_epsilon=0.2, clip_epsilon_high=0.28, reduction="token_mean"
    )
    assert result == pytest.approx(1.28)


def test_the_advantage_of_an_empty_response_is_not_read() -> None:
    result = token_clipped_objective(
        [[0.0], [np.inf]], [[0.0], [0.0]], [3, np.nan], [[1], [0]], clip_epsilon=0.2, reduction="sequence_sum"
    )
    assert result == 1.5


def test_kl_in_the_reward_by_hand() -> None:
    # β = 0.5: 2 − 0.5·(0.1 + 0.3) = 1.8;  −1 − 0.5·(−0.2) = −0.9;  an empty response keeps its reward
    log_probs = [[-1.0, -2.0], [-0.7, np.nan], [np.nan, np.nan]]
    reference = [[-1.1, -2.3], [-0.5, np.inf], [np.nan, np.nan]]
    mask = [[1, 1], [1, 0], [0, 0]]
    close(kl_in_reward([2, -1, 4], log_probs, reference, mask, kl_coef=0.5), [1.8, -0.9, 4.0])
    close(kl_in_reward([2, -1, 4], log_probs, reference, mask, kl_coef=0), [2, -1, 4], within=0)


def test_token_rewards_by_hand() -> None:
    kl = [[0.1, 0.2, np.nan], [np.inf, 0.3, 0.4], [np.nan, np.nan, np.nan]]
    mask = [[1, 1, 0], [0, 1, 1], [0, 0, 0]]
    close(
        token_rewards([2, -1, 5], kl, mask, kl_coef=0.5),
        [[-0.05, 1.9, 0], [0, -0.15, -1.2], [0, 0, 0]],
    )


def test_token_rewards_add_up_to_the_shaped_reward() -> None:
    kl, mask = np.array([[0.1, 0.2, 0.7], [0.3, 0.4, -0.1]]), [[1, 1, 0], [1, 1, 1]]
    shaped = kl_in_reward([2, -1], kl, np.zeros((2, 3)), mask, kl_coef=0.5)
    close(token_rewards([2, -1], kl, mask, kl_coef=0.5).sum(axis=1), shaped)


def test_no_negative_zero_is_shown() -> None:
    rewards = token_rewards([1.0], [[0.0, 0.0, 0.0]], [[1, 1, 0]], kl_coef=0.1)
    assert not np.signbit(rewards).any()


def test_wrong_arguments_are_named() -> None:
    with refused(
        'reduction is \'mean\'; it must be "token_mean", "sequence_mean", "sequence_sum" or "constant_length"'
    ):
        reduce_tokens(VALUES, MASK, reduction="mean")
    with refused('max_length is None; it must be given with reduction "constant_length"'):
        reduce_tokens(VALUES, MASK, reduction="constant_length")
    with refused("max_length is 0; it must be at least 1"):
        reduce_tokens(VALUES, MASK, reduction="constant_length", max_length=0)
    with refused("values[0, 1] is NaN; it must be finite"):
        reduce_tokens([[1, np.nan]], [[1, 1]], reduction="token_mean")
    with refused("values has shape (1, 3); it must have the shape of mask, (1, 2)"):
        reduce_tokens([[1, 2, 3]], [[1, 1]], reduction="token_mean")
    clip = {"clip_epsilon": 0.2, "reduction": "token_mean"}
    with refused("advantages has shape (1, 1); it must have one entry per row of mask, (1,)"):
        token_clipped_objective([[0.0]], [[0.0]], [[1]], [[1]], **clip)
    with refused("advantages[0] is NaN; it must be finite"):
        token_clipped_objective([[0.0]], [[0.0]], [np.nan], [[1]], **clip)
    with refused("rewards has shape (2,); it must have one entry per row of mask, (1,)"):
        kl_in_reward([1, 2], [[0.0]], [[0.0]], [[1]], kl_coef=0.1)
    with refused("kl_coef is -0.1; it must be at least 0"):
        token_rewards([1], [[0.0]], [[1]], kl_coef=-0.1)
    with refused("rewards[0] is NaN; it must be finite"):
        token_rewards([np.nan], [[0.0]], [[1]], kl_coef=0.1)

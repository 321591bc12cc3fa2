"""Advantages within groups by name, and the objective of whole responses, by hand."""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np
import pytest
from expecting import close, refused

from policygrad import (
    SequenceObjective,
    dr_grpo_advantages,
    group_advantages,
    group_mean_advantages,
    grpo_advantages,
    kl_k3,
    moving_average_advantages,
    rloo_advantages,
    sequence_objective,
    token_clipped_objective,
)

MASK = np.array([[1, 1, 1, 0], [1, 1, 0, 0]])
OLD = np.array([[-1.0, -2.0, -0.5, np.nan], [-1.5, -0.7, np.inf, np.nan]])
RATIOS = np.array([[1.5, 0.9, 1.1, 1.0], [0.7, 1.3, 1.0, 1.0]])
NEW = OLD + np.log(RATIOS)
REF = np.array([[-1.2, -1.0, -0.4, np.nan], [-1.4, -0.9, np.nan, np.inf]])
A = np.array([2.0, -1.0])


def objective(**options: Any) -> SequenceObjective:
    return sequence_objective(NEW, OLD, A, MASK, REF, **{"clip_epsilon": 0.2, **options})


def test_every_estimator_by_its_name() -> None:
    rewards, ids = [[0.0, 1.0, 0.5, 2.0], [1.0, 1.0, 0.0, 0.0]], [[0, 1, 0, 1], [2, 2, 3, 3]]
    for group_ids in (None, ids):
        close(
            group_advantages(rewards, estimator="rloo", group_ids=group_ids),
            rloo_advantages(rewards, group_ids=group_ids),
            within=0,
        )
        for estimator in ("dr_grpo", "group_mean"):
            close(
                group_advantages(rewards, estimator=estimator, group_ids=group_ids),
                dr_grpo_advantages(rewards, group_ids=group_ids),
                within=0,
            )
        close(
            group_advantages(rewards, estimator="grpo", ddof=1, eps=0.1, scale="batch", group_ids=group_ids),
            grpo_advantages(rewards, ddof=1, eps=0.1, scale="batch", group_ids=group_ids),
            within=0,
        )
    close(group_advantages(rewards, estimator="group_mean"), group_mean_advantages(rewards), within=0)


def test_scale_of_the_batch_by_hand() -> None:
    # Deviations (−1, 1) and (0, 0); all four rewards 0, 2, 1, 1 have variance (1 + 1 + 0 + 0)/4
    close(
        grpo_advantages([[0, 2], [1, 1]], scale="batch", eps=0), [[-(2**0.5), 2**0.5], [0, 0]], within=1e-15
    )
    assert grpo_advantages([[0.1] * 3, [0.1] * 3], scale="batch", eps=0).tolist() == [[0.0] * 3] * 2


def test_a_moving_average_by_hand() -> None:
    # b: 0.5 → 0.9·0.5 + 0.1·1 = 0.55 → 0.9·0.55 + 0.1·0 = 0.495
    result = moving_average_advantages([1, 0], decay=0.9, baseline=0.5)
    close(result.advantages, [0.5, -0.55], within=1e-15)
    close(result.baselines, [0.55, 0.495], within=1e-15)


def test_tokens_with_ratios_of_their_own() -> None:
    # A = 2:  min(3, 2.4), 1.8, 2.2;  A = −1:  min(−0.7, −0.8), min(−1.3, −1.2)
    result = objective()
    assert result.surrogate == pytest.approx((2.4 + 1.8 + 2.2 - 0.8 - 1.3) / 5, abs=1e-14)
    # Slope A·r of what is not clipped: the first of the first and the first of the second are.
    close(result.slopes, np.array([[0, 1.8, 2.2, 0], [0, -1.3, 0, 0]]) / 5, within=1e-14)
    assert result.outside_fraction == pytest.approx(3 / 5)  # 1.5, 0.7, 1.3
    assert result.clipped_fraction == pytest.approx(2 / 5)
    assert result.objective == result.surrogate  # kl_coef is 0


@pytest.mark.parametrize("reduction", ["token_mean", "sequence_mean", "sequence_sum", "constant_length"])
def test_the_surrogate_of_tokens_is_the_core_s(reduction: str) -> None:
    options: dict[str, Any] = {"reduction": reduction, "max_length": 7, "clip_epsilon_high": 0.4}
    expected = token_clipped_objective(NEW, OLD, A, MASK, clip_epsilon=0.2, **options)
    assert objective(**options).surrogate == pytest.approx(expected, abs=1e-14)


def test_one_ratio_per_response() -> None:
    # Products 1.5·0.9·1.1 = 1.485, clipped at 1.2 as A = 2; 0.7·1.3 = 0.91, inside. Mean of two terms.
    result = objective(ratio_level="sequence")
    assert result.surrogate == pytest.approx((2.4 - 0.91) / 2, abs=1e-14)
    close(result.slopes, np.array([[0, 0, 0, 0], [-0.91, -0.91, 0, 0]]) / 2, within=1e-14)
    assert result.outside_fraction == result.clipped_fraction == 0.5


def test_one_length_normalised_ratio_per_response() -> None:
    # Geometric means 1.485^(1/3) = 1.141 and √0.91 = 0.954: both inside
    first, second = 1.485 ** (1 / 3), 0.91**0.5
    result = objective(ratio_level="length_normalized")
    assert result.surrogate == pytest.approx((2 * first - second) / 2, abs=1e-14)
    close(
        result.slopes,
        np.array([[2 * first / 3] * 3 + [0], [-second / 2] * 2 + [0, 0]]) / 2,
        within=1e-14,
    )
    assert result.outside_fraction == 0


def test_at_ratio_1_levels_and_reductions_meet() -> None:
    """A term per response moves its tokens like their sum, or, length-normalised, like their mean."""

    def slopes(**options: Any) -> np.ndarray:
        return sequence_objective(OLD, OLD, A, MASK, clip_epsilon=0.2, **options).slopes

    close(slopes(ratio_level="sequence"), slopes(reduction="sequence_sum"), within=1e-15)
    close(slopes(ratio_level="length_normalized"), slopes(reduction="sequence_mean"), within=1e-15)


ELL = np.where(MASK, REF - NEW, 0.0)
R = np.where(MASK, RATIOS, 0.0)
KAPPA = {"k1": -ELL, "k2": ELL**2 / 2, "k3": np.exp(ELL) - 1 - ELL}
KAPPA_SLOPE = {"k1": np.ones((2, 4)), "k2": -ELL, "k3": 1 - np.exp(ELL)}


@pytest.mark.parametrize("estimator", KAPPA)
@pytest.mark.parametrize("weighting", ["none", "ratio"])
def test_the_kl_in_the_objective(estimator: str, weighting: str) -> None:
    result = objective(kl_coef=0.3, kl_estimator=estimator, kl_weighting=weighting)
    w = R if weighting == "ratio" else MASK
    assert result.kl == pytest.approx((w * KAPPA[estimator]).sum() / 5, abs=1e-14)
    assert result.objective == pytest.approx(result.surrogate - 0.3 * result.kl, abs=1e-14)
    slope = w * KAPPA_SLOPE[estimator] + (w * KAPPA[estimator] if weighting == "ratio" else 0)
    close(result.slopes, objective().slopes - 0.3 * slope / 5, within=1e-14)


def test_a_weighted_k3_moves_tokens_as_k1_in_the_reward_would() -> None:
    # r (κ + κ′) of k3 is −r ℓ
    slopes = objective(kl_coef=1, kl_estimator="k3").slopes - objective().slopes
    close(slopes, R * ELL / 5, within=1e-14)


def test_the_kl_is_told_without_being_weighed() -> None:
    assert objective().kl == pytest.approx((R * KAPPA["k3"]).sum() / 5, abs=1e-14)
    assert sequence_objective(NEW, OLD, A, MASK, clip_epsilon=0.2).kl == 0


def test_the_reduction_is_that_of_the_kl_too() -> None:
    result = objective(ratio_level="sequence", reduction="sequence_sum", kl_weighting="none", kl_coef=0.1)
    assert result.kl == pytest.approx(kl_k3(ELL).sum() / 2, abs=1e-14)


def test_a_response_without_a_token_adds_0_and_counts() -> None:
    mask = np.array([[1, 1, 1, 0], [0, 0, 0, 0]])
    for level in ("token", "sequence", "length_normalized"):
        result = sequence_objective(
            NEW, OLD, [2, np.nan], mask, clip_epsilon=0.2, ratio_level=level, reduction="sequence_sum"
        )
        alone = sequence_objective(
            NEW[:1], OLD[:1], [2], mask[:1], clip_epsilon=0.2, ratio_level=level, reduction="sequence_sum"
        )
        assert result.objective == pytest.approx(alone.objective / 2, abs=1e-15)
        assert (result.slopes[1] == 0).all()
        assert result.outside_fraction == alone.outside_fraction


def test_without_any_token_everything_is_0() -> None:
    for level in ("token", "sequence", "length_normalized"):
        result = sequence_objective(
            NEW, OLD, A, MASK * 0, REF, clip_epsilon=0.2, ratio_level=level, kl_coef=1
        )
        assert result.objective == result.kl == result.outside_fraction == result.clipped_fraction == 0
        assert (result.slopes == 0).all()


def test_enormous_differences_stay_finite() -> None:
    far = sequence_objective([[-1.0]], [[-5000.0]], [-1], [[1]], [[-9000.0]], clip_epsilon=0.2, kl_coef=1)
    assert np.isfinite(far.slopes).all()
    low = sequence_objective([[-5000.0]], [[-1.0]], [1], [[1]], [[-0.5]], clip_epsilon=0.2, kl_coef=1)
    assert np.isfinite([low.objective, low.kl]).all()


def test_an_unequal_pair_by_hand() -> None:
    # One token: ratio e^0.1 = 1.105 inside, A = 1, ℓ = −0.3 − (−0.9) = 0.6
    result = sequence_objective(
        [[-0.9]], [[-1.0]], [1], [[1]], [[-0.3]], clip_epsilon=0.2, kl_coef=0.5, kl_weighting="none"
    )
    assert result.objective == pytest.approx(exp(0.1) - 0.5 * (exp(0.6) - 1.6), abs=1e-14)
    assert result.slopes[0, 0] == pytest.approx(exp(0.1) - 0.5 * (1 - exp(0.6)), abs=1e-14)
    assert log(exp(0.1)) == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"ratio_level": "word"},
            'ratio_level is \'word\'; it must be "token", "sequence" or "length_normalized"',
        ),
        ({"kl_estimator": "k4"}, 'kl_estimator is \'k4\'; it must be "k1", "k2" or "k3"'),
        ({"kl_weighting": "half"}, 'kl_weighting is \'half\'; it must be "ratio" or "none"'),
        ({"kl_coef": -1}, "kl_coef is -1; it must be at least 0"),
        ({"clip_epsilon": 1}, "clip_epsilon is 1; it must be at least 0 and below 1"),
        (
            {"reduction": "constant_length"},
            'max_length is None; it must be given with reduction "constant_length"',
        ),
    ],
)
def test_options_out_of_range(wrong: dict[str, Any], message: str) -> None:
    with refused(message):
        objective(**wrong)


def test_errors() -> None:
    with refused("ref_log_probs is None; it must be given when kl_coef is above 0"):
        sequence_objective(NEW, OLD, A, MASK, clip_epsilon=0.2, kl_coef=0.1)
    with refused("old_log_probs has shape (2, 3); it must have the shape of mask, (2, 4)"):
        sequence_objective(NEW, OLD[:, :3], A, MASK, clip_epsilon=0.2)
    with refused("ref_log_probs[0, 0] is NaN; it must be finite"):
        sequence_objective(NEW, OLD, A, MASK, np.full((2, 4), np.nan), clip_epsilon=0.2)
    with refused('estimator is \'ppo\'; it must be "rloo", "grpo", "dr_grpo" or "group_mean"'):
        group_advantages([1, 2], estimator="ppo")
    with refused('scale is \'none\'; it must be "group" or "batch"'):
        grpo_advantages([1, 2], scale="none")
    with refused("decay is 1.1; it must be at least 0 and at most 1"):
        moving_average_advantages([1], decay=1.1)

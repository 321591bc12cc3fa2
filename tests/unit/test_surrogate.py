"""PPO's clipped surrogate and the sampled KL estimators, by hand."""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np
import pytest
from expecting import close, refused, right_not

from policygrad import (
    clip_bounds,
    clipped_fraction,
    clipped_objective,
    clipped_objective_slope,
    kl_divergence,
    kl_k1,
    kl_k2,
    kl_k3,
    outside_fraction,
    probability_ratios,
    surrogate_terms,
)

HUGE = exp(700)


def test_the_numbers_of_the_lesson() -> None:
    # A = +2: min(1.4·2, 1.2·2) = min(2.8, 2.4);  A = −2: min(−2.8, −2.4)
    assert clipped_objective(1.4, 2, clip_epsilon=0.2) == 2.4
    assert clipped_objective(1.4, -2, clip_epsilon=0.2) == -2.8


# ratio, advantage → objective, slope, with ε = 0.2: the interval is 0.8 to 1.2
SIX_CASES_AND_EDGES = [
    (0.5, 2, 1.0, 2),  # below, A > 0: min(1.0, 1.6), still pushed up
    (1.0, 2, 2.0, 2),  # inside: both branches are 2
    (1.5, 2, 2.4, 0),  # above, A > 0: min(3.0, 2.4), far enough
    (0.5, -2, -1.6, 0),  # below, A < 0: min(−1.0, −1.6), far enough
    (1.0, -2, -2.0, -2),
    (1.5, -2, -3.0, -2),  # above, A < 0: min(−3.0, −2.4), pulled back
    (0.8, 2, 1.6, 2),  # an edge belongs to the interval: equal branches, slope A
    (1.2, 2, 2.4, 2),
    (0.8, -2, -1.6, -2),
    (1.2, -2, -2.4, -2),
    (0.5, 0, 0.0, 0),
    (1.5, 0, 0.0, 0),
    (0.0, 3, 0.0, 3),
    (0.0, -3, -2.4, 0),
]


@pytest.mark.parametrize(("ratio", "advantage", "objective", "slope"), SIX_CASES_AND_EDGES)
def test_six_cases_and_the_edges(ratio: float, advantage: float, objective: float, slope: float) -> None:
    assert clipped_objective(ratio, advantage, clip_epsilon=0.2) == pytest.approx(objective, abs=1e-15)
    assert clipped_objective_slope(ratio, advantage, clip_epsilon=0.2) == slope
    terms = surrogate_terms(ratio, advantage, clip_epsilon=0.2)
    assert terms.objective == clipped_objective(ratio, advantage, clip_epsilon=0.2)
    assert terms.slope == slope
    assert terms.unclipped == ratio * advantage
    assert terms.clipped == min(max(ratio, 0.8), 1.2) * advantage
    assert clipped_fraction(ratio, advantage, clip_epsilon=0.2) == float(slope == 0 and advantage != 0)


def test_arrays_and_single_numbers_go_together() -> None:
    # one advantage for all ratios: min(1, 1.6), min(2, 2), min(3, 2.4)
    close(clipped_objective([0.5, 1.0, 1.5], 2, clip_epsilon=0.2), [1.0, 2.0, 2.4], within=1e-15)
    close(clipped_objective(1.5, [2, -2], clip_epsilon=0.2), [2.4, -3.0], within=1e-15)
    close(clipped_objective([[1.5], [0.5]], [[1], [1]], clip_epsilon=0.2), [[1.2], [0.5]])


@pytest.mark.parametrize("ratio", [0.0, 1.0, 1e300, HUGE])
@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_no_advantage_contributes_exactly_0(ratio: float, zero: float) -> None:
    for value in (
        clipped_objective(ratio, zero, clip_epsilon=0.2),
        clipped_objective_slope(ratio, zero, clip_epsilon=0.2),
        surrogate_terms(ratio, zero, clip_epsilon=0.2).objective,
    ):
        assert value == 0
    assert not np.signbit(clipped_objective(ratio, zero, clip_epsilon=0.2))
    assert clipped_fraction(ratio, zero, clip_epsilon=0.2) == 0


def test_a_product_too_large_for_a_float_does_not_hide_the_clipped_branch() -> None:
    assert clipped_objective(HUGE, 1e10, clip_epsilon=0.2) == pytest.approx(1.2e10)
    assert clipped_objective(HUGE, -1e10, clip_epsilon=0.2) == -np.inf


def test_a_width_of_its_own_above() -> None:
    bounds = clip_bounds(clip_epsilon=0.2, clip_epsilon_high=0.28)
    assert (bounds.low, bounds.high) == (0.8, 1.28)
    assert clip_bounds(clip_epsilon=0.2).high == 1.2
    assert clip_bounds(clip_epsilon=0, clip_epsilon_high=0).low == 1
    assert outside_fraction([0.79, 0.8, 1.28, 1.29], clip_epsilon=0.2, clip_epsilon_high=0.28) == 0.5


def test_just_past_an_edge_the_slope_is_0_although_the_products_are_equal() -> None:
    # 1.7·(1.2 + 2e−16) rounds to 1.7·1.2: the bounds decide, not the products
    ratio, advantage = np.nextafter(1.2, 2), 1.7
    assert ratio * advantage == 1.2 * advantage
    assert clipped_objective_slope(ratio, advantage, clip_epsilon=0.2) == 0
    assert outside_fraction([ratio], clip_epsilon=0.2) == 1


def test_ratios_are_limited_to_what_a_float_holds() -> None:
    # 0.7/0.5 and 0.2/0.4
    close(probability_ratios(np.log([0.7, 0.2]), np.log([0.5, 0.4])), [1.4, 0.5], within=1e-15)
    close(probability_ratios([-1.0, -2.0], -1.0), [1.0, exp(-1)], within=1e-15)
    assert probability_ratios(0.0, -800.0) == HUGE
    assert probability_ratios(-800.0, 0.0) == exp(-700) > 0
    assert probability_ratios(1e308, -1e308) == HUGE


def test_estimators_of_single_samples() -> None:
    # log r = log 2: k1 = −0.693147, k2 = ½·0.480453 = 0.240227, k3 = (2 − 1) − 0.693147 = 0.306853
    assert kl_k1(log(2)) == -log(2)
    assert kl_k2(log(2)) == pytest.approx(0.240227, abs=5e-7)
    assert kl_k3(log(2)) == pytest.approx(0.306853, abs=5e-7)
    for estimator in (kl_k1, kl_k2, kl_k3):
        assert estimator(0.0) == 0
        assert not np.signbit(estimator(0.0))
        assert estimator([0.1, 0.2]).shape == (2,)


def test_estimators_limit_the_logarithm() -> None:
    assert kl_k1(1e6) == -700
    assert kl_k2(-1e6) == 245000  # ½·700²
    assert kl_k3(1e6) == HUGE - 701
    assert kl_k3(-1e6) == 699  # (0 − 1) + 700


ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"clip_epsilon": 1}, "clip_epsilon is 1; it must be at least 0 and below 1"),
    ({"clip_epsilon": -0.1}, "clip_epsilon is -0.1; it must be at least 0 and below 1"),
    ({"clip_epsilon_high": -0.1}, "clip_epsilon_high is -0.1; it must be at least 0"),
    ({"clip_epsilon_high": np.inf}, "clip_epsilon_high is infinity; it must be finite and at least 0"),
    ({"ratios": [1, -0.5]}, "ratios[1] is -0.5; it must not be below 0"),
    ({"ratios": [1, np.inf]}, "ratios[1] is infinity; it must be finite"),
    ({"advantages": [1, np.nan]}, "advantages[1] is NaN; it must be finite"),
    ({"advantages": [[1], [2]]}, "advantages has shape (2, 1); it must have the shape of ratios, (2,)"),
    ({"ratios": []}, "ratios is empty, shape (0,); it must hold at least one number"),
]


@pytest.mark.parametrize("function", [clipped_objective, clipped_objective_slope, clipped_fraction])
@pytest.mark.parametrize(("wrong", "message"), ERRORS)
def test_errors(function: Any, wrong: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"ratios": [1.0, 1.0], "advantages": [1.0, 1.0], "clip_epsilon": 0.2} | wrong
    with refused(message):
        function(arguments.pop("ratios"), arguments.pop("advantages"), **arguments)


def test_errors_of_the_others() -> None:
    with refused("old_log_probs has shape (2,); it must have the shape of log_probs, (1,)"):
        probability_ratios([0.0], [0.0, 0.0])
    with refused("old_log_probs[0] is -infinity; it must be finite"):
        probability_ratios([0.0], [-np.inf])
    with refused("log_ratios is NaN; it must be finite"):
        kl_k3(np.nan)
    with refused("ratio is -1; it must be at least 0"):
        surrogate_terms(-1, 1, clip_epsilon=0.2)
    with refused("advantage is infinity; it must be finite"):
        surrogate_terms(1, np.inf, clip_epsilon=0.2)


def test_clipped_is_not_the_same_as_outside() -> None:
    """Mistake pp01: every ratio outside is counted as clipped. Two of the four point inwards."""
    ratios, advantages = [1.5, 1.5, 0.5, 0.5, 1.1], [1, -1, 1, -1, 1]
    assert outside_fraction(ratios, clip_epsilon=0.2) == 0.8
    right_not(clipped_fraction(ratios, advantages, clip_epsilon=0.2), right=0.4, mistake=0.8)
    # (1.2 − 1.5 + 0.5 − 0.8 + 1.1)/5
    right_not(np.mean(clipped_objective(ratios, advantages, clip_epsilon=0.2)), right=0.1, mistake=0.0)


def test_ratios_compare_with_the_stored_policy() -> None:
    """Mistake pp03: the old log-probability is recomputed, so that every ratio is 1."""
    # 0.6/0.5 and 0.5/0.75
    ratios = probability_ratios(np.log([0.6, 0.5]), np.log([0.5, 0.75]))
    right_not(ratios, right=[1.2, 2 / 3], mistake=[1.0, 1.0])


def test_the_two_ways_to_write_the_objective_agree() -> None:
    """Mistake pp05: min(rA, g(A)) with g = (1 ± ε)A taken for another objective, or no min at all."""
    ratios, advantages = np.repeat([0.5, 0.9, 1.1, 2.0], 2), np.tile([1.0, -1.0], 4)
    right = [0.5, -0.8, 0.9, -0.9, 1.1, -1.1, 1.2, -2.0]
    mistake = [0.5, -0.5, 0.9, -0.9, 1.1, -1.1, 2.0, -2.0]
    right_not(clipped_objective(ratios, advantages, clip_epsilon=0.2), right=right, mistake=mistake)
    bound = np.where(advantages > 0, 1.2, 0.8) * advantages
    close(np.minimum(ratios * advantages, bound), right)


def test_the_upper_width_is_its_own() -> None:
    """Mistake pp09: one width for both sides."""
    ratios, advantages, widths = [1.25, 1.3, 0.75, 0.75], [1, 1, -1, 1], (0.2, 0.28)
    low, high = widths
    objective = clipped_objective(ratios, advantages, clip_epsilon=low, clip_epsilon_high=high)
    right_not(objective, right=[1.25, 1.28, -0.8, 0.75], mistake=[1.2, 1.2, -0.8, 0.75])
    slope = clipped_objective_slope(ratios, advantages, clip_epsilon=low, clip_epsilon_high=high)
    right_not(slope == 0, right=[0, 1, 1, 0], mistake=[1, 1, 1, 0])


def test_huge_log_ratios_stay_numbers() -> None:
    """Mistake pp11: exp overflows and inf·0 makes the loss NaN."""
    ratios = probability_ratios([800.0, 800.0, -800.0, -800.0], 0.0)
    objective = clipped_objective(ratios, [0, 1, 1, -1], clip_epsilon=0.2)
    right_not(objective, right=[0, 1.2, 0, -0.8], mistake=[np.nan, 1.2, 0, -0.8])


def test_estimators_average_to_the_divergence_of_the_old_policy() -> None:
    """Mistake kl03: KL(new‖old) where samples of the old policy estimate KL(old‖new)."""
    old, new = np.array([0.5, 0.3, 0.2]), np.array([0.25, 0.25, 0.5])
    log_ratios = np.log(new / old)
    right_not(old @ kl_k1(log_ratios), right=0.21801191094332803, mistake=0.23927818159860254)
    right_not(old @ kl_k2(log_ratios), right=0.2090582965221635, mistake=0.2741089468283653)
    right_not(old @ kl_k3(log_ratios), right=0.21801191094332803, mistake=0.23927818159860254)
    close(kl_divergence(old, new), 0.21801191094332803)


def test_k3_keeps_its_digits_near_1() -> None:
    """Mistake kl09: exp(x) − 1 − x loses every digit for a small x."""
    x = np.array([1e-6, -1e-6, 1e-4, 0.1])
    right = np.array(
        [5.000001666667083e-13, 4.999998333333749e-13, 5.0001666708334175e-9, 0.005170918075647625]
    )
    np.testing.assert_allclose(kl_k3(x), right, rtol=1e-6)
    assert not np.allclose(np.exp(x) - 1 - x, right, rtol=1e-6, atol=0)


def test_k3_is_quieter_near_and_noisier_far() -> None:
    """Mistake kl15: k3 believed to have the lower variance always."""

    def variance(estimator: Any, p: list[float], q: list[float]) -> float:
        values, weights = estimator(np.log(q) - np.log(p)), np.array(p)
        return float(weights @ (values - weights @ values) ** 2)

    near, far = ([0.5, 0.5], [0.55, 0.45]), ([0.99, 0.01], [0.5, 0.5])
    right_not(variance(kl_k1, *near), right=0.010067182004315854, mistake=1.1245810073753996e-07)
    right_not(variance(kl_k3, *near), right=1.1245810073753996e-07, mistake=0.010067182004315854)
    right_not(variance(kl_k1, *far), right=0.20903975172729927, mistake=19.958347551120653)
    right_not(variance(kl_k3, *far), right=19.958347551120653, mistake=0.20903975172729927)


def test_a_masked_mean_divides_by_the_entries_it_adds() -> None:
    """Mistake pp07: the sum over 6 entries divided by the 2 entries of a mask that was not yet broadcast."""
    log_ratios = np.array([[[0.1, -0.2, 0.3], [0.4, 0.0, -0.1]]])
    mask = np.broadcast_to(np.array([[[1], [1]]]) == 1, log_ratios.shape)
    # −(0.1 − 0.2 + 0.3 + 0.4 − 0.1)/6 = −0.5/6;  outside: e^0.3 = 1.35 and e^0.4 = 1.49
    right_not(np.mean(kl_k1(log_ratios[mask])), right=-0.5 / 6, mistake=-0.25)
    right_not(outside_fraction(np.exp(log_ratios[mask]), clip_epsilon=0.2), right=1 / 3, mistake=1.0)

"""Mistakes that published programs contain: direction, sign, gradient and precision of the KL divergence.

Each test reaches the right value and shows the value that the mistake leads to, which it must not reach.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from expecting import close, right_not

from policygrad import (
    entropy,
    exact_policy_gradient,
    kl_divergence,
    kl_k1,
    kl_k2,
    kl_k3,
    log_softmax,
    reduce_tokens,
    score,
    softmax,
)

P, Q = np.array([0.5, 0.3, 0.2]), np.array([0.25, 0.25, 0.5])
P_Q, Q_P = 0.21801191094332803, 0.23927818159860254
EXACT = [0.23756763480830864, -0.01070710624481202, -0.22686052856349662]
"""π_i (log(π_i/ref_i) − KL), the gradient of D_KL(P‖Q) in P's logits."""


def slopes(function: Callable[[np.ndarray], float], at: np.ndarray) -> np.ndarray:
    """Central differences in every coordinate."""
    width = 1e-5
    steps = width * np.eye(len(at))
    return np.array([(function(at + step) - function(at - step)) / (2 * width) for step in steps])


def test_the_two_directions() -> None:
    right_not(kl_divergence(P, Q), right=P_Q, mistake=Q_P)
    right_not(kl_divergence(Q, P), right=Q_P, mistake=P_Q)
    # As a penalty in the reward it lowers it.
    right_not(-0.5 * kl_divergence(P, Q), right=-0.10900595547166401, mistake=0.10900595547166401)


def test_samples_of_the_old_policy_estimate_old_from_new() -> None:
    old, new = P, Q
    log_ratios = np.log(new) - np.log(old)
    right_not(old @ kl_k1(log_ratios), right=P_Q, mistake=Q_P)
    right_not(old @ kl_k3(log_ratios), right=P_Q, mistake=Q_P)
    right_not(old @ kl_k2(log_ratios), right=0.2090582965221635, mistake=0.2741089468283653)


@pytest.mark.parametrize(
    ("estimator", "right", "mistake"),
    [
        (kl_k1, [0, 0, 0], EXACT),  # E[score] = 0: a loss of k1 does nothing on average
        (kl_k2, EXACT, [0, 0, 0]),
        (kl_k3, P - Q, EXACT),  # the gradient of the other direction, D_KL(Q‖P)
    ],
    ids=["k1", "k2", "k3"],
)
def test_the_slope_of_an_estimator_is_not_always_that_of_the_kl(estimator, right, mistake) -> None:  # type: ignore[no-untyped-def]
    """Actions are drawn first and held; then the sampled value is differentiated."""
    expected = sum(
        P[a] * slopes(lambda z, a=a: float(estimator(np.log(Q[a]) - log_softmax(z)[a])), np.log(P))
        for a in range(3)
    )
    right_not(expected, right=right, mistake=mistake, within=1e-8)
    close(slopes(lambda z: float(kl_divergence(softmax(z), Q)), np.log(P)), EXACT, within=1e-8)


def test_the_entropy_bonus_is_subtracted_from_the_loss() -> None:
    logits, coefficient = np.log([1.0, 3.0]), 0.01
    bonus = coefficient * float(entropy(softmax(logits)))
    close(entropy(softmax(logits)), 0.5623351446188084)
    right_not(0.3 + 0.5 * 0.8 - bonus, right=0.6943766485538119, mistake=0.705623351446188)
    gradient = slopes(lambda z: -coefficient * float(entropy(softmax(z))), logits)
    # Down this gradient the likelier action loses.
    right_not(gradient, right=[-0.002059898041252706, 0.002059898041252706], mistake=[0, 0], within=1e-9)


def test_small_log_ratios_keep_their_digits() -> None:
    x = np.array([1e-6, -1e-6, 1e-4, 0.1])
    right = [5.000001666667083e-13, 4.999998333333749e-13, 5.0001666708334175e-09, 0.005170918075647625]
    np.testing.assert_allclose(kl_k3(x), right, rtol=1e-9)
    naive = np.exp(x) - 1 - x
    assert np.abs(naive / right - 1).max() > 1e-5


def test_the_old_policy_is_kept_apart_from_the_new_one() -> None:
    old, new = softmax([[0, 0], [1, 0]]), softmax([[0.5, 0], [1, -1]])
    right_not(
        kl_divergence(old, new),
        right=[0.030929803620161372, 0.08260774489474479],
        mistake=kl_divergence(new, new),
    )


def test_the_score_function_gives_the_gradient_of_the_kl() -> None:
    logits, reference = np.log([1.0, 2.0, 2.0]), np.array([0.25, 0.25, 0.5])
    probs = softmax(logits)
    log_ratios = np.log(probs) - np.log(reference)
    right = [-0.055451774444795626, 0.16635532333438688, -0.11090354888959125]
    close(kl_divergence(probs, reference), 0.054115320909768366)
    close(slopes(lambda z: float(kl_divergence(softmax(z), reference)), logits), right, within=1e-8)
    by_scores = sum(probs[a] * log_ratios[a] * score(probs, a) for a in range(3))
    # Through the sampled log-difference itself the gradient is E[score] = 0.
    right_not(by_scores, right=right, mistake=[0, 0, 0])
    close(exact_policy_gradient(logits, log_ratios), right)


def test_k3_is_quieter_only_nearby() -> None:
    def variances(p: np.ndarray, q: np.ndarray) -> list[float]:
        log_ratios = np.log(q) - np.log(p)
        return [float(p @ np.square(k) - (p @ k) ** 2) for k in (kl_k1(log_ratios), kl_k3(log_ratios))]

    near = variances(np.array([0.5, 0.5]), np.array([0.55, 0.45]))
    close(near, [0.010067182004315854, 1.1245810073753996e-07])
    far = variances(np.array([0.99, 0.01]), np.array([0.5, 0.5]))
    right_not(far, right=[0.20903975172729927, 19.958347551120653], mistake=far[::-1])


def test_a_kl_term_in_the_loss_has_a_gradient() -> None:
    log_probs, reference, coefficient = np.array([-1.0, -2.0]), np.array([-1.5, -1.5]), 0.04

    def term(values: np.ndarray) -> float:
        token_kl = kl_k3(reference - values)
        return coefficient * reduce_tokens([token_kl], [[1, 1]], reduction="token_mean")

    # β/N (1 − ref/π)
    gradient = slopes(term, log_probs)
    right_not(gradient, right=[0.00786938680574733, -0.012974425414002563], mistake=[0, 0])

"""What the sampled KL estimators, and their gradients, are on average: sums over every action."""

from __future__ import annotations

import numpy as np
import pytest

from policygrad import kl_divergence, kl_k1, kl_k2, kl_k3, score

POLICY = np.array([0.5, 0.3, 0.2])
OTHER = np.array([0.25, 0.25, 0.5])
SCORES = np.array([score(POLICY, action) for action in range(3)])


def test_k1_and_k3_are_unbiased_and_k2_is_not() -> None:
    log_ratios = np.log(OTHER / POLICY)  # actions come from POLICY
    exact = kl_divergence(POLICY, OTHER)
    assert POLICY @ kl_k1(log_ratios) == pytest.approx(exact, abs=1e-15)
    assert POLICY @ kl_k3(log_ratios) == pytest.approx(exact, abs=1e-15)
    assert abs(POLICY @ kl_k2(log_ratios) - exact) > 0.008


def test_the_bias_of_k2_is_of_third_order() -> None:
    errors = []
    for size in (0.1, 0.05):
        near = POLICY + size * np.array([0.1, -0.1, 0.0])
        errors.append(abs(POLICY @ kl_k2(np.log(near / POLICY)) - kl_divergence(POLICY, near)))
    assert errors[0] / errors[1] == pytest.approx(8, rel=0.1)  # half the distance, an eighth of the bias


def test_the_gradient_of_a_sampled_estimate_is_not_the_gradient_of_the_divergence() -> None:
    """Mistake kl05: differentiating sampled k1 or k3, samples held fixed, to get ∇KL(π‖ref).

    With log r = log π_ref − log π the chain rule gives ∇k = −k′(log r)·score; k1′ = −1, k2′ = log r,
    k3′ = r − 1. The averages: 0, the gradient of KL(π‖ref), and that of KL(ref‖π), which is π − ref.
    """
    log_r = np.log(OTHER / POLICY)
    divergence = kl_divergence(POLICY, OTHER)
    exact = POLICY * (np.log(POLICY / OTHER) - divergence)
    width, derivatives = 1e-6, {}
    for name, estimator in (("k1", kl_k1), ("k2", kl_k2), ("k3", kl_k3)):
        slope = (estimator(log_r + width) - estimator(log_r - width)) / (2 * width)
        derivatives[name] = POLICY @ (-slope[:, np.newaxis] * SCORES)
    np.testing.assert_allclose(derivatives["k1"], [0, 0, 0], atol=1e-9)
    np.testing.assert_allclose(derivatives["k2"], exact, atol=1e-9)
    np.testing.assert_allclose(derivatives["k3"], POLICY - OTHER, atol=1e-9)
    right = [0.23756763480830864, -0.01070710624481202, -0.22686052856349662]
    np.testing.assert_allclose(exact, right, atol=1e-12)
    assert not np.allclose(derivatives["k1"], right, atol=1e-3)
    assert not np.allclose(derivatives["k3"], right, atol=1e-3)

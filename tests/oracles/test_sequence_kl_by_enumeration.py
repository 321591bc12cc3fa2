"""Which divergence a KL estimator in the objective pulls towards, over all actions of a small policy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from policygrad import kl_divergence, log_softmax, sequence_objective, softmax

LOGITS, OLD, REF = (
    np.array([0.3, -1.0, 0.8, 0.1]),
    np.array([0.5, -0.4, 0.2, 0.6]),
    np.array([-0.2, 0.7, 0.0, 0.4]),
)


def mean_pull(logits: np.ndarray, old: np.ndarray, **options: Any) -> np.ndarray:
    """Expected gradient in the logits that β = 1 takes off, over actions drawn from the old policy."""
    current, sampled, reference = (log_softmax(z)[:, np.newaxis] for z in (logits, old, REF))
    total = np.zeros(4)
    for action in range(4):  # a batch of one response with one token
        result = sequence_objective(
            current[[action]],
            sampled[[action]],
            [0.0],
            [[1]],
            reference[[action]],
            clip_epsilon=0.2,
            kl_coef=1.0,
            **options,
        )
        score = (np.arange(4) == action) - softmax(logits)
        total -= softmax(old)[action] * result.slopes[0, 0] * score
    return total


def gradient_of_kl(logits: np.ndarray) -> np.ndarray:
    """∂/∂z D_KL(π‖π_ref) = π (log π/π_ref − KL)."""
    p, q = softmax(logits), softmax(REF)
    return p * (np.log(p / q) - kl_divergence(p, q))


@pytest.mark.parametrize("old", [LOGITS, OLD], ids=["on-policy", "off-policy"])
@pytest.mark.parametrize("estimator", ["k1", "k3"])
def test_weighted_by_the_ratio_it_is_the_kl_to_the_reference(old: np.ndarray, estimator: str) -> None:
    pull = mean_pull(LOGITS, old, kl_estimator=estimator, kl_weighting="ratio")
    np.testing.assert_allclose(pull, gradient_of_kl(LOGITS), atol=1e-14)


def test_weighted_by_the_ratio_k2_is_half_the_mean_square() -> None:
    # ∂/∂z E_π[ℓ²/2] = π (f − E f) with f = ℓ²/2 − ℓ
    p, ell = softmax(LOGITS), log_softmax(REF) - log_softmax(LOGITS)
    f = ell**2 / 2 - ell
    pull = mean_pull(LOGITS, OLD, kl_estimator="k2", kl_weighting="ratio")
    np.testing.assert_allclose(pull, p * (f - p @ f), atol=1e-14)
    near = REF + 1e-3 * LOGITS  # close to the reference that is the gradient of the KL
    close = mean_pull(near, near, kl_estimator="k2", kl_weighting="ratio")
    np.testing.assert_allclose(close, gradient_of_kl(near), atol=1e-6)


def test_samples_as_fixed_k1_pulls_nowhere() -> None:
    pull = mean_pull(LOGITS, LOGITS, kl_estimator="k1", kl_weighting="none")
    np.testing.assert_allclose(pull, 0, atol=1e-15)
    assert np.abs(gradient_of_kl(LOGITS)).max() > 0.1


def test_samples_as_fixed_k2_is_the_kl_to_the_reference() -> None:
    pull = mean_pull(LOGITS, LOGITS, kl_estimator="k2", kl_weighting="none")
    np.testing.assert_allclose(pull, gradient_of_kl(LOGITS), atol=1e-15)


def test_samples_as_fixed_k3_is_the_other_divergence() -> None:
    # ∂/∂z D_KL(π_ref‖π) = π − π_ref
    pull = mean_pull(LOGITS, LOGITS, kl_estimator="k3", kl_weighting="none")
    np.testing.assert_allclose(pull, softmax(LOGITS) - softmax(REF), atol=1e-15)
    assert np.abs(pull - gradient_of_kl(LOGITS)).max() > 0.01


@pytest.mark.parametrize("estimator", ["k1", "k2", "k3"])
def test_samples_as_fixed_go_wrong_when_the_policy_has_moved(estimator: str) -> None:
    pull = mean_pull(LOGITS, OLD, kl_estimator=estimator, kl_weighting="none")
    assert np.abs(pull - gradient_of_kl(LOGITS)).max() > 0.01

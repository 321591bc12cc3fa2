"""Laws of softmax, entropy, divergence and scores."""

from __future__ import annotations

import numpy as np
import pytest
from drawing import logits_and_values
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from policygrad import entropy, kl_divergence, kl_terms, log_softmax, score, softmax

EXTREME = st.floats(-1e4, 1e4, allow_subnormal=False)
SIZES = st.integers(1, 6)


@st.composite
def logits(draw: st.DrawFn) -> np.ndarray:
    """(A,) or (N, A) logits up to ±1e4, some of them −infinity, never a whole row."""
    shape = draw(st.sampled_from([(draw(SIZES),), (3, draw(SIZES))]))
    values = draw(arrays(np.float64, shape, elements=EXTREME))
    missing = draw(arrays(np.bool_, shape))
    missing[..., draw(st.integers(0, shape[-1] - 1))] = False
    return np.where(missing, -np.inf, values)


@st.composite
def pairs(draw: st.DrawFn, sizes: st.SearchStrategy[int] = SIZES) -> tuple[np.ndarray, np.ndarray]:
    """Two distributions of one shape; some probabilities are 0."""
    size = draw(sizes)
    weights = st.one_of(st.just(0.0), st.floats(1e-6, 1))
    p, q = (draw(arrays(np.float64, size, elements=weights)) for _ in range(2))
    for shares in (p, q):
        shares[draw(st.integers(0, size - 1))] += 1e-3
    return p / p.sum(), q / q.sum()


@given(logits())
def test_softmax_is_a_distribution_and_log_softmax_its_logarithm(z: np.ndarray) -> None:
    probs, log_probs = softmax(z), log_softmax(z)
    assert (probs >= 0).all()
    np.testing.assert_allclose(probs.sum(axis=-1), 1, atol=1e-14)
    np.testing.assert_allclose(np.exp(log_probs), probs, rtol=1e-12, atol=1e-300)
    assert ((z == -np.inf) == (log_probs == -np.inf)).all()
    assert (log_probs <= 0).all()


@given(logits(), st.floats(-1e4, 1e4))
def test_a_common_shift_of_the_logits_changes_nothing(z: np.ndarray, shift: float) -> None:
    np.testing.assert_allclose(softmax(z + shift), softmax(z), rtol=1e-10, atol=1e-300)


@given(logits())
def test_entropy_lies_between_0_and_the_logarithm_of_the_number_of_actions(z: np.ndarray) -> None:
    h = np.asarray(entropy(softmax(z)))
    assert (h >= 0).all()
    assert (h <= np.log(z.shape[-1]) + 1e-12).all()


@given(pairs())
def test_divergence_is_never_negative_and_0_of_a_distribution_from_itself(
    pair: tuple[np.ndarray, np.ndarray],
) -> None:
    p, q = pair
    assert kl_divergence(p, q) >= 0
    assert kl_divergence(p, p) == 0
    assert np.isinf(kl_divergence(p, q)) == bool(((p > 0) & (q == 0)).any())


@given(pairs())
def test_cross_entropy_is_entropy_plus_divergence(pair: tuple[np.ndarray, np.ndarray]) -> None:
    p, q = pair
    if np.isfinite(kl_divergence(p, q)):
        cross = -sum(a * np.log(b) for a, b in zip(p, q, strict=True) if a > 0)
        assert entropy(p) + kl_divergence(p, q) == pytest.approx(cross, abs=1e-9)
        assert kl_terms(p, q).sum() == pytest.approx(kl_divergence(p, q), abs=1e-12)


@given(st.lists(pairs(st.just(3)), min_size=1, max_size=4))
def test_divergences_of_a_batch_are_those_of_its_rows(rows: list[tuple[np.ndarray, np.ndarray]]) -> None:
    batch = kl_divergence([p for p, _ in rows], [q for _, q in rows])
    assert batch.tolist() == [kl_divergence(p, q) for p, q in rows]


@given(logits_and_values())
def test_scores_average_to_0_and_each_sums_to_0(drawn: tuple[np.ndarray, np.ndarray]) -> None:
    probs = softmax(drawn[0])
    scores = score(np.tile(probs, (len(probs), 1)), np.arange(len(probs)))
    np.testing.assert_allclose(probs @ scores, 0, atol=1e-14)
    np.testing.assert_allclose(scores.sum(axis=-1), 0, atol=1e-14)

"""Distributions against 60-digit decimal arithmetic, written from the definitions."""

from __future__ import annotations

from decimal import Decimal, getcontext

import numpy as np
import pytest

from policygrad import entropy, kl_divergence, kl_k3, log_softmax, softmax

getcontext().prec = 60

LOGITS = [
    [0.0, 0.0],
    [1.5, -2.25, 0.125],
    [0.0, -30.0],
    [1e4, -1e4, 9999.0],
    [-745.0, -1000.0],
    [3e-9, 0.0, -3e-9],
]
PAIRS = [
    ([0.7, 0.3], [0.5, 0.5]),
    ([0.5, 0.3, 0.2], [0.25, 0.25, 0.5]),
    ([0.999, 0.001], [0.001, 0.999]),
    ([1.0, 0.0], [0.25, 0.75]),
]


def exact_log_softmax(logits: list[float]) -> list[Decimal]:
    exact = [Decimal(z) for z in logits]
    total = sum(z.exp() for z in exact).ln()
    return [z - total for z in exact]


def exact_kl(p: list[float], q: list[float]) -> Decimal:
    terms = [
        Decimal(a) * (Decimal(a) / Decimal(b)).ln() if a else Decimal(0) for a, b in zip(p, q, strict=True)
    ]
    return sum(terms, Decimal(0))


@pytest.mark.parametrize("logits", LOGITS)
def test_log_softmax_and_softmax(logits: list[float]) -> None:
    exact = exact_log_softmax(logits)
    np.testing.assert_allclose(log_softmax(logits), [float(x) for x in exact], rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(softmax(logits), [float(x.exp()) for x in exact], rtol=1e-14, atol=0)


@pytest.mark.parametrize("logits", LOGITS)
def test_entropy(logits: list[float]) -> None:
    exact = exact_log_softmax(logits)
    expected = -sum((x.exp() * x for x in exact), Decimal(0))
    assert entropy(softmax(logits)) == pytest.approx(float(expected), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(("p", "q"), PAIRS)
def test_kl_divergence(p: list[float], q: list[float]) -> None:
    assert kl_divergence(p, q) == pytest.approx(float(exact_kl(p, q)), rel=1e-13)


@pytest.mark.parametrize("log_ratio", [-600.0, -1.0, -1e-3, -1e-6, 1e-6, 1e-3, 1.0, 600.0])
def test_k3(log_ratio: float) -> None:
    exact = Decimal(log_ratio)
    assert kl_k3(log_ratio) == pytest.approx(float(exact.exp() - 1 - exact), rel=1e-9)

"""Three estimators of one gradient: sampled means against the exact ones, variances against enumeration.

No ranking follows: which estimator is less noisy depends on the policy and the rewards.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from policygrad import group_gradient_estimates

ESTIMATORS = ("none", "group_mean", "leave_one_out")


def exact_moments(p: float, rewards: np.ndarray, size: int) -> dict[str, tuple[float, float]]:
    """Mean and variance of each estimator over all groups of `size` actions."""
    estimates: dict[str, list[float]] = {name: [] for name in ESTIMATORS}
    chances = []
    for actions in product((0, 1), repeat=size):
        chosen = np.array(actions)
        r, s = rewards[chosen], chosen - p
        others = (r.sum() - r) / max(size - 1, 1)
        chances.append(np.prod(np.where(chosen, p, 1 - p)))
        estimates["none"].append(float((r * s).mean()))
        estimates["group_mean"].append(float(((r - r.mean()) * s).mean()))
        estimates["leave_one_out"].append(float(((r - others) * s).mean()))
    weights = np.array(chances)
    return {
        name: (float(weights @ values), float(weights @ np.square(values) - (weights @ values) ** 2))
        for name, values in estimates.items()
    }


@pytest.mark.parametrize(
    ("prob", "rewards", "size"),
    [(0.35, (-0.2, 1.0), 8), (0.5, (0.0, 1.0), 2), (0.1, (5.0, 6.0), 4), (0.9, (-3.0, 1.0), 4)],
)
def test_means_and_variances(prob: float, rewards: tuple[float, float], size: int) -> None:
    groups = 40_000
    sampled = group_gradient_estimates(
        prob, rewards, group_size=size, num_groups=groups, rng=np.random.default_rng(0)
    )
    moments = exact_moments(prob, np.array(rewards), size)
    for name, (mean, variance) in moments.items():
        values = getattr(sampled, name)
        error = 5 * np.sqrt(variance / groups)
        assert values.mean() == pytest.approx(mean, abs=error), name
        assert values.var() == pytest.approx(variance, rel=0.05, abs=1e-12), name
    assert moments["none"][0] == pytest.approx(sampled.exact, abs=1e-12)
    assert moments["leave_one_out"][0] == pytest.approx(sampled.exact, abs=1e-12)
    assert moments["group_mean"][0] == pytest.approx((1 - 1 / size) * sampled.exact, abs=1e-12)


def test_the_known_setting_has_its_known_means() -> None:
    moments = exact_moments(0.35, np.array([-0.2, 1.0]), 8)
    assert [moments[name][0] for name in ESTIMATORS] == pytest.approx([0.273, 0.238875, 0.273], abs=1e-12)


def test_no_estimator_is_always_the_quietest() -> None:
    quietest = set()
    for prob, rewards in ((0.5, (-1.0, 1.0)), (0.1, (5.0, 6.0)), (0.5, (0.0, 1.0))):
        moments = exact_moments(prob, np.array(rewards), 2)
        unbiased = {name: moments[name][1] for name in ("none", "leave_one_out")}
        quietest.add(min(unbiased, key=unbiased.__getitem__))
    assert quietest == {"none", "leave_one_out"}

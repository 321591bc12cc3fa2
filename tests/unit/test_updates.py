"""Value loss, KL coefficient, schedule, explained variance and the gradient's norm, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from expecting import close, refused, right_not

from policygrad import (
    adaptive_kl_coef,
    clip_by_global_norm,
    explained_variance,
    linear_schedule,
    value_loss,
)


def test_value_loss_is_half_the_mean_squared_error() -> None:
    # ½·(1² + 2²)/2 = 1.25
    assert value_loss([1.0, 2.0], [2.0, 0.0]) == 1.25


def test_a_clipped_value_counts_where_it_is_worse() -> None:
    # errors 2 − 3 = −1 → 1;  clipped 1 + 0.5 = 1.5, error −1.5 → 2.25, the larger;  ½·2.25
    assert value_loss([2.0], [3.0], old_values=[1.0], value_clip=0.5) == 1.125
    # moving towards a nearer target than the clip allows: unclipped 0² and clipped 0.5² → ½·0.25
    assert value_loss([2.0], [2.0], old_values=[1.0], value_clip=0.5) == 0.125


def test_adaptive_coefficient_reacts_to_at_most_a_fifth() -> None:
    settings: dict[str, Any] = {"target": 0.01, "horizon": 100, "num_steps": 50}
    # KL/target − 1 = 0.1, times 50/100: β·1.05
    assert adaptive_kl_coef(2.0, 0.011, **settings) == pytest.approx(2.1)
    # 9 is limited to 0.2: β·1.1;  −1 to −0.2: β·0.9
    assert adaptive_kl_coef(2.0, 0.1, **settings) == pytest.approx(2.2)
    assert adaptive_kl_coef(2.0, 0.0, **settings) == pytest.approx(1.8)
    assert adaptive_kl_coef(2.0, -0.5, **settings) == pytest.approx(1.8)
    assert adaptive_kl_coef(2.0, 0.01, **settings) == 2.0


def test_schedule_starts_full_and_would_end_at_0() -> None:
    close(linear_schedule(1.0, 4), [1.0, 0.75, 0.5, 0.25], within=0)
    close(linear_schedule(0.3, 1), [0.3], within=0)


def test_explained_variance() -> None:
    assert explained_variance([1, 2, 3], [1, 2, 3]) == 1
    assert explained_variance([7, 7, 7], [1, 2, 3]) == 0  # a constant explains nothing
    # errors (−2, 0, 2) against targets (1, 2, 3): 1 − (8/3)/(2/3) = −3
    assert explained_variance([3, 2, 1], [1, 2, 3]) == pytest.approx(-3)
    assert np.isnan(explained_variance([1, 2, 3], [0.1, 0.1, 0.1]))
    assert explained_variance([1.1, 2.1, 3.1], [1, 2, 3]) == pytest.approx(1)


def test_global_norm_is_common_to_all_arrays() -> None:
    first, second = np.array([3.0]), np.array([[4.0]])
    result = clip_by_global_norm([first, second], max_norm=1.0)
    assert result.norm == 5
    # 1/(5 + 1e-6), as PyTorch
    close(result.gradients[0], [3 / 5.000001], within=1e-15)
    close(result.gradients[1], [[4 / 5.000001]], within=1e-15)
    assert (first.item(), second.item()) == (3.0, 4.0)


def test_short_gradients_are_copied_unchanged() -> None:
    gradient = np.array([0.3, 0.4])
    result = clip_by_global_norm([gradient], max_norm=1.0)
    assert result.gradients[0].tolist() == [0.3, 0.4]
    assert result.gradients[0] is not gradient
    assert clip_by_global_norm([[0.0]], max_norm=1).norm == 0


def test_the_norm_of_huge_and_tiny_numbers() -> None:
    assert clip_by_global_norm([[3e200, 4e200]], max_norm=1).norm == pytest.approx(5e200)
    assert clip_by_global_norm([[3e-200, 4e-200]], max_norm=1).norm == pytest.approx(5e-200)


@pytest.mark.parametrize(
    ("compute", "message"),
    [
        (lambda: value_loss([1], [1, 2]), "targets has shape (2,); it must have the shape of values, (1,)"),
        (
            lambda: value_loss([1], [1], value_clip=0.2),
            "old_values is None; it must be given together with value_clip",
        ),
        (
            lambda: value_loss([1], [1], old_values=[1]),
            "value_clip is None; it must be given together with old_values",
        ),
        (
            lambda: value_loss([1], [1], old_values=[1, 2], value_clip=0.2),
            "old_values has shape (2,); it must have the shape of values, (1,)",
        ),
        (
            lambda: value_loss([1], [1], old_values=[1], value_clip=-1),
            "value_clip is -1; it must be at least 0",
        ),
        (
            lambda: adaptive_kl_coef(1, 0.1, target=0, horizon=1, num_steps=1),
            "target is 0; it must be above 0",
        ),
        (
            lambda: adaptive_kl_coef(1, 0.1, target=1, horizon=0, num_steps=1),
            "horizon is 0; it must be above 0",
        ),
        (
            lambda: adaptive_kl_coef(-1, 0.1, target=1, horizon=1, num_steps=1),
            "kl_coef is -1; it must be at least 0",
        ),
        (lambda: linear_schedule(1.0, 0), "num_updates is 0; it must be at least 1"),
        (lambda: linear_schedule(np.inf, 2), "initial is infinity; it must be finite"),
        (lambda: explained_variance([], []), "values is empty, shape (0,); it must hold at least one number"),
        (
            lambda: clip_by_global_norm([], max_norm=1),
            "gradients is empty; it must hold at least one array",
        ),
        (lambda: clip_by_global_norm([[1.0]], max_norm=0), "max_norm is 0; it must be above 0"),
        (
            lambda: clip_by_global_norm([[1.0], [1, np.nan]], max_norm=1),
            "gradients[1][1] is NaN; it must be finite",
        ),
    ],
)
def test_errors(compute: Any, message: str) -> None:
    with refused(message):
        compute()


def test_the_value_is_clipped_around_the_old_prediction() -> None:
    """Mistake pm06: around the return. Clipped 1.5 and 0.5; squared errors max(1, 2.25) and max(9, 6.25)."""
    loss = value_loss([2.0, 0.0], [3.0, 3.0], old_values=[1.0, 1.0], value_clip=0.5)
    right_not(loss, right=0.5 * (2.25 + 9) / 2, mistake=0.5 * (1 + 9) / 2)


def test_the_larger_of_the_squares_not_the_square_of_the_larger() -> None:
    """Mistake pm12: the maximum of signed errors. max((−2)², (−1.2)²) = 4, and max(−2, −1.2)² = 1.44."""
    loss = value_loss([-2.0], [0.0], old_values=[-1.0], value_clip=0.2)
    right_not(loss, right=0.5 * 4, mistake=0.5 * 1.44)


def test_explained_variance_divides_by_the_targets() -> None:
    """Mistake pm04: predictions and targets swapped. 1 − 0.1875/1.25, not 1 − 0.1875/2.1875."""
    values, targets = [1.0, 2.0, 3.0, 5.0], [1.0, 2.0, 3.0, 4.0]
    right_not(explained_variance(values, targets), right=0.85, mistake=0.9142857142857143)


def test_gradients_are_clipped_before_the_step() -> None:
    """Mistake pm08: after the optimiser has used them. 1 − 0.1·(0.6, 0.8)."""
    step = 0.1 * clip_by_global_norm([[3.0, 4.0]], max_norm=1.0).gradients[0]
    right_not(1.0 - step, right=[0.94, 0.92], mistake=[0.7, 0.6], within=1e-6)

"""Fisher matrix, natural gradient and the step under a KL bound, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from expecting import close, refused

from policygrad import (
    entropy,
    exact_policy_gradient,
    fisher_matrix,
    fisher_vector_product,
    kl_divergence,
    natural_gradient,
    softmax,
    trajectory_ratio,
    trust_region_step,
)

PROBS = np.array([0.5, 0.3, 0.2])


def test_the_ratio_of_a_trajectory_is_the_product_of_its_ratios() -> None:
    # (0.6/0.5)·(0.2/0.4)·(0.9/0.9) = 1.2·0.5 = 0.6
    ratio = trajectory_ratio(np.log([0.6, 0.2, 0.9]), np.log([0.5, 0.4, 0.9]))
    assert ratio == pytest.approx(0.6, abs=1e-12)
    assert isinstance(ratio, float)


def test_a_long_trajectory_needs_the_log_space() -> None:
    # 1000 steps of ratio e^±1: the product of 1000 numbers would overflow on the way.
    steps = np.tile([-1.0, -2.0], 500)
    assert trajectory_ratio(steps, steps[::-1]) == pytest.approx(1.0)
    assert trajectory_ratio(np.zeros(1000), np.full(1000, -1.0)) == np.exp(700)
    assert trajectory_ratio(np.full(1000, -1.0), np.zeros(1000)) == np.exp(-700) > 0


def test_fisher_matrix_by_hand() -> None:
    # diagonal π(1 − π): 0.25, 0.21, 0.16; off it −π_i π_j: −0.15, −0.1, −0.06
    close(fisher_matrix(PROBS), [[0.25, -0.15, -0.1], [-0.15, 0.21, -0.06], [-0.1, -0.06, 0.16]])


def test_fisher_matrix_at_the_edges() -> None:
    close(fisher_matrix([0, 1]), np.zeros((2, 2)), within=0)
    # 1 − (1 − 1e-12) keeps its digits.
    rare = fisher_matrix([1 - 1e-12, 1e-12])
    assert rare[0, 0] == pytest.approx(1e-12, rel=1e-4)
    assert fisher_matrix([[0.5, 0.5], [0, 1]]).shape == (2, 2, 2)


def test_fisher_product_by_hand() -> None:
    # v = (1, 0, −1): π·v = 0.3;  F v = π ∘ (0.7, −0.3, −1.3)
    close(fisher_vector_product(PROBS, [1, 0, -1]), [0.35, -0.09, -0.26])
    assert np.array_equal(fisher_vector_product(PROBS, [0.1, 0.1, 0.1]), np.zeros(3))


def test_natural_gradient_by_hand() -> None:
    # g = (0.1, −0.12, 0.02): g/π = (0.2, −0.4, 0.1), mean −1/30
    close(natural_gradient(PROBS, [0.1, -0.12, 0.02]), [7 / 30, -11 / 30, 4 / 30])


def test_natural_gradient_forgets_the_policy() -> None:
    # The gradient of Σ π Q divided by π is Q − V: less its mean, Q − mean(Q), whatever the policy is.
    values = np.array([1.0, 0.0, 2.0])
    for logits in ([0, 0, 0], [3, 0, -3], [0, 30, -30], [0, -300, -600]):
        x = natural_gradient(softmax(logits), exact_policy_gradient(logits, values))
        close(x, values - values.mean())


def test_an_impossible_action_is_left_alone() -> None:
    # Over the two possible ones g/π = (0.4, −0.4).
    close(natural_gradient([0.5, 0.5, 0], [0.2, -0.2, 0]), [0.4, -0.4, 0.0])


def test_damping_by_hand() -> None:
    # π = (0.5, 0.5): F = ¼ [[1, −1], [−1, 1]] has eigenvalue ½ along (1, −1): x = g/(½ + 0.3)
    close(natural_gradient([0.5, 0.5], [0.4, -0.4], damping=0.3), [0.5, -0.5])
    # and 0 along (1, 1): x = g/0.3
    close(natural_gradient([0.5, 0.5], [0.6, 0.6], damping=0.3), [2.0, 2.0])


def test_vanishing_damping_is_no_damping() -> None:
    g = [0.1, -0.12, 0.02]
    close(natural_gradient(PROBS, g, damping=1e-9), natural_gradient(PROBS, g), within=1e-6)


def test_a_step_by_hand() -> None:
    # π even, Q = (1, −1): x = (1, −1), xᵀF x = Var = 1; √(2·0.005) = 0.1: z = (0.1, −0.1)
    # KL = log cosh 0.1 = 0.00499169… ≤ 0.005: accepted as it is; gain = tanh 0.1
    step = trust_region_step([0, 0], [1, -1], max_kl=0.005)
    close(step.logits, [0.1, -0.1])
    assert step.accepted
    assert step.kl == pytest.approx(np.log(np.cosh(0.1)), rel=1e-9)
    assert step.improvement == pytest.approx(np.tanh(0.1), rel=1e-12)


def test_a_step_that_goes_too_far_is_halved() -> None:
    # p = 0.01 for the good action: xᵀF x = 0.0099·ΔQ², the full step moves the logits apart by √(0.1/0.0099)
    # = 3.178, and the KL is 0.17 > 0.05; half of it, 1.589, costs 0.0275.
    logits = [np.log(99.0), 0.0]
    step = trust_region_step(logits, [0, 1], max_kl=0.05)
    shift = np.sqrt(2 * 0.05 / 0.0099) / 2
    close(step.logits[1] - step.logits[0], -np.log(99.0) + shift)
    assert step.kl == pytest.approx(kl_divergence([0.99, 0.01], softmax(step.logits)), rel=1e-9)
    assert 0 < step.kl <= 0.05
    assert kl_divergence(softmax(logits), softmax([logits[0], 2 * shift])) > 0.05


@pytest.mark.parametrize("values", [[2, 2, 2], [0.1, 0.1, 0.1]])
def test_equal_action_values_leave_the_policy_as_it_is(values: list[float]) -> None:
    logits = np.array([0.3, -2, 1])
    step = trust_region_step(logits, values, max_kl=0.01)
    assert (step.kl, step.improvement, step.accepted) == (0.0, 0.0, False)
    assert np.array_equal(step.logits, logits)
    assert step.logits is not logits


def test_a_policy_that_cannot_move_stays() -> None:
    # The only action with a probability above 0 has nothing to be better than.
    step = trust_region_step([0, -1000], [1, 5], max_kl=0.01)
    assert not step.accepted
    close(step.logits, [0, -1000], within=0)


def test_unavailable_actions_stay_unavailable() -> None:
    step = trust_region_step([0, -np.inf, 0], [1, 100, -1], max_kl=0.005)
    close(softmax(step.logits), softmax([0.1, -np.inf, -0.1]))


@pytest.mark.parametrize("scale", [1e-250, 1.0, 1e250])
@pytest.mark.parametrize("offset", [0.0, 1.0])
def test_neither_scale_nor_offset_of_the_values_moves_the_step(scale: float, offset: float) -> None:
    step = trust_region_step([0, 0], [scale * (1 + offset), scale * (-1 + offset)], max_kl=0.005)
    close(step.logits, [0.1, -0.1])
    assert step.improvement == pytest.approx(scale * np.tanh(0.1))


@pytest.mark.parametrize("gap", [0, 5, 20, 100, 400, 700])
@pytest.mark.parametrize("max_kl", [1e-12, 1e-3, 0.5, 50.0])
def test_the_bound_holds_for_rare_good_actions(gap: float, max_kl: float) -> None:
    logits = [0.0, -gap, -gap / 2]
    step = trust_region_step(logits, [0, 1, -1], max_kl=max_kl)
    assert step.accepted
    assert step.improvement > 0
    assert kl_divergence(softmax(logits), softmax(step.logits)) <= max_kl
    assert np.isfinite(entropy(softmax(step.logits)))


@pytest.mark.parametrize("max_kl", [1e3, 1e300, 1e308])
@pytest.mark.parametrize("gap", [0, 700, 740])
def test_a_bound_too_large_to_matter(max_kl: float, gap: float) -> None:
    step = trust_region_step([0, -gap, 0], [0, 1, 2], max_kl=max_kl)
    assert step.accepted
    assert step.kl <= max_kl
    assert np.isfinite(step.logits).all()


def test_wrong_arguments_are_named() -> None:
    with refused("old_log_probs has shape (1,); it must have the shape of log_probs, (2,)"):
        trajectory_ratio([0, 0], [0])
    with refused("log_probs has shape (1, 2); it must have one axis"):
        trajectory_ratio([[0, 0]], [[0, 0]])
    with refused("vector has shape (2,); it must have the shape of probs, (3,)"):
        fisher_vector_product(PROBS, [1, 2])
    with refused("gradient sums to 0.3; the gradient of a softmax in its logits must sum to 0 within 1e-9"):
        natural_gradient([0.5, 0.5], [0.1, 0.2])
    with refused("gradient[2] is 0.1 where probs[2] is 0; it must be 0 there"):
        natural_gradient([0.5, 0.5, 0], [-0.1, 0, 0.1])
    with refused("gradient is too large for probs; gradient/probs must be finite"):
        natural_gradient([1, 1e-310], [-1, 1])
    with refused("damping is -1; it must be at least 0"):
        natural_gradient([0.5, 0.5], [0, 0], damping=-1)
    with refused("probs has shape (1, 2); it must have one axis"):
        natural_gradient([[0.5, 0.5]], [[0, 0]])
    with refused("max_kl is 0; it must be above 0"):
        trust_region_step([0, 0], [1, 0], max_kl=0)
    with refused("action_values has shape (3,); it must have the shape of logits, (2,)"):
        trust_region_step([0, 0], [1, 0, 2], max_kl=0.1)
    with refused("action_values[1] is NaN; it must be finite"):
        trust_region_step([0, 0], [1, np.nan], max_kl=0.1)

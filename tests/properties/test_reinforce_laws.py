"""Laws of policy gradients and the two-action update."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from drawing import logits_and_values
from hypothesis import given
from hypothesis import strategies as st

from policygrad import (
    exact_policy_gradient,
    kl_divergence,
    reinforce_gradient,
    reuse_batch,
    score,
    softmax,
    trajectory_gradient,
    two_action_update,
)

INNER = st.floats(0.001, 0.999)
REWARDS = st.floats(-10, 10, allow_subnormal=False)


@st.composite
def updates(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "prob": draw(INNER),
        "rewards": [draw(REWARDS), draw(REWARDS)],
        "ref_prob": draw(INNER),
        "kl_coef": draw(st.floats(0, 2)),
        "learning_rate": draw(st.floats(0, 1)),
    }


@given(logits_and_values())
def test_reinforce_enumerated_over_all_actions_is_the_exact_gradient(
    drawn: tuple[np.ndarray, np.ndarray],
) -> None:
    logits, values = drawn
    probs, size = softmax(logits), len(logits)
    scores = np.array([score(probs, action) for action in range(size)])
    exact = exact_policy_gradient(logits, values)
    # a batch in which every action stands once, weighted by how often it would be sampled
    np.testing.assert_allclose(reinforce_gradient(scores, size * probs * values), exact, atol=1e-11)
    np.testing.assert_allclose(trajectory_gradient(scores, probs * (values - 7.5)), exact, atol=1e-11)


@given(logits_and_values(), st.floats(-100, 100))
def test_a_constant_added_to_all_values_changes_nothing(
    drawn: tuple[np.ndarray, np.ndarray], constant: float
) -> None:
    logits, values = drawn
    gradient = exact_policy_gradient(logits, values)
    np.testing.assert_allclose(exact_policy_gradient(logits, values + constant), gradient, atol=1e-11)
    assert gradient.sum() == pytest.approx(0, abs=1e-11)


@given(updates())
def test_the_sampled_terms_average_to_the_update(arguments: dict[str, Any]) -> None:
    average = two_action_update(**arguments)
    first, second = (two_action_update(**arguments, action=action) for action in (0, 1))
    p = arguments["prob"]
    mean = p * first.reward_gradient + (1 - p) * second.reward_gradient
    assert mean == pytest.approx(average.reward_gradient, abs=1e-12)
    assert first.kl_gradient == second.kl_gradient == average.kl_gradient
    assert first.kl == second.kl == average.kl


@given(updates())
def test_the_update_agrees_with_the_general_functions(arguments: dict[str, Any]) -> None:
    """A softmax over two logits (θ, 0) has the same gradient in θ."""
    p, q = arguments["prob"], arguments["ref_prob"]
    update = two_action_update(**arguments)
    gradient = exact_policy_gradient([np.log(p) - np.log1p(-p), 0.0], arguments["rewards"])
    assert update.reward_gradient == pytest.approx(gradient[0], abs=1e-11)
    assert update.kl == pytest.approx(kl_divergence([p, 1 - p], [q, 1 - q]), abs=1e-12)
    assert update.kl >= 0


@given(updates())
def test_actions_may_be_renamed(arguments: dict[str, Any]) -> None:
    mirrored = arguments | {
        "prob": 1 - arguments["prob"],
        "ref_prob": 1 - arguments["ref_prob"],
        "rewards": arguments["rewards"][::-1],
    }
    here, there = two_action_update(**arguments), two_action_update(**mirrored)
    assert there.gradient == pytest.approx(-here.gradient, abs=1e-11)
    assert there.new_prob == pytest.approx(1 - here.new_prob, abs=1e-11)
    assert there.kl == pytest.approx(here.kl, abs=1e-11)


@given(updates())
def test_the_step_goes_where_the_gradient_points(arguments: dict[str, Any]) -> None:
    update = two_action_update(**arguments)
    move = update.new_prob - arguments["prob"]
    assert move * update.gradient >= -1e-15
    # the KL gradient points away from the reference, so that subtracting it pulls towards it
    assert update.kl_gradient * (arguments["prob"] - arguments["ref_prob"]) >= 0


@given(st.integers(0, 2**32), st.integers(0, 12), st.floats(0.01, 1), st.sampled_from([0.05, 0.2, 0.5]))
def test_batch_reuse_starts_at_the_old_policy_and_stays_consistent(
    seed: int, epochs: int, rate: float, width: float
) -> None:
    run = reuse_batch(epochs=epochs, learning_rate=rate, clip_epsilon=width, rng=np.random.default_rng(seed))
    assert run.max_ratio[0] == 1
    assert (run.kl_old_new >= 0).all()
    assert (run.clipped_fraction <= run.outside_fraction).all()
    assert run.ratios.shape == (epochs + 1, 8)
    shorter = reuse_batch(
        epochs=epochs // 2, learning_rate=rate, clip_epsilon=width, rng=np.random.default_rng(seed)
    )
    np.testing.assert_array_equal(shorter.ratios, run.ratios[: epochs // 2 + 1])

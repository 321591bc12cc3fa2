"""One batch for many epochs: what the default run shows, and that it is what it says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from expecting import close, refused

from policygrad import (
    SharedBatch,
    clipped_fraction,
    clipped_objective,
    draw_shared_batch,
    kl_divergence,
    log_softmax,
    outside_fraction,
    probability_ratios,
    reuse_batch,
    shared_objective,
    shared_objective_gradient,
    softmax,
)


def rng(seed: int = 19) -> np.random.Generator:
    return np.random.default_rng(seed)


def default_run(seed: int = 19) -> Any:
    return reuse_batch(epochs=30, learning_rate=0.3, clip_epsilon=0.2, rng=rng(seed))


def test_the_batch_has_two_samples_in_each_state_and_normalised_advantages() -> None:
    batch = draw_shared_batch(rng=rng())
    assert batch.states.tolist() == [[1, -2], [1, -1], [1, 1], [1, 2]]
    assert batch.state_index.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert set(batch.actions.tolist()) <= {0, 1, 2}
    assert batch.advantages.mean() == pytest.approx(0, abs=1e-15)
    assert batch.advantages.std() == pytest.approx(1, abs=1e-15)
    assert np.abs(batch.old_weights).max() <= 0.3


def test_actions_follow_the_old_policy() -> None:
    counts, expected = np.zeros((4, 3)), np.zeros((4, 3))
    source = rng(0)
    for _ in range(2000):
        batch = draw_shared_batch(rng=source)
        np.add.at(counts, (batch.state_index, batch.actions), 1)
        expected += 2 * softmax(batch.states @ batch.old_weights)
    # 4000 draws per state: a standard deviation is at most 0.5·√4000 ≈ 32
    assert np.abs(counts - expected).max() < 4 * 32


def test_the_first_entries_are_the_old_policy() -> None:
    run = default_run()
    assert run.ratios[0].tolist() == [1.0] * 8
    assert run.outside_fraction[0] == run.clipped_fraction[0] == run.kl_old_new[0] == 0
    assert run.objective[0] == pytest.approx(0, abs=1e-15)  # the mean of normalised advantages
    assert run.weights[0].tolist() == run.batch.old_weights.tolist()


def test_a_ratio_leaves_the_interval_after_its_own_slope_is_0() -> None:
    run = default_run()
    largest = run.ratios[-1].argmax()
    since = run.clipped[:, largest].argmax()
    assert run.batch.advantages[largest] > 0
    assert run.clipped[since:, largest].all()  # from here on this sample asks for nothing
    assert run.ratios[since, largest] < 1.4
    assert run.max_ratio[-1] > 1.9
    assert run.outside_fraction[-1] > run.clipped_fraction[-1] > 0
    assert run.kl_old_new[-1] > 0.1


def test_other_seeds_give_other_curves_and_the_same_conclusion() -> None:
    finals = [default_run(seed).max_ratio[-1] for seed in range(100)]
    assert len(set(finals)) == 100
    assert sum(final > 1.2 for final in finals) >= 95


def test_the_same_seed_gives_the_same_run() -> None:
    assert default_run().ratios.tolist() == default_run().ratios.tolist()


def test_every_curve_is_what_the_core_says_about_the_weights() -> None:
    run = default_run()
    batch: SharedBatch = run.batch
    old = softmax(batch.states @ batch.old_weights)
    for k in (0, 1, 7, 30):
        logits = batch.states @ run.weights[k]
        chosen = (batch.state_index, batch.actions)
        ratios = probability_ratios(log_softmax(logits)[chosen], np.log(old)[chosen])
        close(run.ratios[k], ratios, within=1e-12)
        objective = np.mean(clipped_objective(ratios, batch.advantages, clip_epsilon=0.2))
        assert run.objective[k] == pytest.approx(objective, abs=1e-12)
        assert run.objective[k] == pytest.approx(
            shared_objective(run.weights[k], batch, clip_epsilon=0.2), abs=1e-12
        )
        assert run.max_ratio[k] == run.ratios[k].max()
        assert run.outside_fraction[k] == outside_fraction(run.ratios[k], clip_epsilon=0.2)
        assert run.clipped_fraction[k] == clipped_fraction(run.ratios[k], batch.advantages, clip_epsilon=0.2)
        assert run.kl_old_new[k] == pytest.approx(np.mean(kl_divergence(old, softmax(logits))), abs=1e-12)


def test_each_epoch_is_one_step_along_the_gradient() -> None:
    run = default_run()
    for k in (0, 5, 29):
        gradient = shared_objective_gradient(run.weights[k], run.batch, clip_epsilon=0.2)
        close(run.weights[k + 1], run.weights[k] + 0.3 * gradient, within=1e-14)


def test_without_epochs_or_learning_rate_nothing_moves() -> None:
    assert reuse_batch(epochs=0, learning_rate=0.3, clip_epsilon=0.2, rng=rng()).max_ratio.tolist() == [1.0]
    still = reuse_batch(epochs=3, learning_rate=0.0, clip_epsilon=0.2, rng=rng())
    assert still.max_ratio.tolist() == [1.0] * 4


def test_an_enormous_step_stays_finite() -> None:
    run = reuse_batch(epochs=5, learning_rate=1e4, clip_epsilon=0.2, rng=rng())
    assert np.isfinite(run.ratios).all()
    assert np.isfinite(run.objective).all()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"epochs": -1}, "epochs is -1; it must be at least 0"),
        ({"epochs": 1.5}, "epochs is 1.5; it must be a whole number"),
        ({"learning_rate": -0.1}, "learning_rate is -0.1; it must be at least 0"),
        ({"clip_epsilon": 1}, "clip_epsilon is 1; it must be at least 0 and below 1"),
    ],
)
def test_errors(wrong: dict[str, Any], message: str) -> None:
    with refused(message):
        reuse_batch(**({"epochs": 1, "learning_rate": 0.1, "clip_epsilon": 0.2, "rng": rng()} | wrong))


def test_errors_of_the_objective() -> None:
    batch = draw_shared_batch(rng=rng())
    for function in (shared_objective, shared_objective_gradient):
        with refused("weights has shape (3, 2); it must have the shape of batch.old_weights, (2, 3)"):
            function(np.zeros((3, 2)), batch, clip_epsilon=0.2)
        with refused("weights[0, 0] is NaN; it must be finite"):
            function(np.full((2, 3), np.nan), batch, clip_epsilon=0.2)

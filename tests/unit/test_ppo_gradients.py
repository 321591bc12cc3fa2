"""PPO's loss: its parts by hand, and where its gradient must be 0."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from expecting import close, refused

from policygrad import PPOLoss, ppo_loss

HALF = math.log(0.5)
ONE: dict[str, Any] = {"values": [0.0], "targets": [0.0], "clip_epsilon": 0.2, "value_coef": 0.0}
"""One sample whose critic adds nothing."""


def test_all_parts_by_hand() -> None:
    # Logits (0, 0): π = (½, ½), H = log 2. Stored probability 0.4, so r = 0.5/0.4 = 1.25 > 1.2.
    # A = 2: min(2.5, 2.4) = 2.4. v = 1, R = 3: ½·4 = 2. L = −2.4 + 0.5·2 − 0.1·log 2.
    loss = ppo_loss(
        [[0, 0]], [0], [math.log(0.4)], [2], values=[1], targets=[3], clip_epsilon=0.2, entropy_coef=0.1
    )
    close(loss.clipped_objective, 2.4, within=1e-15)
    close(loss.value_loss, 2.0, within=0)
    close(loss.entropy, math.log(2), within=1e-15)
    close(loss.loss, -2.4 + 1.0 - 0.1 * math.log(2), within=1e-15)
    close(loss.value_gradients, [0.5 * (1 - 3)], within=0)


def test_at_ratio_1_the_gradient_is_that_of_reinforce() -> None:
    # −A·score: −2·((1, 0) − (½, ½)) = (−1, 1), for every ε.
    for width in (0.0, 0.2, 0.9):
        loss = ppo_loss([[0, 0]], [0], [HALF], [2], **{**ONE, "clip_epsilon": width})
        close(loss.logit_gradients, [[-1, 1]], within=1e-15)


@pytest.mark.parametrize(
    ("old_prob", "advantage", "expected"),
    [
        (0.4, 2.0, 0.0),  # r = 1.25, more is no gain: flat
        (0.4, -2.0, 1.25),  # r = 1.25 and the action was bad: pushed back, unclipped: −A r (1 − ½) = 1.25
        (0.8, -2.0, 0.0),  # r = 0.625, less is no gain: flat
        (0.8, 2.0, -0.625),  # r = 0.625 and the action was good: −2·0.625·½
    ],
)
def test_the_clip_acts_on_one_side_only(old_prob: float, advantage: float, expected: float) -> None:
    loss = ppo_loss([[0, 0]], [0], [math.log(old_prob)], [advantage], **ONE)
    close(loss.logit_gradients, [[expected, -expected]], within=1e-15)


def test_the_wider_interval_above() -> None:
    wide = ppo_loss([[0, 0]], [0], [math.log(0.4)], [2], **ONE, clip_epsilon_high=0.28)
    close(wide.clipped_objective, 2.5, within=1e-15)  # r = 1.25 is inside now
    close(wide.logit_gradients, [[-1.25, 1.25]], within=1e-15)


def test_the_entropy_bonus_pulls_towards_equal_probabilities() -> None:
    # π = (¾, ¼): ∂H/∂z₀ = −π₀ (log π₀ + H), H = −¾ log ¾ − ¼ log ¼.
    logits = [[math.log(3), 0]]
    spread = -0.75 * math.log(0.75) - 0.25 * math.log(0.25)
    loss = ppo_loss(logits, [0], [math.log(0.75)], [0], **ONE, entropy_coef=2.0)
    down = 2 * 0.75 * (math.log(0.75) + spread)
    close(loss.logit_gradients, [[down, -down]], within=1e-15)
    assert down > 0  # descending lowers the likelier action's logit
    equal = ppo_loss([[0, 0]], [0], [HALF], [0], **ONE, entropy_coef=2.0)
    close(equal.logit_gradients, [[0, 0]], within=1e-15)


def clipped_values(value: float) -> PPOLoss:
    return ppo_loss(
        [[0, 0]],
        [0],
        [HALF],
        [0],
        values=[value],
        targets=[2.0],
        old_values=[1.0],
        value_clip=0.5,
        value_coef=1.0,
        clip_epsilon=0.2,
    )


def test_a_value_that_ran_ahead_has_no_gradient() -> None:
    # Old 1, target 2, width 0.5. At 1.2 inside: v − R = −0.8. At 1.8 outside, moved to 1.5: (1.5 − 2)² = 0.25
    # decides over 0.04 and does not depend on v. At 0.4 outside on the wrong side: (0.4 − 2)² decides.
    close(clipped_values(1.2).value_gradients, [-0.8], within=1e-15)
    close(clipped_values(1.8).value_gradients, [0.0], within=0)
    close(clipped_values(1.8).value_loss, 0.125, within=1e-15)
    close(clipped_values(0.4).value_gradients, [-1.6], within=1e-15)


def test_rounding_does_not_clip_a_value() -> None:
    # 0.1 + (0.1 + 0.2 − 0.1) is not 0.1 + 0.2 in floats; within the width the gradient is v − R all the same.
    rng = np.random.default_rng(0)
    old, targets = rng.normal(size=500), rng.normal(size=500)
    values = old + rng.uniform(-0.2, 0.2, size=500)
    loss = ppo_loss(
        np.zeros((500, 2)),
        np.zeros(500),
        np.full(500, HALF),
        np.zeros(500),
        values=values,
        targets=targets,
        old_values=old,
        value_clip=0.2,
        value_coef=1.0,
        clip_epsilon=0.2,
    )
    close(loss.value_gradients, (values - targets) / 500, within=1e-15)


def test_enormous_ratios_stay_finite() -> None:
    # The stored log-probability was −800: r is limited to exp 700, and the clip decides for A > 0.
    loss = ppo_loss([[0, 0]], [0], [-800], [1], **ONE)
    close(loss.clipped_objective, 1.2, within=1e-15)
    close(loss.logit_gradients, [[0, 0]], within=0)
    nothing = ppo_loss([[0, 0]], [0], [-800], [0], **ONE)
    close(nothing.logit_gradients, [[0, 0]], within=0)


def test_means_over_the_batch() -> None:
    once = ppo_loss([[0.3, 0]], [1], [-0.6], [1.5], values=[1], targets=[0.5], clip_epsilon=0.2)
    twice = ppo_loss(
        [[0.3, 0]] * 2, [1] * 2, [-0.6] * 2, [1.5] * 2, values=[1] * 2, targets=[0.5] * 2, clip_epsilon=0.2
    )
    close(twice.loss, once.loss, within=1e-15)
    close(twice.logit_gradients.sum(axis=0), once.logit_gradients[0], within=1e-15)


def test_wrong_arguments_are_named() -> None:
    with refused("advantages has shape (1, 1); it must have one entry per logits row, 1"):
        ppo_loss([[0, 0]], [0], [HALF], [[1.0]], **ONE)
    with refused("targets has shape (2,); it must have one entry per logits row, 1"):
        ppo_loss([[0, 0]], [0], [HALF], [1.0], **{**ONE, "targets": [0.0, 0.0]})
    with refused("values has shape (2,); it must have one entry per logits row, 1"):
        ppo_loss([[0, 0]], [0], [HALF], [1.0], **{**ONE, "values": [0, 0], "targets": [0, 0]})
    with refused("actions[0] is 2; it must be a whole number from 0 to 1"):
        ppo_loss([[0, 0]], [2], [HALF], [1.0], **ONE)
    with refused("old_values is None; it must be given together with value_clip"):
        ppo_loss([[0, 0]], [0], [HALF], [1.0], **ONE, value_clip=0.2)
    with refused("entropy_coef is -1; it must be at least 0"):
        ppo_loss([[0, 0]], [0], [HALF], [1.0], **ONE, entropy_coef=-1)

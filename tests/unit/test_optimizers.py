"""Adam, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from expecting import close, refused

from policygrad import AdamUpdate, adam_update


def test_the_first_step_has_the_length_of_the_learning_rate() -> None:
    # m = 0.1 g, m̂ = g; v = 0.001 g², v̂ = g²: the step is 0.5·g/(|g| + eps), whatever the size of g.
    first = adam_update([1, 1, 1], [3, -0.2, 0], [0] * 3, [0] * 3, step=1, learning_rate=0.5, eps=1e-12)
    close(first.params, [0.5, 1.5, 1.0])
    close(first.mean, [0.3, -0.02, 0])
    close(first.mean_square, [0.009, 0.00004, 0])


def test_the_second_step_by_hand() -> None:
    # β₁ = β₂ = 0.5, gradients 2 then 0.
    # step 1: m = 1, v = 2;  step 2: m = 0.5, v = 1; m̂ = 0.5/0.75 = 2/3, v̂ = 1/0.75 = 4/3
    options = {"learning_rate": 0.3, "beta_1": 0.5, "beta_2": 0.5, "eps": 0.1}
    first = adam_update(0.0, 2.0, 0.0, 0.0, step=1, **options)
    second = adam_update(first.params, 0.0, first.mean, first.mean_square, step=2, **options)
    assert first.params == pytest.approx(-0.3 * 2 / (2 + 0.1))
    assert second.params == pytest.approx(first.params - 0.3 * (2 / 3) / (np.sqrt(4 / 3) + 0.1))


def test_arrays_given_are_not_changed() -> None:
    params, mean = np.ones(2), np.zeros(2)
    result = adam_update(params, [1, 1], mean, np.zeros(2), step=1, learning_rate=0.1)
    assert isinstance(result, AdamUpdate)
    close(params, [1, 1], within=0)
    close(mean, [0, 0], within=0)


def test_wrong_arguments_are_named() -> None:
    good = {"step": 1, "learning_rate": 0.1}
    with refused("gradient has shape (1,); it must have the shape of params, (2,)"):
        adam_update([0, 0], [1], [0, 0], [0, 0], **good)
    with refused("mean_square[0] is -1; it must not be below 0"):
        adam_update([0], [1], [0], [-1], **good)
    with refused("step is 0; it must be at least 1"):
        adam_update([0], [1], [0], [0], step=0, learning_rate=0.1)
    with refused("beta_2 is 1; it must be at least 0 and below 1"):
        adam_update([0], [1], [0], [0], **good, beta_2=1)
    with refused("eps is 0; it must be above 0"):
        adam_update([0], [1], [0], [0], **good, eps=0)

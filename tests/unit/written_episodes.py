"""Environments whose episodes are written down, for tests of what counts episodes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from policygrad import CartPoleStep


class Written:
    """One list of episode lengths per environment, the last one for ever after; 1 reward per step.

    A state is the number of steps that are left.
    """

    def __init__(self, *lengths: list[int]) -> None:
        self._lengths: list[Iterator[int]] = [iter([*row, *[row[-1]] * 10_000]) for row in lengths]
        self._left = [next(row) for row in self._lengths]

    @property
    def states(self) -> np.ndarray:
        return np.array(self._left, dtype=np.float64)[:, np.newaxis]

    def step(self, actions: np.ndarray) -> CartPoleStep:
        assert actions.shape == (len(self._left),)
        after = [left - 1 for left in self._left]
        ended = np.array([left == 0 for left in after])
        self._left = [left or next(row) for left, row in zip(after, self._lengths, strict=True)]
        return CartPoleStep(self.states, self.states, np.ones(len(ended)), ended, np.zeros_like(ended))


def no_action(states: np.ndarray) -> np.ndarray:
    return np.zeros(len(states), dtype=np.intp)

"""Which episodes ended while a policy trained, and how they went."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._checks import Array, Mask


class EpisodeLog:
    """Returns and lengths of the last finished episodes, in the order in which they ended.

    Each episode counts once, however many end in the same step, and whenever it began.
    """

    def __init__(self, num_envs: int, *, window: int) -> None:
        """Nothing finished yet.

        Args:
            num_envs: N.
            window: how many of the last finished episodes the means are taken over.
        """
        self._running_returns = np.zeros(num_envs)
        self._running_lengths = np.zeros(num_envs, dtype=np.int64)
        self._returns: deque[float] = deque(maxlen=window)
        self._lengths: deque[int] = deque(maxlen=window)
        self.finished = 0
        """Episodes that ended so far."""

    @property
    def mean_return(self) -> float:
        """Mean undiscounted return; NaN before the first end."""
        return _mean(self._returns)

    @property
    def mean_length(self) -> float:
        """Mean number of steps; NaN before the first end."""
        return _mean(self._lengths)

    def add(self, rewards: Array, ended: Mask) -> None:
        """The next T steps of all environments.

        Args:
            rewards, ended: (T, N), `ended` 1 on the last step of an episode.
        """
        for reward, over in zip(rewards, ended, strict=True):
            self._running_returns += reward
            self._running_lengths += 1
            if over.any():
                self._returns.extend(self._running_returns[over].tolist())
                self._lengths.extend(self._running_lengths[over].tolist())
                self._running_returns[over] = 0.0
                self._running_lengths[over] = 0
        self.finished += int(ended.sum())


def _mean(numbers: Iterable[float]) -> float:
    array = np.array(list(numbers), dtype=np.float64)
    return float(array.mean()) if array.size else float("nan")

"""Running mean and variance, for networks that see standardised observations and scaled rewards.

They move between rollouts only. Within one, every number is scaled alike, so the stored log-probabilities are
those of the very policy that acted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ._checks import Array, Mask

LARGEST = 10.0
"""A standardised number further out than this is moved to ±10: early moments know little."""
VARIANCE_OFFSET = 1e-8
"""Added to a variance before its root, for numbers that have not varied yet."""


@dataclass(frozen=True, slots=True)
class RunningMoments:
    """Mean and variance of all samples so far; before the first, those that change nothing."""

    count: int
    """Number of samples."""
    mean: Array
    """(…) per feature."""
    variance: Array
    """(…) population variance per feature."""


def no_moments(*shape: int) -> RunningMoments:
    """Mean 0 and variance 1 of no sample yet, so that standardising leaves numbers as they are."""
    return RunningMoments(0, np.zeros(shape), np.ones(shape))


def with_samples(moments: RunningMoments, samples: Array) -> RunningMoments:
    """Moments of the samples so far and new ones together, from their moments alone.

        δ = mean_new − mean,  n' = n + m
        mean' = mean + δ m/n',  variance' = (n variance + m variance_new + δ² n m/n')/n'

    Args:
        samples: (m, …) at least one row.
    Source: Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm", 1979.
    """
    new, count = len(samples), moments.count + len(samples)
    difference = samples.mean(axis=0) - moments.mean
    squares = moments.count * moments.variance + new * samples.var(axis=0)
    squares = squares + np.square(difference) * (moments.count * new / count)
    return RunningMoments(count, moments.mean + difference * (new / count), squares / count)


def standardized(values: Array, moments: RunningMoments) -> Array:
    """Values with the moments' mean as 0 and their standard deviation as 1, within ±10."""
    if moments.count == 0:
        return values
    scaled = (values - moments.mean) / np.sqrt(moments.variance + VARIANCE_OFFSET)
    return np.clip(scaled, -LARGEST, LARGEST)


class RewardScale:
    """Rewards divided by the standard deviation of the discounted return, which is what values must predict.

    The mean is not subtracted: that would pay or charge for every further step of an episode.
    """

    def __init__(self, num_envs: int, *, gamma: float) -> None:
        self._gamma = gamma
        self._discounted = np.zeros(num_envs)
        self._moments = no_moments()

    def scaled(self, rewards: Array, ended: Mask) -> Array:
        """Learn from the rewards of a rollout, then scale them.

        Args:
            rewards: (T, N), continuing those of the last call.
            ended: (T, N) 1 on the last step of an episode.
        Returns: (T, N).
        Source: Huang et al., "The 37 Implementation Details of PPO", detail 7 of continuous control.
        """
        discounted = np.empty_like(rewards)
        for t, (reward, over) in enumerate(zip(rewards, ended, strict=True)):
            self._discounted = self._gamma * self._discounted + reward
            discounted[t] = self._discounted
            self._discounted = np.where(over, 0.0, self._discounted)
        self._moments = with_samples(self._moments, discounted.ravel())
        scale = np.sqrt(self._moments.variance + VARIANCE_OFFSET)
        return np.clip(rewards / scale, -LARGEST, LARGEST)

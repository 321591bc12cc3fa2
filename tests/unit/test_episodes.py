"""Evaluation quotas and the log of finished episodes, in environments whose episodes are written down."""

from __future__ import annotations

import math

import numpy as np
import pytest
from expecting import close, refused
from written_episodes import Written, no_action

from policygrad.episode_log import EpisodeLog
from policygrad.episodes import episode_quotas, episode_returns


def test_quotas_are_as_equal_as_can_be() -> None:
    assert episode_quotas(10, 4).tolist() == [3, 3, 2, 2]
    assert episode_quotas(2, 4).tolist() == [1, 1, 0, 0]
    assert episode_quotas(8, 4).tolist() == [2, 2, 2, 2]
    with refused("num_episodes is 0; it must be at least 1"):
        episode_quotas(0, 4)


def test_each_environment_gives_its_first_episodes() -> None:
    returns = episode_returns(Written([3, 1, 7], [2, 2], [5]), no_action, num_episodes=5)
    assert returns.tolist() == [3, 1, 2, 2, 5]


def test_the_action_is_asked_for_each_state() -> None:
    seen = []

    def act(states: np.ndarray) -> np.ndarray:
        seen.append(states[:, 0].tolist())
        return no_action(states)

    episode_returns(Written([2], [1, 2]), act, num_episodes=2)
    assert seen == [[2, 1], [1, 2]]


def test_episodes_go_on_from_one_rollout_to_the_next() -> None:
    log = EpisodeLog(1, window=100)
    log.add(np.full((3, 1), 2.0), np.zeros((3, 1), dtype=bool))
    assert math.isnan(log.mean_return)
    log.add(np.full((2, 1), 2.0), np.array([[True], [False]]))
    close([log.mean_return, log.mean_length], [8.0, 4.0], within=0)
    log.add(np.full((1, 1), 2.0), np.array([[True]]))
    close([log.mean_return, log.mean_length, log.finished], [6.0, 3.0, 2], within=0)


def test_the_mean_is_over_the_last_episodes_only() -> None:
    log = EpisodeLog(1, window=2)
    for length in (50, 1, 3):
        ended = np.zeros((length, 1), dtype=bool)
        ended[-1] = True
        log.add(np.ones((length, 1)), ended)
    close(log.mean_length, 2.0, within=0)
    assert log.finished == 3


@pytest.mark.parametrize("window", [1, 5])
def test_nothing_finished_is_nan_not_0(window: int) -> None:
    assert math.isnan(EpisodeLog(3, window=window).mean_length)

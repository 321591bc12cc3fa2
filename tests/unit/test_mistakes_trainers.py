"""Mistakes that published programs contain: trainers and how their policies are evaluated.

Each test reaches the right value and shows the value that the mistake leads to, which it must not reach.
"""

from __future__ import annotations

import numpy as np
from expecting import right_not
from written_episodes import Written, no_action

from policygrad import ppo_loss
from policygrad.descent import Proposal, descend, fresh_adam
from policygrad.episode_log import EpisodeLog
from policygrad.episodes import episode_returns


def test_the_step_that_breaks_the_bound_is_not_taken() -> None:
    seen = iter([0.005, 0.012, 0.02, 0.01])  # before each step; 1.5 times the target is 0.015
    result = descend(
        fresh_adam(np.zeros(1)),
        [np.array([i]) for i in range(4)],
        lambda params, indices: Proposal(np.ones(1), next(seen)),
        learning_rate=0.1,
        adam_eps=1e-8,
        max_norm=None,
        target_kl=0.01,
    )
    right_not(result.steps, right=2, mistake=3)


def test_the_surrogate_does_not_move_the_critic() -> None:
    # v = w x with w = ½: gradient of ½ mean (v − G)² in w is ((0.5 − 3)·1 + (1 − 1)·2)/2.
    x, returns = np.array([1.0, 2.0]), np.array([3.0, 1.0])
    log_probs = np.log([0.5, 0.25])
    loss = ppo_loss(
        np.stack([log_probs, np.log1p(-np.exp(log_probs))], axis=1),
        [0, 0],
        log_probs,
        returns - 0.5 * x,
        values=0.5 * x,
        targets=returns,
        clip_epsilon=0.2,
        value_coef=1.0,
    )
    right_not(loss.value_gradients @ x, right=-1.25, mistake=-2.9828679513998635)


def test_the_first_episodes_that_end_are_not_the_ones_to_average() -> None:
    returns = episode_returns(Written([10, 12, 14], [500]), no_action, num_episodes=2)
    right_not(returns, right=[10, 500], mistake=[10, 12])
    right_not(returns.mean(), right=255, mistake=11)


def test_episodes_and_not_steps_are_averaged() -> None:
    # One of 10 ends in its step alone, three of 100 end together: 310/4, not the mean of 10 and 100.
    ended = np.zeros((100, 4), dtype=bool)
    ended[9, 0] = ended[99, 1:] = True
    log = EpisodeLog(4, window=100)
    log.add(np.ones((100, 4)), ended)
    right_not(log.mean_return, right=77.5, mistake=55.0)
    assert log.finished == 4


def test_unfinished_episodes_are_waited_for() -> None:
    returns = episode_returns(Written([10, 10, 10, 10], [150]), no_action, num_episodes=2)
    right_not(returns.mean(), right=80, mistake=10)

"""Running mean and variance, standardised observations and scaled rewards."""

from __future__ import annotations

import numpy as np
from expecting import close

from policygrad.running_moments import RewardScale, no_moments, standardized, with_samples


def test_moments_in_pieces_are_those_of_the_whole() -> None:
    samples = np.random.default_rng(0).normal(3.0, 2.0, size=(60, 4))
    moments = no_moments(4)
    for piece in np.split(samples, [1, 8, 30]):
        moments = with_samples(moments, piece)
    assert moments.count == 60
    close(moments.mean, samples.mean(axis=0), within=1e-14)
    close(moments.variance, samples.var(axis=0), within=1e-13)


def test_two_samples_by_hand() -> None:
    # 1 and 3: mean 2, variance 1; then 5: mean 3, variance (4 + 0 + 4)/3.
    moments = with_samples(no_moments(), np.array([1.0, 3.0]))
    close([moments.mean, moments.variance], [2.0, 1.0], within=1e-15)
    moments = with_samples(moments, np.array([5.0]))
    close([moments.mean, moments.variance], [3.0, 8 / 3], within=1e-15)


def test_before_the_first_sample_nothing_changes() -> None:
    values = np.array([[1e6, -3.0]])
    assert standardized(values, no_moments(2)) is values


def test_standardised_numbers_and_their_limit() -> None:
    moments = with_samples(no_moments(1), np.array([[1.0], [3.0]]))
    close(standardized(np.array([[2.0], [3.0], [1e9]]), moments), [[0], [1], [10]], within=1e-7)


def test_a_feature_that_does_not_vary_is_no_division_by_0() -> None:
    moments = with_samples(no_moments(1), np.full((5, 1), 0.1))
    close(standardized(np.array([[0.1], [-7.0]]), moments), [[0], [-10]], within=0)


def test_rewards_are_divided_and_not_shifted() -> None:
    # γ = ½, one environment, rewards 1: discounted sums 1, 1.5, then the episode ends: 1 again.
    # Their standard deviation is √(1/18).
    scaled = RewardScale(1, gamma=0.5).scaled(np.ones((3, 1)), np.array([[False], [True], [False]]))
    close(scaled, np.ones((3, 1)) / np.sqrt(1 / 18), within=1e-6)


def test_discounted_sums_go_on_from_one_rollout_to_the_next() -> None:
    rewards = np.random.default_rng(0).normal(size=(12, 2))
    ended = np.random.default_rng(1).random((12, 2)) < 0.2
    whole, pieces = RewardScale(2, gamma=0.9), RewardScale(2, gamma=0.9)
    together = whole.scaled(rewards, ended)
    pieces.scaled(rewards[:5], ended[:5])
    last = pieces.scaled(rewards[5:], ended[5:])
    close(last, together[5:], within=1e-12)

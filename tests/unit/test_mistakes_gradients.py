"""Mistakes that published programs and courses contain: scores, returns and baselines.

Each test reaches the right value and shows the value that the mistake leads to, which it must not reach.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from expecting import close, right_not

from policygrad import (
    exact_policy_gradient,
    group_mean_advantages,
    log_softmax,
    minimum_variance_baseline,
    reinforce_gradient,
    rewards_to_go,
    rloo_advantages,
    score,
    score_weights,
    softmax,
    state_value,
    trajectory_gradient,
    value_loss,
)


def test_a_probability_is_not_floored_before_its_logarithm() -> None:
    logits = [0.0, -30.0]
    # A floor of 1e-8 gives log 1e-8 and no gradient: the rare action could never be learned.
    right_not(log_softmax(logits)[1], right=-30.000000000000092, mistake=-18.420680743952367)
    rare = 0.9999999999999064
    right_not(score(softmax(logits), 1), right=[-rare, rare], mistake=[0, 0])


def test_actions_not_taken_are_pushed_down_when_the_taken_one_goes_up() -> None:
    preferences, action, advantage, rate = np.log([1.0, 2.0, 3.0]), 1, 2.0 - 0.5, 0.1
    change = rate * reinforce_gradient([score(softmax(preferences), action)], [advantage])
    # π = (1/6, 1/3, 1/2): 0.15·(−1/6, 2/3, −1/2)
    right_not(
        preferences + change,
        right=preferences + np.array([-0.025, 0.1, -0.075]),
        mistake=preferences + np.array([0.025, 0.1, 0.075]),
    )


def test_the_gradient_is_in_the_logits_not_in_the_probabilities() -> None:
    logits, rewards = np.log([0.2, 0.3, 0.5]), [1, 0, 2]
    assert abs(float(state_value(softmax(logits), rewards)) - 1.2) < 1e-12
    # π_i (r_i − 1.2); the derivative in π_i would be r_i itself
    right_not(exact_policy_gradient(logits, rewards), right=[-0.04, -0.36, 0.4], mistake=rewards)


def test_only_the_sampled_actions_log_probability_is_weighted() -> None:
    logits = np.log([[1.0, 3.0], [3.0, 1.0]])
    actions, advantages = np.array([0, 0]), np.array([2.0, -1.0])
    chosen = log_softmax(logits)[[0, 1], actions]
    # −(2·log ¼ − log ¾)/2; with all actions in the average it would be 0.837
    right_not(-np.mean(chosen * advantages), right=1.2424533248940002, mistake=0.8369882167858358)
    gradient = -advantages[:, np.newaxis] * score(softmax(logits), actions) / 2
    right_not(gradient, right=[[-0.75, 0.75], [0.125, -0.125]], mistake=[[-0.5, 0.5], [-0.25, 0.25]])


def test_steps_are_weighted_by_what_follows_not_by_the_whole_return() -> None:
    weights = rewards_to_go([1.0, 0.0, -2.0], gamma=1)
    right_not(weights, right=[-1, -2, -2], mistake=[-1, -1, -1])
    # −0.5 + 0.5 − 2
    gradient = trajectory_gradient([[0.5], [-0.25], [1.0]], weights)
    right_not(gradient, right=[-2.0], mistake=[-1.25])


def expected_bandit_gradient(prob: float, gamma: float, convention: str) -> float:
    """Two steps of one Bernoulli logit, rewards a₀ and 3 a₁: E of the REINFORCE gradient."""
    total = 0.0
    for actions in product((0, 1), repeat=2):
        chance = np.prod([prob if a else 1 - prob for a in actions])
        scores = [[a - prob] for a in actions]
        weights = score_weights([actions[0], 3 * actions[1]], gamma=gamma, convention=convention)
        total += chance * trajectory_gradient(scores, weights)[0]
    return float(total)


def test_without_the_discount_of_late_steps_it_is_another_gradient() -> None:
    prob, gamma = 0.2, 0.5
    # J = p + γ·3p, so ∂J/∂θ = p(1 − p)(1 + 3γ) = 0.16·2.5; without γ^t the second step counts fully
    right_not(expected_bandit_gradient(prob, gamma, "objective"), right=0.4, mistake=0.64)
    close(expected_bandit_gradient(prob, gamma, "occupancy"), 0.64)


def test_a_reward_on_the_way_does_not_end_the_return() -> None:
    # A habit from Pong, where every point starts anew.
    right_not(rewards_to_go([1.0, 0.0, 2.0], gamma=0.9), right=[2.62, 1.8, 2], mistake=[1, 1.8, 2])


def test_whole_returns_and_rewards_to_go_differ_in_variance_only() -> None:
    # Two fair coins, reward 1 for heads, score a − ½.
    estimates = {"whole": [], "to go": []}  # type: dict[str, list[float]]
    for actions in product((0, 1), repeat=2):
        scores = [[a - 0.5] for a in actions]
        estimates["whole"].append(float(trajectory_gradient(scores, [sum(actions)] * 2)[0]))
        estimates["to go"].append(float(trajectory_gradient(scores, rewards_to_go(actions, gamma=1))[0]))
    close([np.mean(estimates["whole"]), np.mean(estimates["to go"])], [0.5, 0.5])
    variances = [np.var(estimates["whole"]), np.var(estimates["to go"])]
    right_not(variances, right=[0.75, 0.375], mistake=[0.375, 0.375])


def test_a_group_mean_that_contains_the_sample_shrinks_the_gradient() -> None:
    probs, rewards = np.array([0.3, 0.7]), np.array([1.0, 0.0])
    exact = exact_policy_gradient(np.log(probs), rewards)[0]
    close(exact, 0.21)
    for size, shrunk in ((2, 0.105), (4, 0.1575)):
        means = {"none": 0.0, "mean": 0.0, "others": 0.0}
        for actions in product((0, 1), repeat=size):
            chance = np.prod(probs[list(actions)])
            scores, sampled = [score(probs, a) for a in actions], rewards[list(actions)]
            means["none"] += chance * reinforce_gradient(scores, sampled)[0]
            means["mean"] += chance * reinforce_gradient(scores, group_mean_advantages(sampled))[0]
            means["others"] += chance * reinforce_gradient(scores, rloo_advantages(sampled))[0]
        close([means["none"], means["others"]], [exact, exact])
        right_not(means["mean"], right=shrunk, mistake=exact)


def test_the_quietest_baseline_is_not_the_mean_return() -> None:
    scores, returns = np.array([0.5, -1.0, 2.0]), [1.0, 3.0, 2.0]
    # (0.25·1 + 1·3 + 4·2)/5.25, each sample equally likely
    best = minimum_variance_baseline(np.full(3, 1 / 3), returns, scores**2)
    right_not(best, right=11.25 / 5.25, mistake=2.0)


def test_a_baseline_per_step_is_averaged_over_trajectories() -> None:
    to_go = np.array([[5.0, 4, 3], [3, 2, 1], [1, 0, -1]])  # a row per trajectory
    # Compared with the mean over time, every late step would look bad.
    right_not(
        group_mean_advantages(to_go.T).T,
        right=[[2, 2, 2], [0, 0, 0], [-2, -2, -2]],
        mistake=[[1, 0, -1]] * 3,
    )


def test_the_policy_loss_does_not_move_the_baseline() -> None:
    # v = w·x; the advantage is a number, so only ½ mean (v − G)² depends on w: mean((v − G) x) at w = ½
    x, returns, log_probs, width = np.array([1.0, 2.0]), np.array([3.0, 1.0]), np.log([0.5, 0.25]), 1e-5

    def slope(loss) -> float:  # type: ignore[no-untyped-def]
        return (loss(0.5 + width) - loss(0.5 - width)) / (2 * width)

    right = slope(lambda w: value_loss(w * x, returns))
    leaking = slope(lambda w: value_loss(w * x, returns) - np.mean(log_probs * (returns - w * x)))
    close(leaking, -2.9828679513998635, within=1e-7)
    right_not(right, right=-1.25, mistake=leaking, within=1e-7)

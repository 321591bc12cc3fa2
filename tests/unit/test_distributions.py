"""Softmax, entropy, KL and scores, by hand."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from expecting import close, refused, right_not

from policygrad import entropy, kl_divergence, kl_terms, log_softmax, score, softmax

INF = float("inf")


def test_softmax_of_logarithms_gives_their_shares() -> None:
    # exp(log 1, log 2, log 5) = (1, 2, 5), together 8
    close(softmax([log(1), log(2), log(5)]), [1 / 8, 2 / 8, 5 / 8], within=1e-15)


def test_log_softmax_of_logarithms_gives_logarithms_of_shares() -> None:
    close(log_softmax([log(1), log(3)]), [log(0.25), log(0.75)], within=1e-15)


def test_a_common_constant_changes_nothing() -> None:
    assert softmax([1.0, 2.0]).tolist() == softmax([101.0, 102.0]).tolist()


def test_logits_of_ten_thousand_are_exact() -> None:
    # e^−20000 is 0 in floats, its logarithm is not: it is −20000
    assert log_softmax([1e4, -1e4]).tolist() == [0.0, -20000.0]
    assert softmax([1e4, -1e4]).tolist() == [1.0, 0.0]
    assert log_softmax([-1e4, -1e4]).tolist() == [-log(2), -log(2)]


def test_logits_near_the_end_of_floats_do_not_overflow() -> None:
    assert log_softmax([1e308, -1e308]).tolist() == [0.0, -INF]
    assert softmax([1e308, -1e308]).tolist() == [1.0, 0.0]


def test_an_unavailable_action_has_probability_0_and_the_others_share() -> None:
    assert softmax([0.0, -INF, 0.0]).tolist() == [0.5, 0.0, 0.5]
    assert log_softmax([0.0, -INF, 0.0]).tolist() == [-log(2), -INF, -log(2)]
    assert softmax([-INF, 7.0]).tolist() == [0.0, 1.0]


def test_rows_are_independent() -> None:
    batch = [[0.0, log(3)], [log(3), 0.0]]
    close(softmax(batch), [[0.25, 0.75], [0.75, 0.25]], within=1e-15)


def test_entropy_of_even_and_certain_policies() -> None:
    assert entropy([0.5, 0.5]) == pytest.approx(log(2), abs=1e-15)
    # −0.25 log 0.25 − 0.75 log 0.75 = 0.25·1.386294 + 0.75·0.287682 = 0.346574 + 0.215762
    assert entropy([0.25, 0.75]) == pytest.approx(0.562335, abs=1e-6)
    certain = entropy([1.0, 0.0])
    assert certain == 0
    assert not np.signbit(certain)  # 0, not −0


def test_entropy_of_rows_has_one_entry_each() -> None:
    close(entropy([[1, 0], [0.5, 0.5]]), [0.0, log(2)])


def test_kl_of_the_lesson() -> None:
    # 0.7 log 1.4 + 0.3 log 0.6 = 0.7·0.336472 − 0.3·0.510826 = 0.235531 − 0.153248 = 0.082283
    assert kl_divergence([0.7, 0.3], [0.5, 0.5]) == pytest.approx(0.082283, abs=5e-7)
    # 0.5 log(0.5/0.7) + 0.5 log(0.5/0.3) = −0.168236 + 0.255413 = 0.087177
    assert kl_divergence([0.5, 0.5], [0.7, 0.3]) == pytest.approx(0.087177, abs=5e-7)


def test_kl_of_equal_distributions_is_exactly_0() -> None:
    assert kl_divergence([0.1, 0.2, 0.7], [0.1, 0.2, 0.7]) == 0
    assert kl_divergence([1, 0], [1, 0]) == 0


def test_an_action_that_p_never_takes_adds_nothing() -> None:
    # 0·log(0/0.5) = 0, so D = 1·log(1/0.5)
    assert kl_divergence([1, 0], [0.5, 0.5]) == pytest.approx(log(2), abs=1e-15)
    assert kl_divergence([1, 0, 0], [0.5, 0.5, 0]) == pytest.approx(log(2), abs=1e-15)


def test_an_action_that_only_p_takes_makes_the_divergence_infinite() -> None:
    assert kl_divergence([0.5, 0.5], [1, 0]) == INF
    close(kl_divergence([[1, 0], [0.5, 0.5]], [[1, 0], [1, 0]]), [0, INF])


def test_kl_survives_ratios_that_overflow() -> None:
    # p/q = 0.5/1e−320 is no float, its logarithm is log 0.5 + 320 log 10
    assert kl_divergence([0.5, 0.5], [1e-320, 1]) == pytest.approx(
        0.5 * (log(0.5) - log(1e-320)) + 0.5 * log(0.5)
    )


def test_kl_terms_add_up_and_may_be_negative() -> None:
    close(kl_terms([0.7, 0.3], [0.5, 0.5]), [0.7 * log(1.4), 0.3 * log(0.6)], within=1e-15)
    assert kl_terms([0.5, 0.5, 0], [1, 0, 0]).tolist() == [0.5 * log(0.5), INF, 0.0]


def test_score_is_one_hot_minus_probabilities() -> None:
    close(score([0.2, 0.3, 0.5], 1), [-0.2, 0.7, -0.5])
    close(score([[0.2, 0.8], [0.6, 0.4]], [1, 0]), [[-0.2, 0.2], [0.4, -0.4]])
    assert score([1.0, 0.0], 0).tolist() == [0.0, 0.0]


def test_arguments_are_not_changed() -> None:
    logits, probs = np.array([1.0, 2.0]), np.array([0.5, 0.5])
    for result in (softmax(logits), log_softmax(logits), kl_terms(probs, probs), score(probs, 0)):
        result.fill(7)
    assert logits.tolist() == [1.0, 2.0]
    assert probs.tolist() == [0.5, 0.5]


def test_errors() -> None:
    with refused("probs sums to 0.9; probabilities must sum to 1 within 1e-9"):
        entropy([0.5, 0.4])
    with refused("q has shape (3,); it must have the shape of p, (2,)"):
        kl_divergence([0.5, 0.5], [0.2, 0.3, 0.5])
    with refused("action is 2; it must be a whole number from 0 to 1"):
        score([0.5, 0.5], 2)
    with refused("action has shape (1,); it must have one entry per distribution, ()"):
        score([0.5, 0.5], [1])
    with refused("logits[0] is NaN; a logit must be finite or -infinity"):
        softmax([float("nan"), 0])
    with refused("logits is -infinity for every action; at least one logit must be finite"):
        log_softmax([-INF])


def test_a_rare_action_keeps_its_log_probability_and_its_score() -> None:
    """Mistake ps02: probabilities floored at 1e-8 before the logarithm."""
    logits = [0.0, -30.0]
    right_not(log_softmax(logits)[1], right=-30 - exp(-30), mistake=log(1e-8))
    right_not(score(softmax(logits), 1), right=[-1 + exp(-30), 1 - exp(-30)], mistake=[0.0, 0.0])


def test_the_actions_not_taken_are_pushed_down() -> None:
    """Mistake ps04: plus their probability instead of minus. π = (1, 2, 3)/6, weight 0.1·(2 − 0.5) = 0.15."""
    preferences = [0.0, log(2), log(3)]
    moved = np.array(preferences) + 0.1 * (2.0 - 0.5) * score(softmax(preferences), 1)
    right = [-0.025, log(2) + 0.1, log(3) - 0.075]
    right_not(moved, right=right, mistake=[0.025, log(2) + 0.1, log(3) + 0.075])


def test_only_the_sampled_action_enters_the_policy_loss() -> None:
    """Mistake ps08: log-probabilities of all actions. π(0) = 0.25 and 0.75; advantages 2 and −1."""
    logits, actions, advantages = [[0, log(3)], [log(3), 0]], [0, 0], np.array([2.0, -1.0])
    chosen = log_softmax(logits)[[0, 1], actions]
    # −½ (2 log 0.25 − log 0.75) = ½ (2.772589 − 0.287682)
    right_not(-np.mean(chosen * advantages), right=1.2424533248940002, mistake=0.8369882167858358)
    gradient = -advantages[:, np.newaxis] * score(softmax(logits), actions) / 2
    right_not(gradient, right=[[-0.75, 0.75], [0.125, -0.125]], mistake=[[-0.5, 0.5], [-0.25, 0.25]])


def test_the_direction_of_the_divergence_matters() -> None:
    """Mistake kl01: p and q swapped."""
    # 0.5 log 2 + 0.3 log 1.2 + 0.2 log 0.4 = 0.346574 + 0.054696 − 0.183258
    p, q = [0.5, 0.3, 0.2], [0.25, 0.25, 0.5]
    right_not(kl_divergence(p, q), right=0.21801191094332803, mistake=0.23927818159860254)
    right_not(kl_divergence(q, p), right=0.23927818159860254, mistake=0.21801191094332803)
    right_not(-0.5 * kl_divergence(p, q), right=-0.10900595547166401, mistake=0.10900595547166401)


def test_an_entropy_bonus_is_taken_off_the_loss() -> None:
    """Mistake kl07: its sign. π = (0.25, 0.75); loss 0.3 + 0.5·0.8 − 0.01·0.562335."""
    probs = softmax([0, log(3)])
    right_not(0.3 + 0.5 * 0.8 - 0.01 * entropy(probs), right=0.6943766485538119, mistake=0.705623351446188)
    # ∂H/∂z_i = −π_i (log π_i + H)
    gradient = 0.01 * probs * (np.log(probs) + entropy(probs))
    right_not(gradient, right=[-0.002059898041252706, 0.002059898041252706], mistake=[0, 0])


def test_the_old_distribution_comes_from_the_old_logits() -> None:
    """Mistake kl11: both built from the current logits, so that no divergence is ever seen."""
    old, new = softmax([[0.0, 0.0], [1.0, 0.0]]), softmax([[0.5, 0.0], [1.0, -1.0]])
    right_not(kl_divergence(old, new), right=[0.030929803620161372, 0.08260774489474479], mistake=[0, 0])


def test_the_gradient_of_the_divergence_goes_through_the_probabilities() -> None:
    """Mistake kl13: only the sampled log-difference is differentiated, which averages to 0."""
    probs, ref = softmax([0.0, log(2), log(2)]), np.array([0.25, 0.25, 0.5])
    log_ratio = np.log(probs / ref)
    through_scores = sum(probs[a] * log_ratio[a] * score(probs, a) for a in range(3))
    right = [-0.055451774444795626, 0.16635532333438688, -0.11090354888959125]
    right_not(through_scores, right=right, mistake=[0, 0, 0])
    close(probs * (log_ratio - kl_divergence(probs, ref)), right)

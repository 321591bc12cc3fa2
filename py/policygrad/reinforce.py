"""REINFORCE: policy gradients from scores, and the two-action update that can be followed by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check
from .distributions import softmax

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._checks import Array


@dataclass(frozen=True, slots=True)
class TwoActionUpdate:
    """One ascent step on the logit of a two-action policy."""

    reward_gradient: float
    """Gradient of the expected reward in the logit, or the sampled term, in reward units."""
    kl_gradient: float
    """Gradient of D_KL(π‖π_ref) in the logit, before its coefficient, in nats."""
    gradient: float
    """reward_gradient − kl_coef · kl_gradient, what the step follows."""
    new_prob: float
    """Probability of action 0 after the step."""
    kl: float
    """D_KL(π‖π_ref) of the policy before the step, in nats."""
    expected_reward: float
    """V = Σ π(a) R(a) of the policy before the step, in reward units."""


@dataclass(frozen=True, slots=True)
class TwoActionRun:
    """A run of averaged two-action updates; entry k belongs to the policy after k updates."""

    prob: Array
    """(num_updates + 1,) probability of action 0."""
    expected_reward: Array
    """(num_updates + 1,) V, in reward units."""
    kl: Array
    """(num_updates + 1,) D_KL(π‖π_ref), in nats."""
    reward_gradient: Array
    """(num_updates + 1,) gradient of V in the logit, in reward units."""
    kl_gradient: Array
    """(num_updates + 1,) gradient of the KL in the logit, before its coefficient, in nats."""


def exact_policy_gradient(logits: ArrayLike, action_values: ArrayLike) -> Array:
    """Gradient of the expected action value in the logits, averaged over all actions.

        ∇_z Σ_a π(a) Q(a) = Σ_a π(a) Q(a) (one-hot(a) − π),   component i: π_i (Q_i − V)

    Args:
        logits: (…, A) logits z; −infinity makes an action unavailable.
        action_values: same shape, Q.
    Returns: (…, A) in the units of Q, each row summing to 0; exactly 0 when all action values are equal.
    Raises: ValueError on unequal shapes, NaN or +infinity in `logits`, or a non-finite action value.
    Source: Williams, "Simple Statistical Gradient-Following Algorithms", 1992.
    """
    logits = check.logits(logits)
    values = check.finite(action_values, "action_values")
    check.same_shape(values, "action_values", logits, "logits")
    probs = softmax(logits)
    # Values relative to one of them: a common constant cancels exactly, also for values like 0.1.
    relative = values - values[..., :1]
    gradient: Array = probs * (relative - (probs * relative).sum(axis=-1, keepdims=True))
    return gradient


def trajectory_gradient(scores: ArrayLike, weights: ArrayLike) -> Array:
    """The gradient estimate of one trajectory: the sum over its steps, without a division by T.

        g = Σ_t w_t ∇_θ log π(a_t|s_t), t in [0, T)

    Args:
        scores: (T, P) gradient of each step's log-probability in the P parameters.
        weights: (T,) return or advantage of each step.
    Returns: (P,).
    Raises: ValueError on wrong shapes or non-finite numbers.
    """
    steps, factors = _weighted(scores, weights)
    gradient: Array = factors @ steps
    return gradient


def reinforce_gradient(scores: ArrayLike, weights: ArrayLike) -> Array:
    """The gradient estimate of a batch: the mean over independent samples or trajectories.

        g = (1/N) Σ_n w_n ∇_θ log π(sample n)

    Args:
        scores: (N, P) score of each sample; the steps of a trajectory are already summed.
        weights: (N,) return or advantage of each sample.
    Returns: (P,).
    Raises: ValueError on wrong shapes or non-finite numbers.
    Source: Williams, "Simple Statistical Gradient-Following Algorithms", 1992.
    """
    samples, factors = _weighted(scores, weights)
    gradient: Array = factors @ samples / len(factors)
    return gradient


def two_action_update(
    prob: float,
    rewards: ArrayLike,
    *,
    ref_prob: float,
    kl_coef: float,
    learning_rate: float,
    action: int | None = None,
) -> TwoActionUpdate:
    """One REINFORCE step on the logit θ of a two-action policy, held back towards a reference policy.

        π(0) = σ(θ),  V = Σ_a π(a) R(a),  score(a) = [a = 0] − π(0)
        θ ← θ + learning_rate · (E_a[(R(a) − V) score(a)] − kl_coef · ∂D_KL(π‖π_ref)/∂θ)

    The baseline V is exact and detached: it is a number here, nothing is differentiated through it. The KL
    is not sampled; its direct derivative is π(0) π(1) (θ − θ_ref).

    Args:
        prob: probability of action 0, above 0 and below 1.
        rewards: (2,) reward of action 0 and of action 1.
        ref_prob: probability of action 0 under the reference policy, above 0 and below 1.
        kl_coef: weight of the KL, ≥ 0, in reward units per nat.
        learning_rate: step size, ≥ 0.
        action: 0 or 1 for the term of that sampled action, None for the average over both.
    Raises: ValueError on a probability outside (0, 1), wrong shape, non-finite number or unknown action.
    """
    p = check.real(prob, "prob", above=0, below=1)
    q = check.real(ref_prob, "ref_prob", above=0, below=1)
    both = _two_rewards(rewards)
    beta = check.real(kl_coef, "kl_coef", at_least=0)
    rate = check.real(learning_rate, "learning_rate", at_least=0)
    if action is not None:
        action = check.whole(action, "action", at_least=0, at_most=1)
    return _update(p, q, both, beta=beta, rate=rate, action=action)


def two_action_run(
    prob: float,
    rewards: ArrayLike,
    *,
    ref_prob: float,
    kl_coef: float,
    learning_rate: float,
    num_updates: int,
) -> TwoActionRun:
    """`two_action_update`, averaged over both actions, repeated `num_updates` times.

    Args: as `two_action_update`; num_updates is a whole number ≥ 0.
    Returns: the policy before the first update and after each one.
    Raises: ValueError as `two_action_update`, and when a step is so large that the probability rounds to
        0 or 1, where nothing is left to update.
    """
    p = check.real(prob, "prob", above=0, below=1)
    q = check.real(ref_prob, "ref_prob", above=0, below=1)
    both = _two_rewards(rewards)
    beta = check.real(kl_coef, "kl_coef", at_least=0)
    rate = check.real(learning_rate, "learning_rate", at_least=0)
    probs, steps = [], []
    for _ in range(check.whole(num_updates, "num_updates", at_least=0) + 1):
        if not 0 < p < 1:
            raise ValueError(
                f"learning_rate is {check.shown(rate)}; it must be small enough that the probability "
                f"does not round to {p:.0f}"
            )
        probs.append(p)
        steps.append(_update(p, q, both, beta=beta, rate=rate))
        p = steps[-1].new_prob
    return TwoActionRun(
        prob=np.array(probs),
        expected_reward=np.array([step.expected_reward for step in steps]),
        kl=np.array([step.kl for step in steps]),
        reward_gradient=np.array([step.reward_gradient for step in steps]),
        kl_gradient=np.array([step.kl_gradient for step in steps]),
    )


def _update(
    p: float, q: float, rewards: tuple[float, float], *, beta: float, rate: float, action: int | None = None
) -> TwoActionUpdate:
    """The arithmetic of `two_action_update` on checked numbers."""
    first, second = rewards
    # R − V, written so that equal rewards give exactly 0.
    advantage_0, advantage_1 = (1 - p) * (first - second), -p * (first - second)
    score_0, score_1 = 1 - p, -p
    if action is None:
        reward_gradient = p * advantage_0 * score_0 + (1 - p) * advantage_1 * score_1
    else:
        reward_gradient = advantage_0 * score_0 if action == 0 else advantage_1 * score_1
    logit, ref_logit = _logit(p), _logit(q)
    kl_gradient = p * (1 - p) * (logit - ref_logit)
    gradient = reward_gradient - beta * kl_gradient
    # The KL of two actions; rounding must not take equal policies below 0.
    kl = p * (math.log(p) - math.log(q)) + (1 - p) * (math.log1p(-p) - math.log1p(-q))
    return TwoActionUpdate(
        reward_gradient=reward_gradient,
        kl_gradient=kl_gradient,
        gradient=gradient,
        new_prob=_sigmoid(logit + rate * gradient),
        kl=max(kl, 0.0),
        expected_reward=second + p * (first - second),
    )


def _weighted(scores: ArrayLike, weights: ArrayLike) -> tuple[Array, Array]:
    """Scores with one row, and weights with one entry, per sample."""
    rows = check.finite(scores, "scores", ndim=2)
    factors = check.finite(weights, "weights", ndim=1)
    if len(rows) != len(factors):
        raise ValueError(
            f"weights has shape {factors.shape}; it must have one entry per row of scores, ({len(rows)},)"
        )
    return rows, factors


def _two_rewards(rewards: ArrayLike) -> tuple[float, float]:
    array = check.finite(rewards, "rewards", ndim=1)
    if len(array) != 2:
        raise ValueError(f"rewards has shape {array.shape}; it must have shape (2,), one per action")
    return float(array[0]), float(array[1])


def _logit(probability: float) -> float:
    return math.log(probability) - math.log1p(-probability)


def _sigmoid(logit: float) -> float:
    """1 / (1 + e^−θ), by the form whose exponential cannot overflow."""
    if logit >= 0:
        return 1 / (1 + math.exp(-logit))
    weight = math.exp(logit)
    return weight / (1 + weight)

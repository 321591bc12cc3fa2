"""Baselines: what an action's or a response's reward is compared with, and what that does to a gradient.

A baseline that does not depend on the sample itself leaves the expected gradient as it is. The mean of a
group that contains the sample does depend on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check
from ._groups import centred, reward_groups, standardised

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._checks import Array


@dataclass(frozen=True, slots=True)
class MovingAverageAdvantages:
    """Advantages against a baseline that follows the rewards, and where it went."""

    advantages: Array
    """(T,) reward less the baseline before it, in reward units."""
    baselines: Array
    """(T,) the baseline after each reward; the last one is what the next call begins with."""


@dataclass(frozen=True, slots=True)
class GroupGradientEstimates:
    """Gradient estimates from independent groups, one number per group and estimator, in reward units."""

    none: Array
    """(num_groups,) mean over the group of R·score, without a baseline; right on average."""
    group_mean: Array
    """(num_groups,) the group's own mean as baseline; on average 1 − 1/group_size of the gradient."""
    leave_one_out: Array
    """(num_groups,) the mean of the others as baseline; right on average for groups of two or more."""
    exact: float
    """The gradient itself, p(1−p)(R(1) − R(0))."""


def state_value(probs: ArrayLike, action_values: ArrayLike) -> Array:
    """Value of a state under a policy, in reward units: the average of its action values.

        V = Σ_a π(a) Q(a)

    Args:
        probs: (…, A) probabilities π.
        action_values: same shape, Q.
    Returns: (…).
    Raises: ValueError on unequal shapes, a non-finite action value, or `probs` not being distributions.
    """
    probs, values = _policy_and_values(probs, action_values)
    return check.unwrapped((probs * values).sum(axis=-1))


def minimum_variance_baseline(
    probs: ArrayLike, action_values: ArrayLike, score_norms_sq: ArrayLike | None = None
) -> Array:
    """The constant b that gives (Q(a) − b) g(a), a ~ π, the smallest total variance. In general not V.

        b* = E[Q ‖g‖²] / E[‖g‖²],   softmax: ‖g(a)‖² = ‖one-hot(a) − π‖²

    Args:
        probs: (…, A) probabilities π.
        action_values: same shape, Q.
        score_norms_sq: same shape, ‖g(a)‖² ≥ 0 of the scores; those of the softmax logits when not given.
    Returns: (…) in reward units; V = Σ_a π(a) Q(a) where every score is zero and any b does.
    Raises: ValueError on unequal shapes, non-finite or negative norms, non-finite action values, or
        `probs` not being distributions.
    Source: Greensmith, Bartlett and Baxter, JMLR 5, 2004.
    """
    probs, values = _policy_and_values(probs, action_values)
    if score_norms_sq is None:
        scores = np.eye(probs.shape[-1]) - probs[..., np.newaxis, :]  # (…, A, A), a row for each action
        norms = np.square(scores).sum(axis=-1)
    else:
        norms = check.non_negative_entries(score_norms_sq, "score_norms_sq")
        check.same_shape(norms, "score_norms_sq", probs, "probs")
    weights = probs * norms
    total = weights.sum(axis=-1, keepdims=True)
    shares = np.divide(weights, total, out=probs.copy(), where=total > 0)
    return check.unwrapped((shares * values).sum(axis=-1))


def group_mean_advantages(rewards: ArrayLike) -> Array:
    """Rewards minus the mean of their group, which contains the reward itself; in reward units.

        A_i = R_i − (1/G) Σ_j R_j

    Args:
        rewards: (…, G), a group along the last axis.
    Returns: same shape; exactly 0 in a group of equal rewards or of one.
    Raises: ValueError on an empty or non-finite input.
    """
    return dr_grpo_advantages(rewards)


def rloo_advantages(rewards: ArrayLike, *, group_ids: ArrayLike | None = None) -> Array:
    """Rewards minus the mean of the others in their group (leave-one-out), in reward units.

        A_i = R_i − 1/(G−1) Σ_{j≠i} R_j = G/(G−1) (R_i − mean(R))

    Args:
        rewards: (…, G), a group along the last axis; or any shape together with `group_ids`.
        group_ids: same shape, equal numbers for responses to one prompt, in any order.
    Returns: same shape; exactly 0 in a group of equal rewards or of one, which has nothing to compare with.
    Raises: ValueError on an empty or non-finite input or unequal shapes.
    Source: Kool, van Hoof and Welling, 2019; Ahmadian et al., arXiv:2402.14740.
    """
    rewards = check.finite(rewards, "rewards")
    groups = reward_groups(rewards, group_ids)
    factors = groups.counts / np.maximum(groups.counts - 1, 1)
    return (centred(rewards.ravel(), groups) * factors[groups.index]).reshape(rewards.shape)


def grpo_advantages(
    rewards: ArrayLike,
    *,
    ddof: int = 0,
    eps: float = 1e-8,
    scale: str = "group",
    group_ids: ArrayLike | None = None,
) -> Array:
    """Rewards minus the mean of their group, divided by a standard deviation: numbers without unit.

        A_i = (R_i − mean(R)) / (std(R) + eps),   std with G − ddof in the denominator

    Args:
        rewards: (…, G), a group along the last axis; or any shape together with `group_ids`.
        ddof: 0 for the population's standard deviation; 1 for the sample's, as many libraries have it.
        eps: added to the standard deviation, ≥ 0.
        scale: "group" divides by the group's own standard deviation; "batch" by that of all rewards together,
            so that a group whose rewards hardly differ is not blown up.
        group_ids: same shape, equal numbers for responses to one prompt, in any order.
    Returns: same shape; exactly 0 in a group of equal rewards or of one, also with eps = 0.
    Raises: ValueError on an empty or non-finite input, unequal shapes, or a hyper-parameter out of range.
    Source: Shao et al., arXiv:2402.03300, section 4.1; "batch" as in TRL's `scale_rewards`.
    """
    rewards = check.finite(rewards, "rewards")
    free = check.whole(ddof, "ddof", at_least=0, at_most=1)
    offset = check.real(eps, "eps", at_least=0)
    groups = reward_groups(rewards, group_ids)
    common = check.option(scale, "scale", ("group", "batch")) == "batch"
    return standardised(rewards.ravel(), groups, ddof=free, eps=offset, common=common).reshape(rewards.shape)


def dr_grpo_advantages(rewards: ArrayLike, *, group_ids: ArrayLike | None = None) -> Array:
    """Rewards minus the mean of their group, not divided by a standard deviation; in reward units.

        A_i = R_i − mean(R)

    Args:
        rewards: (…, G), a group along the last axis; or any shape together with `group_ids`.
        group_ids: same shape, equal numbers for responses to one prompt, in any order.
    Returns: same shape; exactly 0 in a group of equal rewards or of one.
    Raises: ValueError on an empty or non-finite input or unequal shapes.
    Source: Liu et al., arXiv:2503.20783.
    """
    rewards = check.finite(rewards, "rewards")
    groups = reward_groups(rewards, group_ids)
    return centred(rewards.ravel(), groups).reshape(rewards.shape)


def moving_average_advantages(
    rewards: ArrayLike, *, decay: float, baseline: float = 0.0
) -> MovingAverageAdvantages:
    """Rewards minus a moving average of those before: a baseline that needs neither a group nor a critic.

        A_t = R_t − b_t,  b_{t+1} = decay · b_t + (1 − decay) · R_t

    b_t knows nothing of R_t, so the expected gradient stays as it is.

    Args:
        rewards: (T,) in the order in which they came.
        decay: from 0 to 1; 1 keeps the baseline as it is.
        baseline: b_0.
    Returns: (T,) advantages, and the baseline after every reward.
    Raises: ValueError on a wrong shape, non-finite numbers or a decay out of range.
    Source: Williams, "Simple statistical gradient-following algorithms", 1992, section 6.
    """
    sequence = check.finite(rewards, "rewards", ndim=1)
    kept = check.real(decay, "decay", at_least=0, at_most=1)
    current = check.real(baseline, "baseline")
    before, after = np.empty_like(sequence), np.empty_like(sequence)
    for t, reward in enumerate(sequence.tolist()):
        before[t] = current
        current = kept * current + (1.0 - kept) * reward
        after[t] = current
    return MovingAverageAdvantages(advantages=sequence - before, baselines=after)


def group_gradient_estimates(
    prob: float, rewards: ArrayLike, *, group_size: int, num_groups: int, rng: np.random.Generator
) -> GroupGradientEstimates:
    """Samples three estimators of one gradient: no baseline, the group's mean, the mean of the others.

        a ~ Bernoulli(p),  score(a) = a − p,  estimate = (1/G) Σ_i (R_i − b_i) score(a_i)
        exact: ∂E[R]/∂θ = p (1 − p) (R(1) − R(0)),  p = σ(θ)

    Args:
        prob: p, the probability of action 1, from 0 to 1.
        rewards: (2,) reward of action 0 and of action 1.
        group_size: G ≥ 1 actions per group; a group of one gives 0 with either mean.
        num_groups: how many independent groups are drawn, ≥ 1.
        rng: source of all draws.
    Returns: the same draws seen by each estimator.
    Raises: ValueError on a probability outside [0, 1], wrong shape, non-finite reward or a count below 1.
    """
    p = check.real(prob, "prob", at_least=0, at_most=1)
    both = check.finite(rewards, "rewards", ndim=1)
    if len(both) != 2:
        raise ValueError(f"rewards has shape {both.shape}; it must have shape (2,), one per action")
    shape = (
        check.whole(num_groups, "num_groups", at_least=1),
        check.whole(group_size, "group_size", at_least=1),
    )
    actions = check.generator(rng, "rng").random(shape) < p  # (num_groups, group_size)
    sampled = np.where(actions, both[1], both[0])
    scores = actions - p
    return GroupGradientEstimates(
        none=(sampled * scores).mean(axis=-1),
        group_mean=(group_mean_advantages(sampled) * scores).mean(axis=-1),
        leave_one_out=(rloo_advantages(sampled) * scores).mean(axis=-1),
        exact=p * (1 - p) * float(both[1] - both[0]),
    )


def _policy_and_values(probs: ArrayLike, action_values: ArrayLike) -> tuple[Array, Array]:
    policy = check.probabilities(probs, "probs")
    values = check.finite(action_values, "action_values")
    check.same_shape(values, "action_values", policy, "probs")
    return policy, values

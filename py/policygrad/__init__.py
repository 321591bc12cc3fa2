"""Policy gradients as pure functions on arrays: NumPy and the standard library, nothing else.

Data is positional, hyper-parameters are keyword-only; inputs are never changed; randomness enters only
through an explicit `rng`. A wrong argument is a ValueError that names it. What is maximised is called
`*_objective`, what is minimised `*_loss`.

    >>> from policygrad import clipped_objective, kl_divergence
    >>> float(clipped_objective(1.4, 2, clip_epsilon=0.2))
    2.4
    >>> round(float(kl_divergence([0.7, 0.3], [0.5, 0.5])), 6)
    0.082283
"""

from .distributions import entropy, kl_divergence, log_softmax, score, softmax
from .reinforce import (
    TwoActionRun,
    TwoActionUpdate,
    exact_policy_gradient,
    reinforce_gradient,
    trajectory_gradient,
    two_action_run,
    two_action_update,
)
from .reuse import (
    BatchReuse,
    SharedBatch,
    draw_shared_batch,
    reuse_batch,
    shared_objective,
    shared_objective_gradient,
)
from .surrogate import (
    ClipBounds,
    SurrogateTerms,
    clip_bounds,
    clipped_fraction,
    clipped_objective,
    clipped_objective_slope,
    kl_k1,
    kl_k2,
    kl_k3,
    outside_fraction,
    probability_ratios,
    surrogate_terms,
)
from .updates import (
    ClippedGradients,
    adaptive_kl_coef,
    clip_by_global_norm,
    explained_variance,
    linear_schedule,
    value_loss,
)

__version__ = "1.0.0"

__all__ = [
    "BatchReuse",
    "ClipBounds",
    "ClippedGradients",
    "SharedBatch",
    "SurrogateTerms",
    "TwoActionRun",
    "TwoActionUpdate",
    "adaptive_kl_coef",
    "clip_bounds",
    "clip_by_global_norm",
    "clipped_fraction",
    "clipped_objective",
    "clipped_objective_slope",
    "draw_shared_batch",
    "entropy",
    "exact_policy_gradient",
    "explained_variance",
    "kl_divergence",
    "kl_k1",
    "kl_k2",
    "kl_k3",
    "linear_schedule",
    "log_softmax",
    "outside_fraction",
    "probability_ratios",
    "reinforce_gradient",
    "reuse_batch",
    "score",
    "shared_objective",
    "shared_objective_gradient",
    "softmax",
    "surrogate_terms",
    "trajectory_gradient",
    "two_action_run",
    "two_action_update",
    "value_loss",
]

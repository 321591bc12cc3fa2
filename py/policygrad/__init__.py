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

from typing import TYPE_CHECKING, Any

from ._late import late
from .advantages import (
    generalized_advantages,
    n_step_advantages,
    normalize_advantages,
    td_errors,
    value_targets,
)
from .baselines import (
    GroupGradientEstimates,
    MovingAverageAdvantages,
    dr_grpo_advantages,
    group_gradient_estimates,
    group_mean_advantages,
    grpo_advantages,
    minimum_variance_baseline,
    moving_average_advantages,
    rloo_advantages,
    state_value,
)
from .cartpole import CartPole, CartPoleStep, cartpole_failed, cartpole_step
from .distributions import entropy, kl_divergence, kl_terms, log_softmax, score, softmax
from .evaluation import Interval, MedianAndIqr, bootstrap_interval, interquartile_mean, median_and_iqr
from .optimizers import AdamUpdate, adam_update
from .reinforce import (
    TwoActionRun,
    TwoActionUpdate,
    exact_policy_gradient,
    reinforce_gradient,
    trajectory_gradient,
    two_action_run,
    two_action_update,
)
from .returns import rewards_to_go, score_weights
from .reuse import (
    BatchReuse,
    SharedBatch,
    draw_shared_batch,
    reuse_batch,
    shared_objective,
    shared_objective_gradient,
)
from .search import conjugate_gradient
from .sequences import (
    length_normalized_ratios,
    response_mask,
    sequence_log_probs,
    sequence_ratios,
    token_log_probs,
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
from .token_losses import kl_in_reward, reduce_tokens, token_clipped_objective, token_rewards
from .trust_region import (
    TrustRegionStep,
    fisher_matrix,
    fisher_vector_product,
    natural_gradient,
    trajectory_ratio,
    trust_region_step,
)
from .updates import (
    ClippedGradients,
    adaptive_kl_coef,
    clip_by_global_norm,
    explained_variance,
    linear_schedule,
    value_loss,
)

if TYPE_CHECKING:
    from .decoder import (
        MaskedUpdate,
        decoder_log_probs,
        decoder_params,
        decoder_weights,
        masked_update,
        response_log_probs,
        response_scores,
    )
    from .decoder_passes import DecoderWeights
    from .decoder_runs import DecoderStep, decoder_step
    from .networks import init_mlp, mlp, mlp_gradients, orthogonal_matrix
    from .ppo import PPOTrainer
    from .ppo_config import PPOConfig
    from .ppo_frame import PPOFrame
    from .ppo_gradients import PPOLoss, ppo_loss
    from .ppo_runs import PPORun, ppo_run
    from .recurrent import GRUGradients, gru_cell, gru_sequence, gru_sequence_gradients
    from .rloo import SequenceObjective, group_advantages, sequence_objective
    from .sequence_config import SequenceConfig
    from .sequence_frame import SequenceExample, SequenceFrame
    from .sequence_policy import SampledResponses, response_text, sample_responses, verify_responses
    from .sequence_runs import SequenceRun, sequence_run
    from .sequence_trainer import SequenceTrainer

__version__ = "1.0.0"

__all__ = [
    "AdamUpdate",
    "BatchReuse",
    "CartPole",
    "CartPoleStep",
    "ClipBounds",
    "ClippedGradients",
    "DecoderStep",
    "DecoderWeights",
    "GRUGradients",
    "GroupGradientEstimates",
    "Interval",
    "MaskedUpdate",
    "MedianAndIqr",
    "MovingAverageAdvantages",
    "PPOConfig",
    "PPOFrame",
    "PPOLoss",
    "PPORun",
    "PPOTrainer",
    "SampledResponses",
    "SequenceConfig",
    "SequenceExample",
    "SequenceFrame",
    "SequenceObjective",
    "SequenceRun",
    "SequenceTrainer",
    "SharedBatch",
    "SurrogateTerms",
    "TrustRegionStep",
    "TwoActionRun",
    "TwoActionUpdate",
    "adam_update",
    "adaptive_kl_coef",
    "bootstrap_interval",
    "cartpole_failed",
    "cartpole_step",
    "clip_bounds",
    "clip_by_global_norm",
    "clipped_fraction",
    "clipped_objective",
    "clipped_objective_slope",
    "conjugate_gradient",
    "decoder_log_probs",
    "decoder_params",
    "decoder_step",
    "decoder_weights",
    "dr_grpo_advantages",
    "draw_shared_batch",
    "entropy",
    "exact_policy_gradient",
    "explained_variance",
    "fisher_matrix",
    "fisher_vector_product",
    "generalized_advantages",
    "group_advantages",
    "group_gradient_estimates",
    "group_mean_advantages",
    "grpo_advantages",
    "gru_cell",
    "gru_sequence",
    "gru_sequence_gradients",
    "init_mlp",
    "interquartile_mean",
    "kl_divergence",
    "kl_in_reward",
    "kl_k1",
    "kl_k2",
    "kl_k3",
    "kl_terms",
    "length_normalized_ratios",
    "linear_schedule",
    "log_softmax",
    "masked_update",
    "median_and_iqr",
    "minimum_variance_baseline",
    "mlp",
    "mlp_gradients",
    "moving_average_advantages",
    "n_step_advantages",
    "natural_gradient",
    "normalize_advantages",
    "orthogonal_matrix",
    "outside_fraction",
    "ppo_loss",
    "ppo_run",
    "probability_ratios",
    "reduce_tokens",
    "reinforce_gradient",
    "response_log_probs",
    "response_mask",
    "response_scores",
    "response_text",
    "reuse_batch",
    "rewards_to_go",
    "rloo_advantages",
    "sample_responses",
    "score",
    "score_weights",
    "sequence_log_probs",
    "sequence_objective",
    "sequence_ratios",
    "sequence_run",
    "shared_objective",
    "shared_objective_gradient",
    "softmax",
    "state_value",
    "surrogate_terms",
    "td_errors",
    "token_clipped_objective",
    "token_log_probs",
    "token_rewards",
    "trajectory_gradient",
    "trajectory_ratio",
    "trust_region_step",
    "two_action_run",
    "two_action_update",
    "value_loss",
    "value_targets",
    "verify_responses",
]

if not TYPE_CHECKING:  # a type checker sees the imports above, and misspelt names

    def __getattr__(name: str) -> Any:
        """A name of a module that trains, read when it is first used."""
        globals()[name] = value = late(name)
        return value

"""Everything that decides a run of the sequence trainer, in one frozen place."""

from __future__ import annotations

from dataclasses import dataclass

from . import _checks as check
from .rloo import ESTIMATORS, KL_ESTIMATORS, KL_WEIGHTINGS, RATIO_LEVELS
from .token_losses import REDUCTIONS

SCHEDULES = ("linear", "constant")
BASELINES = (*ESTIMATORS, "moving_average")


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceConfig:
    """Settings of a run on the three writing tasks; the defaults are the profile `full`.

    `dataclasses.replace(config, estimator="grpo")` changes one; `SequenceConfig.profile("smoke")` is a short
    run.

    Raises: ValueError on a value out of its range, and on settings that contradict each other.
    """

    num_updates: int = 300
    """Updates in the whole run; schedules end with the last."""
    group_size: int = 32
    """Responses to each of the three prompts in one update; they are compared with each other."""
    max_tokens: int = 8
    """Tokens that a response may have, END included; then it is cut off."""
    cutoff_reward: float = 0.0
    """Reward of a response that was cut off: it might have gone on, so what it says is not judged."""

    estimator: str = "rloo"
    """How rewards become advantages: as `group_advantages`, or "moving_average" of the prompt's rewards."""
    ddof: int = 0
    """0 or 1, for "grpo": whose standard deviation it is."""
    eps: float = 1e-8
    """Added to that standard deviation."""
    scale: str = "group"
    """"group" or "batch", for "grpo": which rewards' standard deviation it is."""
    baseline_decay: float = 0.9
    """How much of the moving average stays when a new mean comes in."""

    epochs: int = 4
    """Steps on one batch of responses, whose log-probabilities are frozen when they are sampled."""
    ratio_level: str = "token"
    """"token", "sequence" or "length_normalized": what has a ratio of its own; see `sequence_objective`."""
    clip_epsilon: float = 0.2
    """Width ε of the clip below 1, and above it too unless clip_epsilon_high is given."""
    clip_epsilon_high: float | None = None
    """Width of the clip above 1 when it is another."""
    reduction: str = "sequence_sum"
    """How tokens are averaged; see `reduce_tokens`. "constant_length" divides by max_tokens."""
    entropy_coef: float = 0.05
    """Weight of the tokens' entropy, reduced as the tokens are, in reward units per nat."""

    reward_kl_coef: float = 0.0
    """β of the sampled KL to the first policy, taken off the reward; without a gradient of its own."""
    loss_kl_coef: float = 0.0
    """β of the KL to the first policy in the objective. Only one of the two may be above 0."""
    kl_estimator: str = "k3"
    """"k1", "k2" or "k3", of the KL in the objective."""
    kl_weighting: str = "ratio"
    """"ratio" or "none": whether that estimator is weighted by the token's ratio."""

    learning_rate: float = 0.02
    """Adam's learning rate in the first update."""
    learning_rate_schedule: str = "linear"
    """"linear" falls to 0 over the run, "constant" stays."""
    max_norm: float | None = 1.0
    """Longest gradient, longer ones are scaled down; None leaves them."""

    @classmethod
    def profile(cls, name: str) -> SequenceConfig:
        """A named setting: "full" learns all three tasks, "smoke" shows in a moment that it learns."""
        check.option(name, "profile", tuple(PROFILES))
        return PROFILES[name]

    def __post_init__(self) -> None:
        for name in ("num_updates", "group_size", "max_tokens", "epochs"):
            check.whole(getattr(self, name), name, at_least=1)
        check.whole(self.ddof, "ddof", at_least=0, at_most=1)
        check.real(self.cutoff_reward, "cutoff_reward")
        for name in ("eps", "entropy_coef", "reward_kl_coef", "loss_kl_coef", "learning_rate"):
            check.real(getattr(self, name), name, at_least=0)
        check.real(self.baseline_decay, "baseline_decay", at_least=0, at_most=1)
        check.real(self.clip_epsilon, "clip_epsilon", at_least=0, below=1)
        if self.clip_epsilon_high is not None:
            check.real(self.clip_epsilon_high, "clip_epsilon_high", at_least=0)
        if self.max_norm is not None:
            check.real(self.max_norm, "max_norm", above=0)
        check.option(self.estimator, "estimator", BASELINES)
        check.option(self.scale, "scale", ("group", "batch"))
        check.option(self.ratio_level, "ratio_level", RATIO_LEVELS)
        check.option(self.reduction, "reduction", REDUCTIONS)
        check.option(self.kl_estimator, "kl_estimator", tuple(KL_ESTIMATORS))
        check.option(self.kl_weighting, "kl_weighting", KL_WEIGHTINGS)
        check.option(self.learning_rate_schedule, "learning_rate_schedule", SCHEDULES)
        self._check_kl()

    def _check_kl(self) -> None:
        if self.reward_kl_coef > 0 and self.loss_kl_coef > 0:
            raise ValueError(
                f"reward_kl_coef is {check.shown(self.reward_kl_coef)} and loss_kl_coef is "
                f"{check.shown(self.loss_kl_coef)}; one of them must be 0, or the KL is counted twice"
            )
        if self.loss_kl_coef > 0 and (self.kl_estimator, self.kl_weighting) == ("k1", "none"):
            raise ValueError(
                'kl_estimator is "k1" with kl_weighting "none"; its slope is 0 on average and holds nothing '
                'back, so kl_weighting must be "ratio" or the estimator another'
            )


PROFILES = {"full": SequenceConfig(), "smoke": SequenceConfig(num_updates=60)}
"""The settings with a name."""

"""Everything that decides a PPO run on CartPole, in one frozen place."""

from __future__ import annotations

from dataclasses import dataclass

from . import _checks as check

SCHEDULES = ("linear", "constant")
ADVANTAGE_NORMALIZATIONS = ("minibatch", "batch", "none")
ROOT_2 = 2**0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class PPOConfig:
    """Settings of a PPO run; the defaults are the profile `full`.

    `dataclasses.replace(config, gamma=0.99)` changes one; `PPOConfig.profile("smoke")` is a short run.

    Raises: ValueError on a value out of its range.
    """

    num_updates: int = 48
    """Updates in the whole run; schedules end with the last."""
    num_envs: int = 64
    """CartPoles that are driven side by side."""
    num_steps: int = 64
    """Steps of each environment between two updates; a rollout has num_envs × num_steps of them."""
    max_steps: int = 500
    """Time limit of an episode, after which it is truncated."""

    hidden_sizes: tuple[int, ...] = (32,)
    """Units of each hidden tanh layer, the same for the policy and for the values."""
    hidden_gain: float = ROOT_2
    """Gain of the orthogonal weights of hidden layers at the beginning."""
    policy_gain: float = 0.01
    """Gain of the policy's last layer; close to 0 makes both actions equally likely at first."""
    value_gain: float = 1.0
    """Gain of the value network's last layer."""

    gamma: float = 0.98
    """Discount γ of future rewards."""
    gae_lambda: float = 0.95
    """Decay λ of the advantage estimates' trace."""

    epochs: int = 4
    """Passes over one rollout; each sees every step once, in a new order."""
    minibatch_size: int = 512
    """Steps per gradient; the last minibatch of an epoch is smaller when the rollout does not divide."""
    learning_rate: float = 5e-3
    """Adam's learning rate in the first update."""
    learning_rate_schedule: str = "linear"
    """"linear" falls to 0 over the run, "constant" stays."""
    adam_eps: float = 1e-5
    """Added to Adam's root of the mean square."""
    max_norm: float | None = 0.5
    """Longest gradient of all parameters together, longer ones are scaled down; None leaves them."""

    clip_epsilon: float = 0.2
    """Width ε of the clip below 1, and above it too unless clip_epsilon_high is given."""
    clip_epsilon_high: float | None = None
    """Width of the clip above 1 when it is another."""
    clip_schedule: str = "constant"
    """"linear" lets both widths fall to 0 over the run, "constant" keeps them."""
    entropy_coef: float = 0.0
    """Weight c_H of the entropy bonus."""
    value_coef: float = 0.5
    """Weight c_V of the value loss."""
    value_clip: float | None = None
    """How far a value may move from its old one within an update, in reward units; None is freely."""
    target_kl: float | None = None
    """An update ends before the first step whose minibatch shows 1.5 times this KL, in nats; None never."""

    advantage_normalization: str = "minibatch"
    """Over which entries advantages get mean 0 and standard deviation 1: "minibatch", "batch" or "none"."""
    normalize_observations: bool = False
    """Whether networks see observations with running mean 0 and standard deviation 1."""
    normalize_rewards: bool = False
    """Whether rewards are divided by the running standard deviation of the discounted return."""

    return_window: int = 100
    """Number of last finished episodes that a frame's mean return is taken over."""

    @classmethod
    def profile(cls, name: str) -> PPOConfig:
        """A named setting: "full" solves CartPole, "smoke" shows in a moment that it learns."""
        check.option(name, "profile", tuple(PROFILES))
        return PROFILES[name]

    def __post_init__(self) -> None:
        for name in ("num_updates", "num_envs", "num_steps", "max_steps", "return_window"):
            check.whole(getattr(self, name), name, at_least=1)
        for name in ("epochs", "minibatch_size"):
            check.whole(getattr(self, name), name, at_least=1)
        layers = [check.whole(n, f"hidden_sizes[{i}]", at_least=1) for i, n in enumerate(self.hidden_sizes)]
        object.__setattr__(self, "hidden_sizes", tuple(layers))  # a list, as JSON has it, becomes a tuple
        for name in ("hidden_gain", "policy_gain", "value_gain", "learning_rate"):
            check.real(getattr(self, name), name, at_least=0)
        for name in ("entropy_coef", "value_coef"):
            check.real(getattr(self, name), name, at_least=0)
        for name in ("gamma", "gae_lambda"):
            check.real(getattr(self, name), name, at_least=0, at_most=1)
        check.real(self.clip_epsilon, "clip_epsilon", at_least=0, below=1)
        check.real(self.adam_eps, "adam_eps", above=0)
        for name in ("clip_epsilon_high", "value_clip"):
            if getattr(self, name) is not None:
                check.real(getattr(self, name), name, at_least=0)
        for name in ("max_norm", "target_kl"):
            if getattr(self, name) is not None:
                check.real(getattr(self, name), name, above=0)
        check.option(self.learning_rate_schedule, "learning_rate_schedule", SCHEDULES)
        check.option(self.clip_schedule, "clip_schedule", SCHEDULES)
        check.option(self.advantage_normalization, "advantage_normalization", ADVANTAGE_NORMALIZATIONS)
        for name in ("normalize_observations", "normalize_rewards"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} is {check.shown(getattr(self, name))}; it must be True or False")


PROFILES = {"full": PPOConfig(), "smoke": PPOConfig(num_updates=10)}
"""The settings with a name."""

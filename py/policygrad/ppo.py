"""Proximal policy optimisation on CartPole, update by update."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _checks as check
from .cartpole import CartPole
from .descent import fresh_adam
from .episode_log import EpisodeLog
from .networks import init_mlp
from .ppo_batch import make_batch
from .ppo_config import PPOConfig
from .ppo_evaluation import cartpole_returns
from .ppo_frame import frame_after
from .ppo_rollout import collect_rollout
from .ppo_update import Networks, strengths, update_networks
from .running_moments import RewardScale, no_moments, with_samples

if TYPE_CHECKING:
    import numpy as np

    from ._checks import Array
    from .networks import Parameters
    from .ppo_frame import PPOFrame

NUM_FEATURES, NUM_ACTIONS = 4, 2


class PPOTrainer:
    """A PPO run on CartPole that moves in whole updates.

    Each update: drive the environments with the present policy; estimate advantages; a few epochs of
    minibatch steps on the clipped objective; report. How many updates one call of `advance` makes changes
    nothing, and the same seed gives the same run.

        >>> trainer = PPOTrainer(PPOConfig.profile("smoke"), rng=np.random.default_rng(0))
        >>> frame = trainer.advance()[0]
        >>> frame.update, frame.steps, round(frame.entropy, 1)
        (1, 4096, 0.7)
    """

    def __init__(self, config: PPOConfig, *, rng: np.random.Generator) -> None:
        """Draw both networks and the first states.

        Args:
            config: everything that decides the run but its seed.
            rng: source of parameters, states, actions and the order of minibatches, and of nothing else from
                now on: evaluations bring their own.
        Raises: ValueError on a `config` or `rng` of another type.
        """
        if not isinstance(config, PPOConfig):
            raise ValueError(f"config is {check.shown(config)}; it must be a PPOConfig")
        self._config = config
        self._rng = check.generator(rng, "rng")
        hidden, gains = config.hidden_sizes, (config.hidden_gain,) * len(config.hidden_sizes)
        policy = init_mlp((NUM_FEATURES, *hidden, NUM_ACTIONS), gains=(*gains, config.policy_gain), rng=rng)
        value = init_mlp((NUM_FEATURES, *hidden, 1), gains=(*gains, config.value_gain), rng=rng)
        self._networks = Networks(policy, value)
        self._adam = fresh_adam(self._networks.joined())
        self._moments = no_moments(NUM_FEATURES)
        self._reward_scale = RewardScale(config.num_envs, gamma=config.gamma)
        self._env = CartPole(config.num_envs, rng=rng, max_steps=config.max_steps)
        self._log = EpisodeLog(config.num_envs, window=config.return_window)
        self._updates = 0

    @property
    def config(self) -> PPOConfig:
        """What decides the run."""
        return self._config

    @property
    def updates(self) -> int:
        """Updates made so far."""
        return self._updates

    @property
    def finished(self) -> bool:
        """Whether all updates of the configuration are made."""
        return self._updates >= self._config.num_updates

    @property
    def policy(self) -> Parameters:
        """Copies of the policy's parameters, as `mlp` takes them."""
        return tuple(array.copy() for array in self._networks.policy)

    @property
    def value(self) -> Parameters:
        """Copies of the value network's parameters."""
        return tuple(array.copy() for array in self._networks.value)

    def advance(self, max_updates: int = 1) -> list[PPOFrame]:
        """Make the next updates.

        Args:
            max_updates: how many at most, ≥ 1; fewer when the run ends before.
        Returns: one frame per update made, none when the run is finished.
        Raises: ValueError on a number below 1.
        """
        count = check.whole(max_updates, "max_updates", at_least=1)
        return [self._update() for _ in range(min(count, self._config.num_updates - self._updates))]

    def evaluate(self, num_episodes: int = 100, *, greedy: bool, rng: np.random.Generator) -> Array:
        """Returns of new episodes under the present policy, in environments of their own; nothing is learnt.

        Every environment owes its share of the episodes and every episode is run to its end.

        Args:
            num_episodes: ≥ 1.
            greedy: whether the likelier action is always taken, or actions are sampled as in training.
            rng: source of first states and actions.
        Returns: (num_episodes,) undiscounted returns.
        Raises: ValueError on a number below 1 or an `rng` that is not a generator.
        """
        return cartpole_returns(
            self._networks.policy,
            self._moments,
            num_episodes=num_episodes,
            greedy=greedy,
            max_steps=self._config.max_steps,
            rng=check.generator(rng, "rng"),
        )

    def _update(self) -> PPOFrame:
        config, now = self._config, strengths(self._config, self._updates)
        rollout = collect_rollout(
            self._env, self._networks.policy, self._moments, num_steps=config.num_steps, rng=self._rng
        )
        self._log.add(rollout.rewards, rollout.ended)
        rewards = rollout.rewards
        if config.normalize_rewards:
            rewards = self._reward_scale.scaled(rewards, rollout.ended)
        batch = make_batch(
            rollout, rewards, self._networks.value, gamma=config.gamma, gae_lambda=config.gae_lambda
        )
        descent = update_networks(self._networks, self._adam, batch, config, now, rng=self._rng)
        self._adam = descent.state
        self._networks = self._networks.at(descent.state.params)
        if config.normalize_observations:  # from the next rollout on
            self._moments = with_samples(self._moments, rollout.states.reshape(-1, NUM_FEATURES))
        self._updates += 1
        return frame_after(
            self._networks, batch, descent, update=self._updates, log=self._log, config=config, now=now
        )

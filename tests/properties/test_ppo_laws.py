"""What holds for every PPO run: slices, seeds and looking change nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from policygrad import CartPole, PPOConfig, PPOFrame, PPOTrainer
from policygrad.ppo_batch import make_batch
from policygrad.ppo_rollout import collect_rollout
from policygrad.ppo_update import Networks, proposals, strengths
from policygrad.running_moments import no_moments

SMALL = PPOConfig(num_updates=6, num_envs=4, num_steps=12, minibatch_size=20, hidden_sizes=(6,))
EVERYTHING = replace(
    SMALL,
    clip_schedule="linear",
    target_kl=0.01,
    value_clip=0.2,
    entropy_coef=0.01,
    normalize_observations=True,
    normalize_rewards=True,
)

configs = st.sampled_from([SMALL, EVERYTHING])
seeds = st.integers(0, 2**32)
slices = st.lists(st.integers(1, 4), min_size=1, max_size=6)


def whole(config: PPOConfig, seed: int) -> tuple[list[PPOFrame], list[np.ndarray]]:
    trainer = PPOTrainer(config, rng=np.random.default_rng(seed))
    return trainer.advance(config.num_updates), list(trainer.policy + trainer.value)


def same(one: list[np.ndarray], other: list[np.ndarray]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@settings(max_examples=12)
@given(configs, seeds, slices)
def test_a_run_does_not_depend_on_its_slices(config: PPOConfig, seed: int, counts: list[int]) -> None:
    frames, parameters = whole(config, seed)
    trainer = PPOTrainer(config, rng=np.random.default_rng(seed))
    sliced: list[PPOFrame] = []
    for count in [*counts, config.num_updates]:
        sliced += trainer.advance(count)
    assert repr(sliced) == repr(frames)  # NaN before the first finished episode is NaN in both
    assert same(list(trainer.policy + trainer.value), parameters)


@settings(max_examples=6)
@given(configs, seeds)
def test_the_same_seed_gives_the_same_run_and_another_another(config: PPOConfig, seed: int) -> None:
    first, again, other = whole(config, seed), whole(config, seed), whole(config, seed + 1)
    assert repr(first[0]) == repr(again[0])
    assert same(first[1], again[1])
    assert not same(first[1], other[1])


@settings(max_examples=6)
@given(configs, seeds, st.booleans())
def test_evaluating_changes_nothing(config: PPOConfig, seed: int, greedy: bool) -> None:
    frames, parameters = whole(config, seed)
    trainer = PPOTrainer(config, rng=np.random.default_rng(seed))
    watched: list[PPOFrame] = []
    while not trainer.finished:
        watched += trainer.advance()
        trainer.evaluate(3, greedy=greedy, rng=np.random.default_rng(0))
    assert repr(watched) == repr(frames)
    assert same(list(trainer.policy + trainer.value), parameters)


@settings(max_examples=6)
@given(seeds)
def test_the_first_minibatch_has_ratio_1_and_no_kl(seed: int) -> None:
    """Stored log-probabilities are those of the policy that acted; recomputed later, every KL would be 0."""
    trainer = PPOTrainer(SMALL, rng=np.random.default_rng(seed))
    trainer.advance(2)
    networks = Networks(trainer.policy, trainer.value)
    rng = np.random.default_rng(seed)
    rollout = collect_rollout(CartPole(4, rng=rng), trainer.policy, no_moments(4), num_steps=12, rng=rng)
    batch = make_batch(rollout, rollout.rewards, trainer.value, gamma=0.98, gae_lambda=0.95)
    propose = proposals(networks, batch, SMALL, strengths(SMALL, 0))
    params, chosen = networks.joined(), np.arange(20)
    assert propose(params, chosen).kl < 1e-15
    moved = params + 0.1 * np.random.default_rng(seed).normal(size=params.size)
    assert propose(moved, chosen).kl > 1e-6

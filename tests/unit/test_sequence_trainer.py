"""Training on the writing tasks: frames, slices, seeds, options, and that it learns."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pytest
from expecting import close, refused

from policygrad import (
    SequenceConfig,
    SequenceFrame,
    SequenceTrainer,
    decoder_params,
    sequence_run,
    verify_responses,
)
from policygrad.bridge import encoded, plain
from policygrad.decoder_passes import weights_of
from policygrad.sequence_batch import sample_batch
from policygrad.sequence_policy import TOKENS

SMALL = SequenceConfig(num_updates=6, group_size=5, max_tokens=5)
RIGHT_BY_LUCK = 0.1
"""The first policies' mean reward is about 0.02; the standard deviation of a batch's mean is below 0.02."""


def trainer(config: SequenceConfig = SMALL, seed: int = 0) -> SequenceTrainer:
    return SequenceTrainer(config, rng=np.random.default_rng(seed))


def frames(config: SequenceConfig = SMALL, seed: int = 0) -> list[SequenceFrame]:
    return trainer(config, seed).advance(config.num_updates)


def changed(**settings: Any) -> SequenceConfig:
    return dataclasses.replace(SMALL, **settings)


def test_a_frame_is_plain_json() -> None:
    frame = frames()[0]
    text = json.dumps(encoded(plain(frame)), allow_nan=False)
    back = json.loads(text)
    assert list(back) == [field.name for field in dataclasses.fields(SequenceFrame)]
    for field in dataclasses.fields(SequenceFrame):
        assert type(getattr(frame, field.name)) in (int, float, tuple), field.name


def test_frames_count_updates_and_tokens() -> None:
    run = frames()
    assert [frame.update for frame in run] == [1, 2, 3, 4, 5, 6]
    tokens = np.diff([0, *(frame.tokens for frame in run)])
    close(tokens, [15 * frame.length for frame in run])
    close([frame.learning_rate for frame in run], 0.02 * (1 - np.arange(6) / 6), within=1e-15)


def test_a_frame_reports_its_batch() -> None:
    run = trainer()
    weights = weights_of(run.state.params)
    batch = sample_batch(weights, weights, np.zeros(3), SMALL, run.generator(0))
    (frame,) = run.advance()
    assert frame.reward == pytest.approx(batch.rewards.mean(), abs=1e-15)
    close(frame.task_rewards, batch.rewards.reshape(3, 5).mean(axis=1), within=1e-15)
    assert frame.right_share == (batch.rewards == 1).mean()
    assert frame.eos_share == batch.sampled.ended.mean()
    assert frame.length == pytest.approx((batch.sampled.lengths - 2).mean(), abs=1e-14)
    # The batch's own policy is the reference, and at first it is close to even.
    assert frame.kl_reference == 0
    assert 1.8 < frame.entropy < np.log(9)


def test_examples_can_be_checked() -> None:
    words = {word: token for token, word in enumerate(TOKENS)}
    for frame in frames():
        assert [example.prompt for example in frame.examples] == ["END same", "END mirror", "END rise"]
        for example in frame.examples:
            tokens = [words[word] for word in f"{example.prompt} {example.response}".split()]
            assert verify_responses([tokens], [len(tokens)])[0] == example.reward
            assert example.ended == (tokens[-1] == 0)


def test_ratios_are_1_before_the_first_step_and_not_after() -> None:
    still = frames(changed(learning_rate=0.0))[0]
    assert still.kl == still.outside_fraction == still.clipped_fraction == 0
    moved = frames(changed(learning_rate=0.3, cutoff_reward=0.5))[0]
    assert moved.kl > 0.01
    assert moved.outside_fraction >= moved.clipped_fraction > 0


def test_the_run_does_not_depend_on_how_it_is_sliced() -> None:
    whole = frames()
    sliced = trainer()
    pieces = [sliced.advance(count) for count in (1, 0, 2, 1, 7)]
    assert [len(piece) for piece in pieces] == [1, 0, 2, 1, 2]
    assert [frame for piece in pieces for frame in piece] == whole
    assert sliced.finished
    assert sliced.advance() == []


def test_one_seed_one_run() -> None:
    assert frames(seed=1) == frames(seed=1)
    assert frames(seed=1) != frames(seed=2)


def test_the_generator_given_is_used_at_the_beginning_only() -> None:
    rng = np.random.default_rng(4)
    run = SequenceTrainer(SMALL, rng=rng)
    before = rng.bit_generator.state
    run.advance(3)
    assert rng.bit_generator.state == before


def test_an_update_that_is_broken_off_has_not_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    run = trainer()
    first = run.advance(2)
    with monkeypatch.context() as patch:
        patch.setattr("policygrad.sequence_trainer.frame_of", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            run.advance()
    assert run.state.update == 2
    assert first + run.advance(4) == frames()


def test_states_are_never_changed() -> None:
    run = trainer()
    state = run.state
    copies = [np.copy(getattr(state, name)) for name in ("params", "mean", "mean_square", "baselines")]
    run.advance(2)
    for name, copy in zip(("params", "mean", "mean_square", "baselines"), copies, strict=True):
        assert getattr(state, name).tolist() == copy.tolist()
    assert run.state is not state
    assert run.state.gradient_steps == 2 * SMALL.epochs


def test_without_a_signal_and_an_entropy_bonus_nothing_is_learned() -> None:
    # With one token no answer can be right: all rewards are 0, all advantages too.
    run = trainer(changed(max_tokens=1, cutoff_reward=0.0, entropy_coef=0.0))
    before = run.state.params
    (frame,) = run.advance()
    assert frame.informative_share == 0
    assert frame.gradient_norm == 0
    assert run.state.params.tolist() == before.tolist()


def test_a_group_of_one_has_nothing_to_compare_with() -> None:
    (frame, *_) = frames(changed(group_size=1, entropy_coef=0.0))
    assert frame.gradient_norm == 0


OPTIONS: dict[str, dict[str, Any]] = {
    "grpo": {"estimator": "grpo", "reduction": "sequence_mean", "ddof": 1, "eps": 1e-4},
    "grpo by the batch": {"estimator": "grpo", "scale": "batch"},
    "dr_grpo": {"estimator": "dr_grpo", "reduction": "constant_length"},
    "group_mean": {"estimator": "group_mean"},
    "moving_average": {"estimator": "moving_average"},
    "token_mean": {"reduction": "token_mean"},
    "sequence ratios": {"ratio_level": "sequence"},
    "length-normalised ratios": {"ratio_level": "length_normalized"},
    "two widths": {"clip_epsilon_high": 0.28},
    "KL in the reward": {"reward_kl_coef": 0.1},
    "KL in the loss": {"loss_kl_coef": 0.1},
    "k2 as it is": {"loss_kl_coef": 0.1, "kl_estimator": "k2", "kl_weighting": "none"},
    "no entropy bonus": {"entropy_coef": 0.0},
    "constant rate": {"learning_rate_schedule": "constant"},
    "no clip of the norm": {"max_norm": None},
    "one epoch": {"epochs": 1},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_every_option_makes_a_run_of_its_own(options: dict[str, Any]) -> None:
    base = {"learning_rate": 0.3, "cutoff_reward": 0.4, "max_norm": 0.02}
    run, plain_run = trainer(changed(**{**base, **options})), trainer(changed(**base))
    ends = [t.advance(4)[-1] for t in (run, plain_run)]
    assert np.isfinite(run.state.params).all()
    assert not np.array_equal(run.state.params, plain_run.state.params)
    assert ends[0].update == ends[1].update == 4


def test_dr_grpo_and_the_group_mean_are_one_formula() -> None:
    config = changed(cutoff_reward=0.4)
    one, other = (trainer(dataclasses.replace(config, estimator=e)) for e in ("dr_grpo", "group_mean"))
    assert one.advance(3) == other.advance(3)


def test_a_cut_off_has_the_reward_that_the_configuration_says() -> None:
    config = changed(max_tokens=1, cutoff_reward=-0.25, group_size=400)
    (frame,) = trainer(config).advance()
    # With one token no answer is right: END at once earns 0, anything else is cut off.
    assert frame.reward == pytest.approx(-0.25 * (1 - frame.eos_share), abs=1e-15)
    assert 0 < frame.eos_share < 0.3


def test_smoke_shows_that_it_learns() -> None:
    """Means of 96 rewards, 0.02 at first; a half is far out of reach of luck, and twelve seeds passed 0.6."""
    for seed in range(3):
        run = frames(SequenceConfig.profile("smoke"), seed)
        assert run[0].reward < RIGHT_BY_LUCK
        assert np.mean([frame.reward for frame in run[-5:]]) > 0.5
        assert run[-1].eos_share > 0.9
        assert run[-1].entropy < run[0].entropy / 2
        assert run[-1].kl_reference > 1


def test_what_rises_above_luck_is_learned() -> None:
    """The same run with a learning rate of 0 never does."""
    config = dataclasses.replace(SequenceConfig.profile("smoke"), learning_rate=0.0)
    for seed in range(3):
        assert max(frame.reward for frame in frames(config, seed)) < RIGHT_BY_LUCK


def test_full_learns_all_three_tasks() -> None:
    run = frames(SequenceConfig.profile("full"), 0)
    assert np.mean([frame.reward for frame in run[-20:]]) > 0.95
    assert min(np.mean([frame.task_rewards for frame in run[-20:]], axis=0)) > 0.9
    lengths = {len(example.response.split()) for example in run[-1].examples}
    assert lengths == {3, 4}


@pytest.mark.parametrize(
    ("place", "coefficients"), [("reward", (0.0, 0.05, 0.2)), ("loss", (0.0, 0.05, 0.2))]
)
def test_a_kl_holds_the_policy_near_the_reference(place: str, coefficients: tuple[float, ...]) -> None:
    ends = []
    for beta in coefficients:
        config = SequenceConfig(num_updates=60, **{f"{place}_kl_coef": beta})
        ends.append(np.mean([frame.kl_reference for frame in frames(config)[-10:]]))
    assert ends[0] > 1.5 * ends[1] > 3 * ends[2]


def test_first_parameters_are_drawn_from_the_generator() -> None:
    assert trainer(seed=9).state.params.tolist() == decoder_params(rng=np.random.default_rng(9)).tolist()


def test_a_run_in_one_call() -> None:
    settings = {"num_updates": 6, "group_size": 5, "max_tokens": 5}
    run = sequence_run(settings, num_updates=4, rng=np.random.default_rng(0))
    stepwise = trainer()
    assert list(run.frames) == stepwise.advance(4)
    assert run.params.tolist() == stepwise.state.params.tolist()


def test_errors() -> None:
    with refused("max_updates is -1; it must be at least 0"):
        trainer().advance(-1)
    with refused("rng is 3; it must be a np.random.Generator"):
        SequenceTrainer(SMALL, rng=3)  # type: ignore[arg-type]
    with refused("num_updates is 301; it must be at least 1 and at most 300"):
        sequence_run({}, num_updates=301, rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match="a name in settings is 'group'; it must be"):
        sequence_run({"group": 3}, num_updates=1, rng=np.random.default_rng(0))
    with refused("settings is 3; it must hold fields of SequenceConfig by name"):
        sequence_run(3, num_updates=1, rng=np.random.default_rng(0))  # type: ignore[arg-type]

"""Training the tiny decoder on the three writing tasks with rewards of whole responses, without a critic.

One update: sample a group of responses to each prompt; verify them; compare each with its group; freeze the
tokens' log-probabilities; then climb the clipped objective for a few epochs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _checks as check
from .decoder import decoder_params
from .decoder_passes import (
    NUM_PARAMS,
    DecoderWeights,
    Reading,
    chosen_gradients,
    chosen_log_probs,
    read,
    summed_gradient,
    weights_of,
)
from .optimizers import adam_update
from .rloo import kl_slopes, surrogate_slopes, term_ratios
from .sequence_batch import Batch, sample_batch
from .sequence_frame import Progress, SequenceFrame, frame_of
from .sequence_policy import PROMPT_LENGTH, TASKS
from .updates import clip_by_global_norm, linear_schedule

if TYPE_CHECKING:
    from ._checks import Array
    from .sequence_config import SequenceConfig


@dataclass(frozen=True, slots=True)
class TrainerState:
    """A run between two updates: with the configuration and the key, all that decides how it goes on."""

    params: Array
    """(423,) parameters of the policy."""
    mean: Array
    """(423,) Adam's running mean."""
    mean_square: Array
    """(423,) and mean square."""
    gradient_steps: int
    """Steps of Adam so far."""
    baselines: Array
    """(3,) moving average of each prompt's rewards; zeros unless that is the baseline."""
    update: int
    """Updates so far."""
    tokens: int
    """Tokens sampled so far."""


class SequenceTrainer:
    """A run of policy-gradient training on whole responses, advanced update by update.

        trainer = SequenceTrainer(SequenceConfig.profile("smoke"), rng=np.random.default_rng(0))
        while frames := trainer.advance():
            ...

    An update either happens as a whole or not at all. Its random numbers come from a generator of its own, so
    a run does not depend on how it is cut into calls, nor on a call that was broken off.
    """

    def __init__(self, config: SequenceConfig, *, rng: np.random.Generator) -> None:
        """`rng` gives the first parameters and the key of all later draws; it is not used afterwards."""
        self._config = config
        params = decoder_params(rng=rng)
        self._key = int(rng.integers(2**32))
        self._reference = params.copy()
        zeros = np.zeros(NUM_PARAMS)
        self._state = TrainerState(params, zeros, zeros, 0, np.zeros(len(TASKS)), 0, 0)
        linear = config.learning_rate_schedule == "linear"
        rates = linear_schedule(config.learning_rate, config.num_updates)
        self._rates = (rates if linear else np.full_like(rates, config.learning_rate)).tolist()

    @property
    def config(self) -> SequenceConfig:
        """The settings of this run."""
        return self._config

    @property
    def state(self) -> TrainerState:
        """Where the run is; its arrays are never changed, a later state has others."""
        return self._state

    @property
    def finished(self) -> bool:
        """Whether all updates have been made."""
        return self._state.update >= self._config.num_updates

    def advance(self, max_updates: int = 1) -> list[SequenceFrame]:
        """Make up to so many updates. Returns a frame for each; none when the run is finished."""
        frames = []
        for _ in range(check.whole(max_updates, "max_updates", at_least=0)):
            if self.finished:
                break
            self._state, frame = self._updated(self._state)
            frames.append(frame)
        return frames

    def generator(self, update: int) -> np.random.Generator:
        """A new generator with the random numbers of one update, counted from 0."""
        return np.random.default_rng([self._key, update])

    def _updated(self, state: TrainerState) -> tuple[TrainerState, SequenceFrame]:
        """The state after one more update; nothing of the trainer is changed."""
        config = self._config
        rate = self._rates[state.update]
        rng = self.generator(state.update)
        weights = weights_of(state.params)
        batch = sample_batch(weights, weights_of(self._reference), state.baselines, config, rng)
        params, mean, mean_square, steps = state.params, state.mean, state.mean_square, state.gradient_steps
        reading = batch.sampled.reading  # the first epoch sees the policy that sampled
        norms = []
        for _ in range(config.epochs):
            gradient = objective_gradient(weights_of(params), reading, batch, config)
            norms.append(float(np.linalg.norm(gradient)))
            if config.max_norm is not None:
                (gradient,) = clip_by_global_norm([gradient], max_norm=config.max_norm).gradients
            steps += 1
            step = adam_update(params, -gradient, mean, mean_square, step=steps, learning_rate=rate)
            params, mean, mean_square = step.params, step.mean, step.mean_square
            reading = read(weights_of(params), batch.sampled.tokens[:-1], first=PROMPT_LENGTH - 1)
        progress = Progress(state.update + 1, state.tokens, norms, rate)
        frame = frame_of(batch, log_ratios_of(reading, batch), progress, config)
        after = TrainerState(params, mean, mean_square, steps, batch.baselines, frame.update, frame.tokens)
        return after, frame


def log_ratios_of(reading: Reading, batch: Batch) -> Array:
    """(B, K) log π_θ − log π_old of the sampled tokens, 0 outside the mask."""
    log_ratios: Array = (chosen_log_probs(reading, batch.responses).T - batch.old_log_probs) * batch.valid
    return log_ratios


def objective_gradient(
    weights: DecoderWeights, reading: Reading, batch: Batch, config: SequenceConfig
) -> Array:
    """(423,) gradient of clipped surrogate − β·KL + c_H·entropy at the policy that made the reading."""
    log_ratios = log_ratios_of(reading, batch)
    slopes = surrogate_slopes(term_ratios(log_ratios, batch.terms), batch.advantages, batch.terms)
    if config.loss_kl_coef > 0:
        log_probs = batch.old_log_probs + log_ratios
        ref_log_ratios = (batch.ref_log_probs - log_probs) * batch.valid
        slopes -= config.loss_kl_coef * kl_slopes(log_ratios, ref_log_ratios, batch.penalty)
    logit_gradients = chosen_gradients(reading, batch.responses, slopes.T)
    if config.entropy_coef > 0:
        logit_gradients += entropy_gradients(reading, config.entropy_coef * batch.penalty.weights.T)
    return summed_gradient(weights, reading, logit_gradients)


def entropy_gradients(reading: Reading, token_weights: Array) -> Array:
    """Gradient in the logits of Σ weight · H(π): −weight · π (log π + H), (K, V, B)."""
    probs = np.exp(reading.log_probs)
    terms = probs * reading.log_probs
    entropies = -np.add.reduce(terms, axis=1, keepdims=True)
    gradients: Array = (terms + probs * entropies) * -token_weights[:, np.newaxis]
    return gradients

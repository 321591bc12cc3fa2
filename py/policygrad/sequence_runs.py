"""A run of the sequence trainer as one function, for whatever wants its numbers and not its pace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _checks as check
from ._settings import config_of
from .sequence_config import SequenceConfig
from .sequence_trainer import SequenceTrainer

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from ._checks import Array
    from .sequence_frame import SequenceFrame


@dataclass(frozen=True, slots=True)
class SequenceRun:
    """The beginning of a run on the three writing tasks."""

    frames: tuple[SequenceFrame, ...]
    """One per update."""
    params: Array
    """(423,) parameters of the decoder after the last update."""


def sequence_run(settings: Mapping[str, Any], *, num_updates: int, rng: np.random.Generator) -> SequenceRun:
    """The first updates on the three writing tasks; `SequenceTrainer` makes the same ones step by step.

        responses → rewards → advantages within groups → epochs of clipped steps → frame, num_updates times

    Args:
        settings: fields of `SequenceConfig` that differ from its defaults, by name.
        num_updates: from 1 to all of the configuration's; schedules still end with its last update.
        rng: as `SequenceTrainer`.
    Raises: ValueError on a setting that does not exist or is out of range, or a wrong number of updates.
    Source: Ahmadian et al., arXiv:2402.14740; Shao et al., arXiv:2402.03300.
    """
    config = config_of(SequenceConfig, settings)
    count = check.whole(num_updates, "num_updates", at_least=1, at_most=config.num_updates)
    trainer = SequenceTrainer(config, rng=rng)
    return SequenceRun(tuple(trainer.advance(count)), trainer.state.params.copy())

"""Public names that are read when they are first used: most lessons train nothing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

LATER = {
    "decoder": (
        "MaskedUpdate",
        "decoder_log_probs",
        "decoder_params",
        "decoder_weights",
        "masked_update",
        "response_log_probs",
        "response_scores",
    ),
    "decoder_passes": ("DecoderWeights",),
    "decoder_runs": ("DecoderStep", "decoder_step"),
    "networks": ("init_mlp", "mlp", "mlp_gradients", "orthogonal_matrix"),
    "ppo": ("PPOTrainer",),
    "ppo_config": ("PPOConfig",),
    "ppo_frame": ("PPOFrame",),
    "ppo_gradients": ("PPOLoss", "ppo_loss"),
    "ppo_runs": ("PPORun", "ppo_run"),
    "recurrent": ("GRUGradients", "gru_cell", "gru_sequence", "gru_sequence_gradients"),
    "rloo": ("SequenceObjective", "group_advantages", "sequence_objective"),
    "sequence_config": ("SequenceConfig",),
    "sequence_frame": ("SequenceExample", "SequenceFrame"),
    "sequence_policy": ("SampledResponses", "response_text", "sample_responses", "verify_responses"),
    "sequence_runs": ("SequenceRun", "sequence_run"),
    "sequence_trainer": ("SequenceTrainer",),
}
"""Module → its public names; `__init__` imports the same for type checkers."""


def late(name: str) -> Any:
    """The value of a public name, from its module. Raises AttributeError for any other name."""
    for module, names in LATER.items():
        if name in names:
            return getattr(import_module(f".{module}", __package__), name)
    raise AttributeError(f"module {__package__!r} has no attribute {name!r}")

"""The requests that both engines answer: every view at many positions, calls at their edges, and mistakes."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from policygrad.views import VIEWS

if TYPE_CHECKING:
    from collections.abc import Iterator

COMBINED_AT_MOST = 48
"""Corners of the parameter box that are asked for, per view."""


def view_requests(view: str) -> Iterator[dict[str, Any]]:
    """The defaults; each control along its range; corners; and what a link may hold by mistake."""
    controls = VIEWS[view].spec()["controls"]

    def request(**params: Any) -> dict[str, Any]:
        return {"id": 1, "kind": "view", "view": view, "params": params}

    yield request()
    for control in controls:
        low, high = control["min"], control["max"]
        middle = (low + high) / 2
        near = [low + control["step"], high - control["step"], control["default"] + control["page"]]
        for value in [low, middle, high, *near, *control["stops"]]:
            yield request(**{control["name"]: value})
        for wrong in [low - 1, high + 1, "Infinity", "NaN", "much", None, True, [1], 1e300]:
            yield request(**{control["name"]: wrong})
    corners = itertools.product(*((control["min"], control["max"]) for control in controls))
    for corner in itertools.islice(corners, COMBINED_AT_MOST):
        yield request(**{control["name"]: value for control, value in zip(controls, corner, strict=True)})
    yield request(unheard_of=1)


def call(name: str, **args: Any) -> dict[str, Any]:
    return {"id": "edge", "kind": "call", "call": name, "args": args}


TWO_ACTIONS = {"rewards": [1.0, 0.0], "ref_prob": 0.5, "kl_coef": 0.5, "learning_rate": 1.0}

CALLS = [
    call("kl_divergence", p=[0.7, 0.3], q=[0.5, 0.5]),
    call("kl_divergence", p=[1.0, 0.0], q=[0.5, 0.5]),
    call("kl_divergence", p=[0.5, 0.5], q=[1.0, 0.0]),
    call("kl_divergence", p=[1e-300, 1.0 - 1e-16], q=[0.5, 0.5]),
    call("kl_terms", p=[0.2, 0.3, 0.5], q=[0.5, 0.3, 0.2]),
    call("entropy", probs=[0.25, 0.25, 0.5]),
    call("softmax", logits=[1000.0, 0.0, -1000.0]),
    call("softmax[0]", logits=[2.0, 0.0]),
    call("softmax", logits=["-Infinity", 0.0]),
    call("log_softmax", logits=[1000.0, 0.0, -1000.0]),
    call("log_softmax", logits=[[1.0, 2.0], [3.0, -4.0]]),
    call("score", probs=[0.7, 0.3], action=1),
    call("exact_policy_gradient", logits=[2.0, 0.0], action_values=[1.0, 4.0]),
    call("clipped_objective", ratios=1.4, advantages=2, clip_epsilon=0.2),
    call("clipped_objective", ratios=[0.5, 1.2, 1e300], advantages=[-2, 2, 0], clip_epsilon=0.2),
    call("two_action_update", prob=0.3, **TWO_ACTIONS),
    call("two_action_update.new_prob", prob=0.3, **TWO_ACTIONS),
    call("two_action_update", prob=1e-12, **TWO_ACTIONS),
    call("two_action_run", prob=0.3, num_updates=60, **TWO_ACTIONS),
    call("draw_shared_batch", rng=19),
    call("draw_shared_batch", rng=0),
    call("reuse_batch", epochs=40, learning_rate=1.0, clip_epsilon=0.05, rng=3),
    call("rewards_to_go", rewards=[0.1, 0.2, 0.3], gamma=0.9),
    call("group_gradient_estimates", prob=0.35, rewards=[1, -0.2], group_size=8, num_groups=50, rng=5),
    call("bootstrap_interval", scores=[1, 2, 4, 8], statistic="mean", num_resamples=200, rng=7),
    call("trust_region_step", logits=[2.0, 0.0], action_values=[1.0, 4.0], max_kl=0.01),
]
"""Public names of the core at ordinary places and at edges; each has an answer."""

MISTAKES: list[dict[str, Any] | str] = [
    "",
    "nonsense",
    "[1, 2]",
    "null",
    "NaN",
    '{"id": 1}',
    '{"id": 1, "kind": "view"}',
    '{"id": 1, "kind": "view", "view": "ppo-clp", "params": {}}',
    '{"id": 1, "kind": "view", "view": "ppo-clip", "params": 7}',
    '{"id": 1, "kind": "sing"}',
    '{"id": {"deep": [1]}, "kind": "call", "call": "os.system", "args": {}}',
    '{"id": 1, "kind": "call", "call": "__import__", "args": {}}',
    '{"id": "ε − é", "kind": "call", "call": "softmax[9]", "args": {"logits": [0, 0]}}',
    call("softmax"),
    call("softmax", logits="text"),
    call("softmax", logits=[]),
    call("softmax", logits=["Infinity", 0.0]),
    call("clipped_objective", ratios="NaN", advantages=1, clip_epsilon=0.2),
    call("softmax.nothing", logits=[1.0]),
    call("kl_divergence", p=[0.7, 0.4], q=[0.5, 0.5]),
    call("kl_divergence", p=[0.7, 0.3], q=[0.2, 0.3, 0.5]),
    call("kl_divergence", p=[-0.1, 1.1], q=[0.5, 0.5]),
    call("kl_divergence", p=["NaN", 0.3], q=[0.5, 0.5]),
    call("clipped_objective", ratios=1.4, advantages=2, clip_epsilon=-1),
    call("clipped_objective", ratios=1.4, advantages=2, clip_epsilon=0.2, extra=1),
    call("draw_shared_batch", rng=-1),
    call("draw_shared_batch", rng=1.5),
]
"""Each is answered with an error, and both engines give the same one."""

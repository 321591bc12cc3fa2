"""What holds for every public function: inputs stay, results are new, wrong arguments are named.

The calls are those of `tests/parity/every_function.json`, which CPython and the page's Python both answer.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import policygrad
from policygrad.bridge import decoded, plain

CALLS = json.loads((Path(__file__).parents[1] / "parity" / "every_function.json").read_text("utf-8"))
FUNCTIONS = {n for n in policygrad.__all__ if inspect.isfunction(getattr(policygrad, n))}
TAKES_A_BATCH = {"shared_objective", "shared_objective_gradient"}
"""Their second argument is a dataclass, which has no JSON form."""

OUT_OF_RANGE: dict[str, list[Any]] = {
    "gamma": [-0.1, 1.1],
    "gae_lambda": [-0.1, 1.1],
    "clip_epsilon": [-0.1, 1.0],
    "clip_epsilon_high": [-0.1],
    "eps": [-1e-9],
    "kl_coef": [-0.1],
    "damping": [-0.1],
    "max_kl": [0, -1],
    "max_norm": [0, -1],
    "target": [0, -1],
    "horizon": [0, -1],
    "n": [0, 1.5],
    "group_size": [0, 1.5],
    "num_groups": [0, 1.5],
    "num_resamples": [0, 1.5],
    "num_updates": [-1, 1.5],
    "level": [0, 1, 1.5],
    "ddof": [-1, 2, 0.5],
    "prob": [-0.1, 1.1],
    "ref_prob": [0, 1, 1.1],
    "learning_rate": [-0.1],
    "gain": [-0.1],
    "rows": [0, 1.5],
    "columns": [0, 1.5],
    "value_coef": [-0.1],
    "entropy_coef": [-0.1],
    "value_clip": [-0.1],
    "num_steps": [-1],
    "epochs": [-1, 1.5],
    "iterations": [0, 1.5],
    "tolerance": [-1],
    "max_length": [0, 1.5],
    "step": [0, 1.5],
    "beta_1": [-0.1, 1.0],
    "beta_2": [-0.1, 1.0],
    "action": [-1, 2, 0.5],
    "convention": ["objectives", None, 3, []],
    "reduction": ["mean", None, 3, []],
    "scale": ["none", None, 3],
    "estimator": ["ppo", None, 3],
    "ratio_level": ["response", None, 3],
    "kl_estimator": ["k4", None, 3],
    "kl_weighting": ["both", None, 3],
    "max_tokens": [0, 1.5],
    "decay": [-0.1, 1.1],
    "baseline": [],
    "cutoff_reward": [],
    "statistic": ["mode", None, 3],
    "rng": [None, 3],
}
"""Values that each hyper-parameter must refuse."""
NOT_A_HYPER_PARAMETER = {("adam_update", "step"), ("score", "action")}


def arguments(call: dict[str, Any]) -> dict[str, Any]:
    values = {name: decoded(value) for name, value in call["args"].items()}
    if "rng" in values:
        values["rng"] = np.random.default_rng(values["rng"])
    return values


def function_of(call: dict[str, Any]) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(policygrad, call["call"])
    return function


def arrays_in(value: Any) -> Iterator[np.ndarray]:
    """Every array of a result, also inside dataclasses and sequences."""
    if isinstance(value, np.ndarray):
        yield value
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from arrays_in(getattr(value, field.name))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from arrays_in(item)


def is_numeric_list(call: dict[str, Any], name: str) -> bool:
    """Whether it is one array; the others are lists of arrays of several shapes."""
    return isinstance(call["args"][name], list) and name not in {"gradients", "parameters"}


EACH_CALL = pytest.mark.parametrize("call", CALLS, ids=lambda call: call["call"])
EACH_ARRAY = pytest.mark.parametrize(
    ("call", "name"),
    [(call, name) for call in CALLS for name in call["args"] if is_numeric_list(call, name)],
    ids=lambda value: value if isinstance(value, str) else value["call"],
)


def test_every_function_is_called() -> None:
    assert {call["call"] for call in CALLS} == FUNCTIONS - TAKES_A_BATCH


@EACH_CALL
def test_lists_and_arrays_are_the_same_and_stay_as_they_are(call: dict[str, Any]) -> None:
    listed = arguments(call)
    arrays = {
        name: np.asarray(value) if is_numeric_list(call, name) else value
        for name, value in arguments(call).items()
    }
    before = {name: value.copy() for name, value in arrays.items() if isinstance(value, np.ndarray)}
    expected, actual = function_of(call)(**listed), function_of(call)(**arrays)
    np.testing.assert_equal(plain(actual), plain(expected))
    for name, copy in before.items():
        np.testing.assert_array_equal(arrays[name], copy, err_msg=name)
        for result in arrays_in(actual):
            assert not np.shares_memory(result, arrays[name]), f"the result is a part of {name}"


@EACH_CALL
def test_float64_comes_out(call: dict[str, Any]) -> None:
    result = function_of(call)(**arguments(call))
    for array in arrays_in(result):
        assert array.dtype in (np.float64, np.bool_, np.int64), array.dtype


@EACH_ARRAY
@pytest.mark.parametrize("wrong", [[], "text", [[1.0], [1.0, 2.0]], [None], 1j], ids=repr)
def test_what_is_no_array_is_named(call: dict[str, Any], name: str, wrong: Any) -> None:
    with pytest.raises(ValueError, match=rf"\b{name}\b"):
        function_of(call)(**{**arguments(call), name: wrong})


@EACH_ARRAY
def test_nan_is_named(call: dict[str, Any], name: str) -> None:
    """NaN everywhere; where a mask leaves some entries out, the others are still named."""
    wrong = np.full(np.shape(call["args"][name]), np.nan)
    with pytest.raises(ValueError, match=rf"\b{name}\b.* is NaN"):
        function_of(call)(**{**arguments(call), name: wrong})


@EACH_ARRAY
def test_one_axis_too_many_is_named(call: dict[str, Any], name: str) -> None:
    """(N,) beside (N, 1) must not quietly become (N, N). Alone, a further axis may be a batch."""
    values = arguments(call)
    wrong = np.asarray(values[name])[..., np.newaxis]
    others = [other for other in values if other != name and is_numeric_list(call, other)]
    if not others:
        return
    with pytest.raises(ValueError, match=r"shape|must|sum"):
        function_of(call)(**{**values, name: wrong})


@pytest.mark.parametrize("name", OUT_OF_RANGE)
def test_hyper_parameters_keep_to_their_range(name: str) -> None:
    calls = [c for c in CALLS if name in c["args"] and not isinstance(c["args"][name], list)]
    assert calls, "no call has it"
    for call in calls:
        numeric = not isinstance(call["args"][name], str) and name != "rng"
        for wrong in [*OUT_OF_RANGE[name], *([np.nan, np.inf, "text", [0.5, 0.5]] if numeric else [])]:
            with pytest.raises(ValueError, match=rf"\b{name}\b"):
                function_of(call)(**{**arguments(call), name: wrong})


def test_every_hyper_parameter_is_tried() -> None:
    tried = set(OUT_OF_RANGE) | {
        "eos_id",
        "pad_id",
        "observed_kl",
        "initial",
        "ratio",
        "advantage",
        "next_advantage",
        "settings",
    }
    scalars = {name for call in CALLS for name, value in call["args"].items() if not isinstance(value, list)}
    assert scalars - tried == set()

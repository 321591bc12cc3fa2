"""The one door to the core: JSON text in, JSON text out, errors as data.

CPython, Node and the page's worker all come in here, so a number that the build computed and a number that
the page computes are the same request.
"""

from __future__ import annotations

import dataclasses
import difflib
import inspect
import json
import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np

import policygrad

from .views import VIEWS
from .views.text import json_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

TARGET = re.compile(r"(?P<name>[A-Za-z_]\w*)(?P<path>(?:\.[A-Za-z_]\w*|\[-?\d+\])*)", re.ASCII)
STEP = re.compile(r"\.(\w+)|\[(-?\d+)\]", re.ASCII)
NON_FINITE = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan}


def handle(request: str) -> str:
    """Answer one request. Never raises: what goes wrong comes back as `{"ok": false, "error": …}`.

    `{"id", "kind": "view", "view", "params"}` → the view model, `{"id", "kind": "call", "call", "args"}` →
    `{"value": …}`, both under `"result"` of `{"id", "ok": true}`.
    """
    number = None
    try:
        message = _message(request)
        number = encoded(message.get("id"))  # 1e999 is JSON, and infinity once it is read
        return _reply(number, {"ok": True, "result": encoded(_answer(message))})
    except Exception as error:  # whoever asked must get an answer, whatever happened
        details = {"type": type(error).__name__, "message": str(error)}
        return _reply(number, {"ok": False, "error": details})


def call(name: str, args: Mapping[str, Any]) -> Any:
    """The value of a public function of the core, as plain Python values.

    Args:
        name: `kl_divergence`, a field `two_action_update.new_prob` or an entry `softmax[0]` of the result.
        args: every argument by name; `rng` is an integer seed; "Infinity", "-Infinity" and "NaN" are numbers.
    Returns: a float (infinity and NaN as such), integer, boolean, string, None, or lists and dictionaries of
        them; a dataclass becomes a dictionary of its fields.
    Raises: ValueError for an unknown name or wrong arguments, and what the function itself raises.
    """
    target = TARGET.fullmatch(name)
    if target is None:
        raise ValueError(f"call is {name!r}; it must be a function's name, with .field or [index] after it")
    function = _function(target["name"])
    arguments = {key: decoded(value) for key, value in args.items()}
    try:
        inspect.signature(function).bind(**arguments)
    except TypeError as error:
        raise ValueError(f"{target['name']}: {error}") from None
    if "rng" in arguments:
        arguments["rng"] = _generator(arguments["rng"])
    value = function(**arguments)
    reached = target["name"]
    for field, index in STEP.findall(target["path"]):
        value = _field(value, field, reached) if field else _entry(value, int(index), reached)
        reached += f".{field}" if field else f"[{index}]"
    return plain(value)


def plain(value: Any) -> Any:
    """A result of the core as Python's own numbers, lists and dictionaries."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise ValueError(f"a {type(value).__name__} has no JSON form; ask for one of its fields")


def encoded(value: Any) -> Any:
    """Plain values as JSON can hold them: infinity and NaN become strings."""
    if isinstance(value, dict):
        return {key: encoded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [encoded(item) for item in value]
    return json_number(value) if isinstance(value, float) else value


def decoded(value: Any) -> Any:
    """The other direction: the three strings become numbers again."""
    if isinstance(value, dict):
        return {key: decoded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [decoded(item) for item in value]
    return NON_FINITE.get(value, value) if isinstance(value, str) else value


def _message(request: str) -> dict[str, Any]:
    try:
        message = json.loads(request, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise ValueError(f"the request is not JSON: {error}") from None
    if not isinstance(message, dict):
        raise ValueError("the request is not a JSON object")
    return message


def _refuse_constant(name: str) -> float:
    raise ValueError(f'{name} is not JSON; write "{name}" in quotation marks')


def _answer(message: Mapping[str, Any]) -> Any:
    kind = message.get("kind")
    if kind == "view":
        name = str(message.get("view"))
        if name not in VIEWS:
            raise ValueError(f'there is no view "{name}"{_suggestion(name, VIEWS)}')
        return VIEWS[name].model(decoded(_object(message, "params")))
    if kind == "call":
        return {"value": call(str(message.get("call")), _object(message, "args"))}
    raise ValueError(f'kind is {kind!r}; it must be "view" or "call"')


def _object(message: Mapping[str, Any], key: str) -> dict[str, Any]:
    """A part of the request that holds names and values; leaving it out means that there are none."""
    value = message.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValueError(f"{key} is {value!r}; it must be an object of names and values")
    return value


def _function(name: str) -> Callable[..., Any]:
    # Only the name asked for is looked at: to look at all would load every module that trains.
    function = getattr(policygrad, name) if name in policygrad.__all__ else None
    if not inspect.isfunction(function):
        known = [public for public in policygrad.__all__ if inspect.isfunction(getattr(policygrad, public))]
        raise ValueError(f'there is no function "{name}"{_suggestion(name, known)}')
    return function


def _generator(seed: Any) -> np.random.Generator:
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise ValueError(f"rng is {seed!r}; it must be a whole number ≥ 0, the seed of a generator")
    return np.random.default_rng(seed)


def _field(value: Any, field: str, reached: str) -> Any:
    names = [known.name for known in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
    if field not in names:
        raise ValueError(f'{reached} has no field "{field}"{_suggestion(field, names)}')
    return getattr(value, field)


def _entry(value: Any, index: int, reached: str) -> Any:
    if not isinstance(value, (np.ndarray, list, tuple)) or np.ndim(value) == 0:
        raise ValueError(f"{reached} has no entries; [{index}] cannot be taken")
    if not -len(value) <= index < len(value):
        raise ValueError(f"{reached} has {len(value)} entries; there is no [{index}]")
    return value[index]


def _suggestion(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f'; did you mean "{near[0]}"?' if near else ""


def _reply(number: Any, body: dict[str, Any]) -> str:
    return json.dumps({"id": number, **body}, allow_nan=False)

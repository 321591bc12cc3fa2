"""The builder's one door to the core: which functions are public, how a call is named, and calling it.

A call has the form that the bridge takes, a name and keyword arguments, so that every number in a lesson is a
request that any engine can repeat. What the core refuses becomes an author's error in the core's own words.
"""

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import policygrad
from lessonbuild.errors import Fault, did_you_mean
from policygrad.bridge import call as bridge_call
from policygrad.views import VIEWS


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the core with JSON arguments."""

    name: str
    """As the bridge takes it: ``softmax[0]``, ``two_action_update.new_prob``."""
    args: Mapping[str, Any]
    """Every argument by its name, without those left at their defaults."""

    @property
    def function(self) -> str:
        """The public function that is called."""
        return self.name.partition(".")[0].partition("[")[0]


@functools.cache
def functions() -> dict[str, Callable[..., Any]]:
    """The public functions of the core by name."""
    public = {name: getattr(policygrad, name) for name in policygrad.__all__}
    return {name: value for name, value in public.items() if inspect.isfunction(value)}


def versions(used: frozenset[str]) -> dict[str, Any]:
    """The artifact's note on what computed it."""
    return {"version": policygrad.__version__, "functions": sorted(used), "numpy": np.__version__}


def bound(name: str, args: list[Any], keywords: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call by name. Raises `Fault` for an unknown function or wrong arguments."""
    known = functions()
    if name not in known:
        raise Fault("value-call", f'the core has no public function "{name}"{did_you_mean(name, known)}')
    signature = inspect.signature(known[name])
    parameters = signature.parameters
    if wrong := next((key for key in keywords if key not in parameters), None):
        raise Fault("value-call", f'{name} has no argument "{wrong}"{did_you_mean(wrong, parameters)}')
    try:
        given = dict(signature.bind_partial(*args, **keywords).arguments)
    except TypeError as error:
        raise Fault("value-call", f"{name}({', '.join(parameters)}): {error}") from None
    needed = [key for key, parameter in parameters.items() if parameter.default is parameter.empty]
    if lacking := [f'"{key}"' for key in needed if key not in given]:
        raise Fault("value-call", f"{name} also needs {' and '.join(lacking)}")
    return given


def result(call: Call) -> Any:
    """Run a call through the bridge. Raises `Fault` with the core's own message when it is refused."""
    return guarded(call.name, lambda: bridge_call(call.name, call.args))


def guarded(name: str, run: Callable[[], Any]) -> Any:
    """Run something of the core; what it raises becomes a `Fault` that names it."""
    try:
        return run()
    except (ValueError, ArithmeticError, MemoryError) as error:
        raise Fault("value-core", f"{name}: {error}") from None
    except (TypeError, LookupError, AttributeError) as error:
        raise Fault("value-call", f"{name}: {error}") from None


def view_ids() -> list[str]:
    """The ids of all views of the core."""
    return list(VIEWS)


def view_spec(view: str) -> dict[str, Any]:
    """A view's controls, outputs and actions."""
    return dict(VIEWS[view].spec())


def view_model(view: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """A view's model at the given parameters."""
    return dict(VIEWS[view].model(dict(params)))

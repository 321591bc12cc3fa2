"""A tiny calculator for the arithmetic that authors write beside equations: NumPy functions of given symbols.

The text is parsed and walked node by node; Python's own evaluation is never used. There are no attributes
but `np.` and a short list of names, no comprehensions, and every operand is a float64, so neither a huge
power nor a huge array can be asked for.
"""

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from lessonbuild import core
from lessonbuild.errors import Fault, did_you_mean
from lessonbuild.literals import parsed, source

RULE: Final = "equation-expression"
NUMPY: Final[dict[str, Callable[..., Any]]] = {
    name: getattr(np, name)
    for name in (
        *("abs", "sign", "sqrt", "square", "exp", "expm1", "log", "log1p", "tanh"),
        *("minimum", "maximum", "clip", "where", "power"),
        *("sum", "mean", "prod", "var", "std", "min", "max", "cumsum", "cumprod"),
        *("dot", "outer", "array"),
    )
}
CONSTANTS: Final = {"pi": np.pi, "e": np.e}
_LARGEST: Final = 10_000
_OPTIONS: Final = {"axis", "keepdims", "ddof"}
_OPERATORS: Final[dict[type[ast.AST], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class Expression:
    """One side of a check: an expression of symbols, with or without the core's functions."""

    def __init__(self, text: str, *, with_core: bool) -> None:
        self.tree = parsed(text, RULE)
        self.names = {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)}
        self.core_names = self.names & set(core.functions())
        calls = [node for node in ast.walk(self.tree) if isinstance(node, ast.Call)]
        within = [node for call in calls if _is_core(call.func) for node in ast.walk(call)]
        self.names_for_core = {node.id for node in within if isinstance(node, ast.Name)}
        self._with_core = with_core

    def value(self, symbols: Mapping[str, Any], *, core_moved: bool = False) -> Any:
        """Return the value as an array of float64; `core_moved` changes a little all that the core returns.

        Raises `Fault` for whatever is not allowed, not defined, or refused by NumPy or by the core.
        """
        try:
            with np.errstate(all="ignore"):
                return _numbers(_Walk(symbols, self._with_core, core_moved).at(self.tree))
        except RecursionError:
            raise Fault(RULE, "the expression is nested too deeply") from None


class _Walk:
    """One evaluation; `at` looks for the method named after the node."""

    def __init__(self, symbols: Mapping[str, Any], with_core: bool, core_moved: bool) -> None:
        self._symbols = symbols
        self._moved = moved if core_moved else _same
        self._core = core.functions() if with_core else {}

    def at(self, node: ast.expr) -> Any:
        rule: Callable[[Any], Any] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if rule is None:
            raise Fault(
                RULE, f"{source(node)} is not allowed; use numbers, symbols, + − * / ** and np. functions"
            )
        return rule(node)

    def _constant(self, node: ast.Constant) -> Any:
        if isinstance(node.value, int | float) or (self._core and isinstance(node.value, str | None)):
            return node.value
        raise Fault(RULE, f"{source(node)} is not a number")

    def _name(self, node: ast.Name) -> Any:
        if node.id in self._symbols:
            return self._symbols[node.id]
        if node.id in core.functions():
            raise Fault("equation-core", f'"{node.id}" is not called; write it with its arguments')
        hint = did_you_mean(node.id, [*self._symbols, *self._core])
        raise Fault(RULE, f'unknown symbol "{node.id}"{hint}')

    def _list(self, node: ast.List) -> Any:
        return [self.at(entry) for entry in node.elts]

    def _tuple(self, node: ast.Tuple) -> Any:
        return [self.at(entry) for entry in node.elts]

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        value = self.at(node.operand)
        if not isinstance(node.op, ast.USub | ast.UAdd):
            raise Fault(RULE, f"{source(node)}: only the signs + and − are allowed before a value")
        if not isinstance(value, int | float):
            value = _numbers(value)
        return -value if isinstance(node.op, ast.USub) else value

    def _binop(self, node: ast.BinOp) -> Any:
        return self._operate(node.op, node.left, node.right)

    def _compare(self, node: ast.Compare) -> Any:
        if len(node.ops) != 1:
            raise Fault(RULE, f"{source(node)} compares more than two values at once")
        return self._operate(node.ops[0], node.left, node.comparators[0])

    def _operate(self, op: ast.AST, left: ast.expr, right: ast.expr) -> Any:
        run = _OPERATORS.get(type(op))
        if run is None:
            raise Fault(
                RULE, f"the operation {type(op).__name__} is not allowed; use + − * / ** and comparisons"
            )
        return _computed(run, _numbers(self.at(left)), _numbers(self.at(right)))

    def _subscript(self, node: ast.Subscript) -> Any:
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        keys = tuple(_index(part) for part in parts)
        return _computed(operator.getitem, _numbers(self.at(node.value)), keys)

    def _attribute(self, node: ast.Attribute) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id == "np":
            if node.attr in CONSTANTS:
                return CONSTANTS[node.attr]
            raise Fault(RULE, f"np.{node.attr} is not called, and not among the constants np.pi and np.e")
        if isinstance(node.value, ast.Call):
            result = self.at(node.value)
            fields = getattr(result, "__dataclass_fields__", {})
            if node.attr in fields:
                return self._moved(getattr(result, node.attr))
            raise Fault(RULE, f'the result has no field "{node.attr}"{did_you_mean(node.attr, fields)}')
        raise Fault(
            RULE, f"{source(node)} is not allowed; only np. names and fields of the core's results are"
        )

    def _call(self, node: ast.Call) -> Any:
        match node.func:
            case ast.Attribute(value=ast.Name(id="np"), attr=name):
                return self._numpy(name, node)
            case ast.Name(id=name) if name in self._core:
                args = [self.at(entry) for entry in node.args]
                given = core.bound(name, args, self._keywords(node))
                return self._moved(core.guarded(name, lambda: self._core[name](**given)))
            case ast.Name(id=name) if name in core.functions():
                raise Fault(
                    "equation-core", f'"{name}" is a core function; this side must be independent of the core'
                )
        hint = did_you_mean(node.func.id, self._core) if isinstance(node.func, ast.Name) else ""
        raise Fault(RULE, f"{source(node.func)} cannot be called here; only np. functions can{hint}")

    def _numpy(self, name: str, node: ast.Call) -> Any:
        if name not in NUMPY:
            raise Fault(RULE, f"np.{name} is not among the allowed functions{did_you_mean(name, NUMPY)}")
        args = [self.at(entry) for entry in node.args]
        keywords = self._keywords(node)
        if unknown := set(keywords) - _OPTIONS:
            raise Fault(RULE, f'np.{name} takes no "{min(unknown)}" here; only axis, keepdims and ddof')
        return _computed(NUMPY[name], *[_argument(entry) for entry in args], **keywords)

    def _keywords(self, node: ast.Call) -> dict[str, Any]:
        if any(entry.arg is None for entry in node.keywords):
            raise Fault(RULE, "stars are not used here; write each argument")
        return {str(entry.arg): self.at(entry.value) for entry in node.keywords}


def _is_core(function: ast.expr) -> bool:
    return isinstance(function, ast.Name) and function.id in core.functions()


def moved(value: Any) -> Any:
    """Return numbers that differ a little from the given ones; anything else as it is."""
    try:
        return np.asarray(value, dtype=np.float64) * 1.0625 + 0.015625
    except (TypeError, ValueError):
        return value


def _same(value: Any) -> Any:
    return value


def _numbers(value: Any) -> Any:
    """Return float64 numbers, also for integers: their powers cannot grow without bound."""
    if not isinstance(value, str):
        try:
            return np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            pass
    raise Fault(RULE, "a part of the expression is not a number or an array of numbers")


def _argument(value: Any) -> Any:
    """Conditions of np.where stay conditions; all other arguments become float64."""
    return value if isinstance(value, np.ndarray | np.bool_) and value.dtype == np.bool_ else _numbers(value)


def _computed(run: Callable[..., Any], *args: Any, **keywords: Any) -> Any:
    """Run one operation; what it would make is bounded before and after."""
    if any(np.size(entry) > _LARGEST // 10 for entry in args if isinstance(entry, np.ndarray)):
        raise Fault(RULE, f"an array has more than {_LARGEST // 10} numbers; a check needs only a few")
    try:
        value = run(*args, **keywords)
    except (TypeError, ValueError, IndexError, ArithmeticError) as error:
        raise Fault(RULE, f"this cannot be computed: {error}") from None
    if np.size(value) > _LARGEST:
        raise Fault(RULE, f"an array would have more than {_LARGEST} numbers; a check needs only a few")
    return value


def _index(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=None):
            return None
        case ast.Constant(value=int() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
        case ast.Slice(lower=lower, upper=upper, step=step):
            return slice(*(None if part is None else _index(part) for part in (lower, upper, step)))
    raise Fault(RULE, f"[{source(node)}] is not an index; use whole numbers and slices")

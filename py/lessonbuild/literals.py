"""Author text that is read as Python and never run: literals, calls of literals, lists of `name=value`.

Everything goes through `ast`; nothing is evaluated. Sizes are bounded, so that a slip of the keyboard cannot
ask for a billion samples.
"""

import ast
import math
import warnings
from typing import Any, Final

from lessonbuild.core import Call, bound
from lessonbuild.errors import Fault, quoted

LONGEST: Final = 1000
"""Characters of one expression."""
LARGEST_INTEGER: Final = 10**6
_LOOKALIKES: Final = {"−": "-", "–": "-", "×": "*", "·": "*", "“": '"', "”": '"', "‘": "'", "’": "'"}


def parsed(text: str, rule: str) -> ast.expr:
    """Return the syntax tree of one expression. Raises `Fault` with the given rule when there is none."""
    for wrong, right in _LOOKALIKES.items():
        if wrong in text:
            raise Fault(rule, f"{quoted(text)} holds the character {wrong}; in an expression write {right}")
    if not text.strip():
        raise Fault(rule, "the expression is empty")
    if len(text) > LONGEST:
        raise Fault(rule, f"the expression has {len(text)} characters; at most {LONGEST} are allowed")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(" ".join(text.split()), mode="eval").body
    except (SyntaxError, ValueError):  # Python's own words differ between its versions
        raise Fault(rule, f"{quoted(text)} is not an expression; check brackets, commas and signs") from None
    except (RecursionError, MemoryError):
        raise Fault(rule, f"{quoted(text)} is nested too deeply") from None


def literal(node: ast.expr, rule: str) -> Any:
    """Return the JSON value that a node spells: numbers, text, true, false, none, and lists of these."""
    match node:
        case ast.Constant(value=bool() | None | str() as value):
            return value
        case ast.Constant(value=int() as value) if value > LARGEST_INTEGER:
            raise Fault(rule, f"the number is larger than {LARGEST_INTEGER:,}; a build must stay quick")
        case ast.Constant(value=int() | float() as value) if math.isfinite(value):
            return value
        case ast.UnaryOp(
            op=ast.USub() | ast.UAdd(), operand=ast.Constant(value=int() | float() as value)
        ) if not isinstance(value, bool):
            number = literal(node.operand, rule)
            return -number if isinstance(node.op, ast.USub) and number else number
        case ast.List(elts=entries) | ast.Tuple(elts=entries):
            return [literal(entry, rule) for entry in entries]
    raise Fault(rule, f"{source(node)} is not a literal; give numbers, texts in quotes, or lists of them")


def parse_call(text: str, rule: str = "value-call") -> Call:
    """Read `name(literals…)`, then optionally `.field` and `[index]`, as a call of the core.

    Raises `Fault` for anything else, for an unknown function and for arguments that it does not take.
    """
    node = parsed(text, rule)
    path = ""
    while not isinstance(node, ast.Call):
        match node:
            case ast.Attribute(value=inner, attr=name) if not name.startswith("_"):
                path = f".{name}{path}"
            case ast.Subscript(value=inner, slice=index):
                number = literal(index, rule)
                if not isinstance(number, int) or isinstance(number, bool):
                    raise Fault(rule, f"{source(index)} is not an index; give one whole number")
                path = f"[{number}]{path}"
            case _:
                raise Fault(rule, f"{quoted(text)} is not a call; write a core function with its arguments")
        node = inner
    if not isinstance(node.func, ast.Name):
        raise Fault(rule, f"{source(node.func)} is not a public name of the core; write the name alone")
    args = [literal(entry, rule) for entry in node.args]
    return Call(node.func.id + path, bound(node.func.id, args, _keywords(node, rule)))


def assignments(text: str, rule: str) -> dict[str, Any]:
    """Read `a=1, b=[0.5, 0.5]` as names with literal values. Raises `Fault` when it is something else."""
    refusal = Fault(rule, f"{quoted(text)} is not a list of name=value, such as ratio=1.4, advantage=-2")
    try:
        node = parsed(f"_({text})", rule)
    except Fault as fault:
        raise (refusal if "is not an expression" in fault.message else fault) from None
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_"):
        raise refusal
    if node.args or not node.keywords:
        raise refusal
    return _keywords(node, rule)


def _keywords(node: ast.Call, rule: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for entry in node.keywords:
        if entry.arg is None:
            raise Fault(rule, "stars are not used here; write each argument")
        if entry.arg in values:
            raise Fault(rule, f'"{entry.arg}" is given twice')
        values[entry.arg] = literal(entry.value, rule)
    return values


def source(node: ast.expr) -> str:
    """Return the node as an author wrote it, in quotes and shortened."""
    try:
        return quoted(ast.unparse(node))
    except (RecursionError, ValueError):
        return "this"

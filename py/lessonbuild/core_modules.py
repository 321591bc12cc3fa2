"""The modules of `policygrad` as text: what each defines and imports, and what a statement mentions."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Final

PACKAGE: Final = "policygrad"
LOOSE: Final = "(statements)"
"""The node of a module's statements that define no name: they may change anything in the module."""
ANYTHING: Final = frozenset({"globals", "locals", "vars", "eval", "exec", "__import__", "importlib", "sys"})
"""Names by which code can reach what it does not mention."""

Node = tuple[str, str]
"""Module and top-level name."""


@dataclass
class Module:
    """One file of the package."""

    name: str
    definitions: dict[str, list[ast.stmt]] = field(default_factory=dict)
    """Top-level name → the statements that give it a meaning."""
    modules: dict[str, set[str]] = field(default_factory=dict)
    """Local name → modules of the package."""
    imported: dict[str, set[Node]] = field(default_factory=dict)
    """Local name → what it was imported as."""
    stars: set[str] = field(default_factory=set)
    """Modules of the package from which everything was imported."""
    order: str = ""
    """The order of the definitions, where a name is defined twice and the order decides which one counts."""


def module_name(path: str) -> str:
    """The dotted name of a file, given relative to the package."""
    parts = path.removesuffix(".py").split("/")
    return ".".join([PACKAGE, *(part for part in parts if part != "__init__")])


def read_module(name: str, text: str, known: Collection[str], is_package: bool) -> Module:
    """Take a file's text apart; `known` are the names of all modules of the package."""
    module = Module(name)
    file = name.replace(".", "/") + ("/__init__.py" if is_package else ".py")
    tree = _WithoutDocstrings().visit(ast.parse(text, filename=f"py/{file}"))
    order = []
    for statement in _flat(tree.body):
        for inner in ast.walk(statement):
            if isinstance(inner, ast.Import | ast.ImportFrom):
                _read_import(module, inner, known, is_package)
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            for defined in _defined(statement):
                module.definitions.setdefault(defined, []).append(statement)
                order.append(defined)
    module.order = " ".join(order) if len(order) > len(set(order)) else ""
    return module


def _read_import(
    module: Module, statement: ast.Import | ast.ImportFrom, known: Collection[str], is_package: bool
) -> None:
    """Note what an import names, wherever it stands; names of other libraries are definitions."""
    source = "" if isinstance(statement, ast.Import) else _absolute(module.name, is_package, statement)
    for alias in statement.names:
        local = alias.asname or alias.name
        if isinstance(statement, ast.Import):
            target = alias.name if alias.asname else alias.name.split(".")[0]
            local = alias.asname or target
        else:
            target = f"{source}.{alias.name}"
        if target in known:
            module.modules.setdefault(local, set()).add(target)
        elif alias.name == "*" and source in known:
            module.stars.add(source)
        elif source in known:
            module.imported.setdefault(local, set()).add((source, alias.name))
        else:
            text = f"import {alias.name}" if not source else f"from {source} import {alias.name}"
            module.definitions.setdefault(local, []).append(ast.Expr(ast.Constant(text)))


def reaches_out(module: Module) -> bool:
    """Whether a statement at the top of a module may change what another module defines."""
    return any(
        chain[0] in module.modules or chain[0] in module.imported or chain[0] in ANYTHING
        for statement in module.definitions.get(LOOSE, [])
        for chain in mentioned(statement)
    )


def _absolute(name: str, is_package: bool, statement: ast.ImportFrom) -> str:
    if not statement.level:
        return statement.module or ""
    parts = name.split(".")
    parts = parts[: len(parts) - statement.level + (1 if is_package else 0)]
    return ".".join([*parts, *([statement.module] if statement.module else [])])


_TYPES_ONLY: Final = ast.dump(ast.Name("TYPE_CHECKING", ast.Load()))


def _flat(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, with those under `if` and `try` as if they stood at the top."""
    for statement in body:
        match statement:
            case ast.If():
                yield from _flat([*statement.body, *statement.orelse])
                if ast.dump(statement.test) != _TYPES_ONLY:
                    yield ast.Expr(statement.test)
            case ast.Try():
                handlers = [inner for handler in statement.handlers for inner in handler.body]
                yield from _flat([*statement.body, *handlers, *statement.orelse, *statement.finalbody])
            case _:
                yield statement


def _defined(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [statement.name]
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names = [
                inner.id
                for target in targets
                for inner in ast.walk(target)
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
            ]
            return names or [LOOSE]
        case ast.Pass():
            return []
        case _:
            return [LOOSE]


def defines_view(module: Module, view: str) -> bool:
    """Whether a call in the module says `id="<view>"`."""
    return any(
        isinstance(node, ast.keyword)
        and node.arg == "id"
        and isinstance(node.value, ast.Constant)
        and node.value.value == view
        for statements in module.definitions.values()
        for statement in statements
        for node in ast.walk(statement)
    )


def mentioned(tree: ast.AST) -> Iterator[list[str]]:
    """Every dotted name in a piece of code, as a list of its parts; `a.b.c` gives one list."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from ([alias.asname or alias.name.partition(".")[0]] for alias in node.names)
        chain: list[str] = []
        inner = node
        while isinstance(inner, ast.Attribute):
            chain.insert(0, inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name):
            yield [inner.id, *chain]
        else:
            waiting.extend(ast.iter_child_nodes(inner if chain else node))


class _WithoutDocstrings(ast.NodeTransformer):
    """Drops every string that stands alone as a statement: docstrings, and the lines under fields."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return ast.Pass()
        return node

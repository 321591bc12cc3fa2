"""What each part of the core depends on, found in its source text without importing it.

A lesson has to be built again when a definition that its numbers go through has changed. Every top-level
definition of `policygrad` (function, class, constant) becomes a node; its edges are the names it mentions,
followed through imports within the package. A node's fingerprint covers all that can be reached from it.

Comments, docstrings and layout are not part of a syntax tree without docstrings, so a change of them changes
no fingerprint. Where the text leaves a doubt (a module used as a value, a statement that is no definition)
more counts as reached, never less.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

PACKAGE: Final = "policygrad"
BRIDGE: Final = f"{PACKAGE}.bridge"
VIEWS: Final = f"{PACKAGE}.views"
LOOSE: Final = "(statements)"
"""The node of a module's statements that define no name: they may change anything in the module."""
WHOLE: Final = "(module)"
"""The node of a module that is used as a value: whatever it defines or imports may be taken from it."""

Node = tuple[str, str]
"""Module and top-level name."""


@dataclass
class _Module:
    name: str
    definitions: dict[str, list[ast.stmt]] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    """Local name → module of the package."""
    imported: dict[str, Node] = field(default_factory=dict)
    """Local name → what it was imported as."""


class CoreDependencies:
    """Fingerprints of the core's public names and views, from the files below `py/policygrad`."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        """`sources` maps paths relative to the package, such as `views/kl.py`, to their text."""
        texts = {_module_name(path): text for path, text in sources.items()}
        packages = {_module_name(path) for path in sources if path.endswith("__init__.py")}
        self._modules: dict[str, _Module] = {}
        for name, text in texts.items():
            self._modules[name] = _read_module(name, text, texts.keys(), name in packages)
        self._hashes: dict[Node, str] = {}
        self._reached: dict[Node, frozenset[Node]] = {}

    @classmethod
    def of(cls, package: Path) -> CoreDependencies:
        """Read the package's files as they are on disk."""
        return cls(
            {path.relative_to(package).as_posix(): path.read_text("utf-8") for path in package.rglob("*.py")}
        )

    def fingerprint(self, used: str) -> str:
        """Hash of all that a used name depends on.

        `used` is a public name of the core (`kl_divergence`, also with a field or index behind it), or
        `view:<id>`. Of a name that cannot be found here the whole package counts.
        """
        kind, _, view = used.partition(":")
        if kind == "view":
            roots = self._view_nodes(view)
        else:
            roots = self._resolve(PACKAGE, kind.partition(".")[0].partition("[")[0])
        return self._hash_of(self._closure(roots or self._everything()))

    def bridge_fingerprint(self) -> str:
        """Hash of what lies between a call and its value for every lesson: the bridge and its helpers.

        The bridge reaches public functions and views by their names only, so it does not depend on them.
        """
        roots = self._module_nodes(BRIDGE) | self._resolve(PACKAGE, "__version__")
        return self._hash_of(self._closure(roots, without={PACKAGE, VIEWS}))

    def _everything(self) -> set[Node]:
        return {node for module in self._modules for node in self._module_nodes(module)}

    def _module_nodes(self, module: str) -> set[Node]:
        found = self._modules.get(module)
        return {(module, name) for name in found.definitions} if found else set()

    def _view_nodes(self, view: str) -> set[Node]:
        """All that the module of a view defines: the one in `views` that says `id="<view>"` in a call."""
        return {
            node
            for module in self._modules
            if module.startswith(f"{VIEWS}.") and _defines_view(self._modules[module], view)
            for node in self._module_nodes(module)
        }

    def _closure(self, roots: set[Node], without: Collection[str] = ()) -> set[Node]:
        seen: set[Node] = set()
        waiting = list(roots)
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                waiting.extend(near for near in self._edges(node) if near[0] not in without)
        return seen

    def _edges(self, node: Node) -> frozenset[Node]:
        if node not in self._reached:
            module = self._modules[node[0]]
            edges: set[Node] = {(module.name, LOOSE)} if LOOSE in module.definitions else set()
            if node[1] == WHOLE:
                edges |= {(module.name, name) for name in module.definitions}
                for name in (*module.imported, *module.modules):
                    edges |= self._resolve(module.name, name)
            for statement in module.definitions.get(node[1], []):
                for chain in _mentioned(statement):
                    edges |= self._meaning(module, chain)
            self._reached[node] = frozenset(edges)
        return self._reached[node]

    def _meaning(self, module: _Module, chain: list[str]) -> set[Node]:
        """The nodes that a dotted name stands for inside a module."""
        first, *rest = chain
        if first in module.modules:
            inner = module.modules[first]
            while rest and f"{inner}.{rest[0]}" in self._modules:
                inner = f"{inner}.{rest.pop(0)}"
            return (self._resolve(inner, rest[0]) if rest else set()) or {(inner, WHOLE)}
        return self._resolve(module.name, first)

    def _resolve(self, module: str, name: str) -> set[Node]:
        """Where a module's name is defined, followed through re-exports."""
        found = self._modules.get(module)
        if found is None:
            return set()
        if name in found.definitions:
            return {(module, name)}
        if name in found.modules:
            return {(found.modules[name], WHOLE)}
        if name in found.imported:
            return self._resolve(*found.imported[name])
        return set()

    def _hash_of(self, nodes: set[Node]) -> str:
        total = hashlib.sha256()
        for node in sorted(nodes):
            if node not in self._hashes:
                statements = self._modules[node[0]].definitions.get(node[1], [])
                text = "\n".join(ast.dump(statement) for statement in statements)
                self._hashes[node] = hashlib.sha256(text.encode()).hexdigest()
            total.update(f"{node[0]} {node[1]} {self._hashes[node]}\n".encode())
        return total.hexdigest()


def _module_name(path: str) -> str:
    parts = path.removesuffix(".py").split("/")
    return ".".join([PACKAGE, *(part for part in parts if part != "__init__")])


def _read_module(name: str, text: str, known: Collection[str], is_package: bool) -> _Module:
    module = _Module(name)
    file = name.replace(".", "/") + ("/__init__.py" if is_package else ".py")
    tree = _WithoutDocstrings().visit(ast.parse(text, filename=f"py/{file}"))
    for statement in _flat(tree.body):
        match statement:
            case ast.Import():
                for alias in statement.names:
                    target = alias.name if alias.asname else alias.name.split(".")[0]
                    if target in known:
                        module.modules[alias.asname or target] = target
            case ast.ImportFrom():
                source = _absolute(name, is_package, statement)
                for alias in statement.names:
                    local = alias.asname or alias.name
                    if f"{source}.{alias.name}" in known:
                        module.modules[local] = f"{source}.{alias.name}"
                    elif source in known:
                        module.imported[local] = (source, alias.name)
            case _:
                for defined in _defined(statement):
                    module.definitions.setdefault(defined, []).append(statement)
    return module


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


def _defines_view(module: _Module, view: str) -> bool:
    return any(
        isinstance(node, ast.keyword)
        and node.arg == "id"
        and isinstance(node.value, ast.Constant)
        and node.value.value == view
        for statements in module.definitions.values()
        for statement in statements
        for node in ast.walk(statement)
    )


def _mentioned(tree: ast.AST) -> Iterator[list[str]]:
    """Every dotted name in a piece of code, as a list of its parts; `a.b.c` gives one list."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
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

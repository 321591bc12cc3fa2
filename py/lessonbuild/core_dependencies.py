"""What each part of the core depends on, found in its source text without importing it.

A lesson has to be built again when a definition that its numbers go through has changed. Every top-level
definition of `policygrad` (function, class, constant, name of another library) becomes a node; its edges are
the names it mentions, followed through imports within the package, also those inside functions. A node's
fingerprint covers all that can be reached from it.

Comments, docstrings and layout are not part of a syntax tree without docstrings, so a change of them changes
no fingerprint. Where the text leaves a doubt (a module used as a value, a statement that is no definition,
a name with several meanings, `globals()`) more counts as reached, never less.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from lessonbuild.core_modules import (
    ANYTHING,
    LOOSE,
    PACKAGE,
    Module,
    Node,
    defines_view,
    mentioned,
    module_name,
    reaches_out,
    read_module,
)

BRIDGE: Final = f"{PACKAGE}.bridge"
VIEWS: Final = f"{PACKAGE}.views"
WHOLE: Final = "(module)"
"""The node of a module that is used as a value: whatever it defines or imports may be taken from it."""


class CoreDependencies:
    """Fingerprints of the core's public names and views, from the files below `py/policygrad`."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        """`sources` maps paths relative to the package, such as `views/kl.py`, to their text."""
        texts = {module_name(path): text for path, text in sources.items()}
        packages = {module_name(path) for path in sources if path.endswith("__init__.py")}
        self._modules: dict[str, Module] = {}
        for name, text in texts.items():
            self._modules[name] = read_module(name, text, texts.keys(), name in packages)
        self._always = {(name, LOOSE) for name, module in self._modules.items() if reaches_out(module)}
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
            if module.startswith(f"{VIEWS}.") and defines_view(self._modules[module], view)
            for node in self._module_nodes(module)
        }

    def _closure(self, roots: set[Node], without: Collection[str] = ()) -> set[Node]:
        seen: set[Node] = set()
        waiting = [*roots, *self._always]
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
                edges |= {(star, WHOLE) for star in module.stars}
            for statement in module.definitions.get(node[1], []):
                for chain in mentioned(statement):
                    edges |= self._everything() if chain[0] in ANYTHING else self._meaning(module, chain)
            self._reached[node] = frozenset(edges)
        return self._reached[node]

    def _meaning(self, module: Module, chain: list[str]) -> set[Node]:
        """The nodes that a dotted name stands for inside a module."""
        first, *rest = chain
        found = self._resolve(module.name, first, without_modules=True)
        for inner in module.modules.get(first, ()):
            names = list(rest)
            while names and f"{inner}.{names[0]}" in self._modules:
                inner = f"{inner}.{names.pop(0)}"  # noqa: PLW2901 - the chain leads into it
            found |= (self._resolve(inner, names[0]) if names else set()) or {(inner, WHOLE)}
        return found

    def _resolve(self, module: str, name: str, *, without_modules: bool = False) -> set[Node]:
        """All that a module's name may stand for, followed through re-exports."""
        found: set[Node] = set()
        waiting, seen = [(module, name)], set[Node]()
        while waiting:
            node = waiting.pop()
            if node in seen or node[0] not in self._modules:
                continue
            seen.add(node)
            inside = self._modules[node[0]]
            if node[1] in inside.definitions:
                found.add(node)
            if not (without_modules and node == (module, name)):
                found |= {(inner, WHOLE) for inner in inside.modules.get(node[1], ())}
            waiting += inside.imported.get(node[1], ())
            waiting += [(star, node[1]) for star in inside.stars]
        return found

    def _hash_of(self, nodes: set[Node]) -> str:
        total = hashlib.sha256()
        for node in sorted(nodes):
            if node not in self._hashes:
                module = self._modules[node[0]]
                statements = module.definitions.get(node[1], [])
                text = "\n".join([module.order, *map(ast.dump, statements)])
                self._hashes[node] = hashlib.sha256(text.encode()).hexdigest()
            total.update(f"{node[0]} {node[1]} {self._hashes[node]}\n".encode())
        return total.hexdigest()

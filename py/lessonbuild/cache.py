"""What the last good build of each lesson depended on, so that an unchanged lesson is not built again.

The cache holds no output. An entry lists every input with its hash and every output with its hash; a lesson
is left alone when all inputs are as they were and all outputs lie on disk as they were written. An entry is
saved only after a build without errors, so a mistake is reported in every run until it is mended. Losing or
damaging the cache costs time and nothing else; `check` never reads it.
"""

from __future__ import annotations

import json
import platform
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from lessonbuild.artifact_store import ArtifactStore
from lessonbuild.atomic import write_atomic
from lessonbuild.core_dependencies import CoreDependencies
from lessonbuild.hashing import canonical_hash, sha256_hex
from lessonbuild.index import Entry
from lessonbuild.project import Project

FOLDER: Final = ".cache/build"
LIBRARIES: Final = ("numpy", "markdown-it-py", "mdit-py-plugins", "pyyaml", "rfc8785", "jsonschema")
TOOL_FILES: Final = (
    ("py/lessonbuild", "**/*.py"),
    ("lesson-data/schema", "*.json"),
    ("site/js/build", "*.mjs"),
    ("node_modules/katex", "package.json"),
)
"""What turns a source into files. Pages (py/lessonbuild/site) are made from the files later on."""


@dataclass(frozen=True, slots=True)
class Trace:
    """One lesson's last good build."""

    inputs: dict[str, str]
    """Address of an input → its hash; see `Inputs.fingerprint`."""
    entry: Entry
    """The lesson's entry in the index, which names the output files with their hashes."""
    unchecked: list[str]
    """What the report says about equations that nothing checks."""


class Inputs:
    """The hashes of everything that lessons are made from, as it is now; each is computed once."""

    def __init__(self, project: Project, cache: BuildCache) -> None:
        self._project = project
        self._core = _CoreFingerprints(project.root, cache)
        self._known: dict[str, str] = {}

    def common(self, lesson_id: str) -> list[str]:
        """The addresses that every lesson depends on, whatever it says."""
        return ["tool", "course", "core:", f"lesson:{lesson_id}"]

    def fingerprint(self, address: str) -> str:
        """The hash at an address.

        `tool`: the builder and its libraries. `course`: what records repeat of course.toml. `lesson:<id>`:
        a source file. `core:<used>`: a part of the core, as `CoreDependencies` names it, or of `core:`
        alone the bridge. Everything else, such as `sources/ppo`, is an entry of the project.
        """
        if address not in self._known:
            self._known[address] = self._compute(address)
        return self._known[address]

    def save(self) -> None:
        """Keep the fingerprints of the core for the next run."""
        self._core.save()

    def _compute(self, address: str) -> str:
        kind, colon, name = address.partition(":")
        course = self._project.course
        if address == "tool":
            return _tool_hash(self._project.root)
        if address == "course":
            return canonical_hash([course.base_url, course.series, course.license])
        if kind == "lesson" and colon:
            return sha256_hex(self._project.lesson_path(name).read_bytes())
        if kind == "core" and colon:
            return self._core.get(name)
        return self._project.fingerprint(address)


class BuildCache:
    """The files of `.cache/build/`: one trace per lesson, one table for the core."""

    def __init__(self, root: Path) -> None:
        self._folder = root / FOLDER

    def unchanged(self, lesson_id: str, inputs: Inputs, store: ArtifactStore) -> Trace | None:
        """The lesson's trace, when building it again would change nothing on disk."""
        value = self.load(f"lessons/{lesson_id}")
        if not isinstance(value, dict) or value.keys() != {"inputs", "entry", "unchecked"}:
            return None
        trace = Trace(**value)
        if not set(inputs.common(lesson_id)) <= trace.inputs.keys():
            return None
        if any(inputs.fingerprint(address) != known for address, known in trace.inputs.items()):
            return None
        for file in trace.entry["files"].values():
            data = store.read(file["path"])
            if data is None or sha256_hex(data) != file["sha256"]:
                return None
        return trace

    def keep(self, lesson_id: str, trace: Trace) -> None:
        """Remember a build that went well and whose files are on disk."""
        self.save(f"lessons/{lesson_id}", asdict(trace))

    def load(self, name: str) -> Any:
        """A stored value, or None when there is none or its bytes are not those that were stored."""
        try:
            digest, _, text = (self._folder / f"{name}.json").read_text("utf-8").partition("\n")
            return json.loads(text) if sha256_hex(text.encode()) == digest else None
        except (OSError, ValueError):
            return None

    def save(self, name: str, value: Any) -> None:
        """Store a JSON value below the hash of its text."""
        path = self._folder / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(value, ensure_ascii=False)
        write_atomic(path, f"{sha256_hex(text.encode())}\n{text}".encode())


class _CoreFingerprints:
    """Fingerprints of the core, kept between runs for as long as no file of the core changes."""

    def __init__(self, root: Path, cache: BuildCache) -> None:
        self._package = root / "py" / "policygrad"
        self._cache = cache
        self._state = _tree_hash(root, [("py/policygrad", "**/*.py")])
        stored = cache.load("core") or {}
        self._known: dict[str, str] = stored["known"] if stored.get("state") == self._state else {}
        self._stored = dict(self._known)
        self._dependencies: CoreDependencies | None = None

    def get(self, used: str) -> str:
        if used not in self._known:
            self._dependencies = self._dependencies or CoreDependencies.of(self._package)
            read = self._dependencies
            self._known[used] = read.fingerprint(used) if used else read.bridge_fingerprint()
        return self._known[used]

    def save(self) -> None:
        if self._known != self._stored:
            self._cache.save("core", {"state": self._state, "known": self._known})


def _tool_hash(root: Path) -> str:
    libraries = {library: version(library) for library in LIBRARIES}
    return canonical_hash([platform.python_version(), libraries, _tree_hash(root, TOOL_FILES)])


def _tree_hash(root: Path, parts: Any) -> str:
    pages = root / "py" / "lessonbuild" / "site"
    files = [path for folder, pattern in parts for path in sorted((root / folder).glob(pattern))]
    return canonical_hash(
        [
            [path.relative_to(root).as_posix(), sha256_hex(path.read_bytes())]
            for path in files
            if pages not in path.parents
        ]
    )

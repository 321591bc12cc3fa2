"""What the last good build of each lesson depended on, so that an unchanged lesson is not built again.

The cache holds no output. An entry lists every input with its hash and every output with its hash; a lesson
is left alone when all inputs are as they were and all outputs lie on disk as they were written. An entry is
saved only after a build without errors, so a mistake is reported in every run until it is mended. Losing or
damaging the cache costs time and nothing else; `check` never reads it.
"""

from __future__ import annotations

import contextlib
import json
import platform
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

from lessonbuild.artifact_store import ArtifactStore
from lessonbuild.atomic import remove_temporaries, write_atomic
from lessonbuild.core_dependencies import CoreDependencies
from lessonbuild.hashing import canonical_hash, sha256_hex
from lessonbuild.index import Entry
from lessonbuild.project import Project

FOLDER: Final = ".cache/build/lessons"
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

    def __init__(self, project: Project) -> None:
        self._project = project
        self._core = CoreDependencies.of(project.root / "py" / "policygrad")
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
            return self._core.fingerprint(name) if name else self._core.bridge_fingerprint()
        return self._project.fingerprint(address)


class BuildCache:
    """The files of `.cache/build/`, one trace per lesson."""

    def __init__(self, root: Path) -> None:
        self._folder = root / FOLDER

    def unchanged(self, lesson_id: str, inputs: Inputs, store: ArtifactStore) -> Trace | None:
        """The lesson's trace, when building it again would change nothing on disk."""
        trace = self._load(lesson_id)
        if trace is None or not set(inputs.common(lesson_id)) <= trace.inputs.keys():
            return None
        if any(inputs.fingerprint(address) != known for address, known in trace.inputs.items()):
            return None
        for file in trace.entry["files"].values():
            data = store.read(file["path"])
            if data is None or sha256_hex(data) != file["sha256"]:
                return None
        return trace

    def keep(self, lesson_id: str, trace: Trace) -> None:
        """Remember a build that went well and whose files are on disk, if there is a place to remember it."""
        text = json.dumps(asdict(trace), ensure_ascii=False).encode()
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            write_atomic(self._folder / f"{lesson_id}.json", sha256_hex(text).encode() + b"\n" + text)

    def clean(self) -> None:
        """Remove what killed runs left half written."""
        remove_temporaries(self._folder)

    def _load(self, lesson_id: str) -> Trace | None:
        """What was kept, or None when there is nothing or its bytes are not those that were kept."""
        try:
            digest, _, text = (self._folder / f"{lesson_id}.json").read_bytes().partition(b"\n")
            return Trace(**json.loads(text)) if sha256_hex(text).encode() == digest else None
        except (OSError, ValueError, TypeError):
            return None


def _tool_hash(root: Path) -> str:
    pages = root / "py" / "lessonbuild" / "site"
    found = [path for folder, pattern in TOOL_FILES for path in sorted((root / folder).glob(pattern))]
    files = {
        path.relative_to(root).as_posix(): sha256_hex(path.read_bytes())
        for path in found
        if pages not in path.parents
    }
    libraries = {library: version(library) for library in LIBRARIES}
    return canonical_hash([platform.python_version(), libraries, files])

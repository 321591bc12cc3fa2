"""From a lesson artifact to the three files that are committed for it, and to its place in the index."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lessonbuild import schemas
from lessonbuild.artifact_store import PUBLICATIONS
from lessonbuild.hashing import artifact_bytes, artifact_name, record_bytes, sha256_hex
from lessonbuild.index import Entry, build_index, index_entry
from lessonbuild.markdown_export import export_markdown
from lessonbuild.project import Course, Project
from lessonbuild.record import addresses, build_record, record_id


class OutputError(Exception):
    """A file that we would write breaks its own schema: a fault of the builder or of a schema."""


@dataclass(frozen=True, slots=True)
class LessonFiles:
    """What a lesson becomes."""

    files: dict[str, bytes]
    """Path inside lesson-data/ → bytes: artifact, Markdown export, record."""
    entry: Entry
    """The lesson's entry in the index."""


def lesson_files(artifact: dict[str, Any], project: Project) -> LessonFiles:
    """Make the files of a lesson. The artifact comes first: the others name it by its hash.

    Raises OutputError when the record breaks its schema.
    """
    data = artifact_bytes(artifact)
    name = artifact_name(artifact["id"], data)
    where = addresses(project.course, artifact["id"], name)
    content = export_markdown(artifact, where)
    record = build_record(artifact, project.course, where, content)
    _validate(project.root, "record", record)
    publication = f"{PUBLICATIONS}/{record_id(artifact['id'])}"
    parts = {
        "artifact": (name, data),
        "markdown": (f"{publication}.md", content.encode()),
        "record": (f"{publication}.json", record_bytes(record)),
    }
    files = {kind: {"path": path, "sha256": sha256_hex(part)} for kind, (path, part) in parts.items()}
    return LessonFiles(dict(parts.values()), index_entry(artifact, record, files))


def index_file(root: Path, course: Course, entries: list[Entry]) -> tuple[dict[str, Any], bytes]:
    """The index and its bytes. Raises OutputError when it breaks its schema."""
    index = build_index(course, entries)
    _validate(root, "index", index)
    return index, record_bytes(index)


def _validate(root: Path, schema: str, value: Any) -> None:
    found = [schemas.described(error) for error in schemas.violations(root, schema, value)]
    if found:
        raise OutputError(
            f"{value.get('id', 'index.json')} breaks {schema}.schema.json: " + "; ".join(found[:5])
        )

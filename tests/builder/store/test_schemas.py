"""The schemas are schemas, and each refuses what it should."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from sample_record import COURSE, sample_artifact
from store_workspace import ROOT

from lessonbuild import schemas
from lessonbuild.index import build_index
from lessonbuild.outputs import lesson_files
from lessonbuild.project import Project

FILES = sorted((ROOT / schemas.SCHEMA_FOLDER).glob("*.schema.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_schema_is_a_schema_and_says_what_it_is_for(path: Path) -> None:
    schema = json.loads(path.read_text(encoding="utf-8"))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert len(schema["title"]) > 10
    Draft202012Validator.check_schema(schema)


def test_there_is_a_schema_for_every_kind_of_file() -> None:
    names = {path.name.removesuffix(".schema.json") for path in FILES}
    assert names >= {"course", "glossary", "index", "lesson", "record", "sources", "study"}


def record_and_index() -> dict[str, dict[str, Any]]:
    """A right record and a right index."""
    made = lesson_files(sample_artifact(), Project(ROOT, COURSE, {}, {}, {}))
    record = json.loads(made.files[made.entry["files"]["record"]["path"]])
    return {"record": record, "index": build_index(COURSE, [made.entry])}


@pytest.mark.parametrize("name", ["record", "index"])
def test_no_field_may_be_missing_or_added(name: str) -> None:
    right = record_and_index()[name]
    assert list(schemas.violations(ROOT, name, right)) == []
    for field in right:
        rest = {key: value for key, value in right.items() if key != field}
        (found,) = schemas.violations(ROOT, name, rest)
        assert schemas.described(found) == f"the whole document: '{field}' is a required property"
    assert len(list(schemas.violations(ROOT, name, right | {"more": 1}))) == 1


@pytest.mark.parametrize(
    ("name", "field", "wrong"),
    [
        ("record", "id", "lesson-sample"),
        ("record", "publishedDate", "1 December 2026"),
        ("record", "revisionDate", None),
        ("record", "version", "1.0"),
        ("record", "contentHash", "0" * 63),
        ("record", "recordHash", "G" * 64),
        ("record", "contentLength", -1),
        ("record", "artifactUrl", "https://example.org/sample.json"),
        ("record", "canonicalUrl", "lessons/sample.html"),
        ("record", "sections", []),
        ("record", "contentFormat", "text/plain"),
        ("record", "content", ""),
        ("index", "lessons", [{}]),
        ("index", "indexHash", ""),
        ("index", "baseUrl", "/"),
    ],
)
def test_a_wrong_value_is_refused(name: str, field: str, wrong: object) -> None:
    found = list(schemas.violations(ROOT, name, record_and_index()[name] | {field: wrong}))
    assert found
    assert all(str(error.absolute_path[0]) == field for error in found)

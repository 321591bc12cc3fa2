"""The JSON Schemas of lesson-data/schema/, each compiled at most once per run and when first needed."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

SCHEMA_FOLDER = "lesson-data/schema"


@functools.cache
def validator(root: Path, name: str) -> Draft202012Validator:
    """The validator of `lesson-data/schema/<name>.schema.json`."""
    schema = json.loads((root / SCHEMA_FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    return Draft202012Validator(schema)  # that the schema itself is one is tested, not asked in every run


def violations(root: Path, name: str, value: Any) -> Iterator[ValidationError]:
    """Every place where `value` breaks the schema `name`, in the order of the document."""
    found = validator(root, name).iter_errors(value)
    yield from sorted(found, key=lambda error: [str(step) for step in error.absolute_path])


def described(error: ValidationError) -> str:
    """One violation as text: where in the document, and what is wrong there."""
    where = "/".join(str(step) for step in error.absolute_path) or "the whole document"
    return f"{where}: {error.message[:300]}"

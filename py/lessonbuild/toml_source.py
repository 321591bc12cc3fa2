"""Reading the TOML files of lesson-data/, with mistakes reported at their line and in an author's words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from jsonschema.exceptions import ValidationError

from lessonbuild import schemas
from lessonbuild.errors import AuthorError, did_you_mean

RULES: Final[dict[str, str]] = {
    "toml-syntax": "The files course.toml, sources.toml and glossary.toml are there and are TOML in UTF-8.",
    "toml-schema": "They have the keys and the values that their schemas describe.",
}
_AT_LINE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$")


def read_toml(root: Path, file: str, schema: str) -> tuple[dict[str, Any], list[AuthorError]]:
    """The content of `file` (relative to `root`) and everything that is wrong with it.

    With errors the content is empty, so that one bad file does not set off errors in every lesson.
    """
    path = root / file
    if not path.is_file():
        return {}, [
            AuthorError(file, 1, "the file is missing; restore it from version control", "toml-syntax")
        ]
    try:
        text = path.read_text(encoding="utf-8-sig")
        data = tomllib.loads(text)
    except UnicodeDecodeError as error:
        return {}, [AuthorError(file, 1, f"the file is not UTF-8 text (byte {error.start})", "toml-syntax")]
    except tomllib.TOMLDecodeError as error:
        line, message = _syntax_error(str(error), text)
        return {}, [AuthorError(file, line, message, "toml-syntax")]
    errors = [_author_error(file, text, found) for found in schemas.violations(root, schema, data)]
    return ({}, errors) if errors else (data, [])


def line_of(text: str, path: Sequence[str | int]) -> int:
    """The line (from 1) on which a value stands; of a missing one, the line of the table it belongs to.

    A search through the lines is enough for files that hold tables and plain keys; it never decides what a
    file means, only where an error message points.
    """
    keys = [step for step in path if isinstance(step, str)]
    table: list[str] = []
    best = 1
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.fullmatch(r"\s*\[([^\[\]]+)\]\s*(?:#.*)?", line):
            table = [part.strip().strip("\"'") for part in header.group(1).split(".")]
            if table and table == keys[: len(table)]:
                best = number
        elif (key := re.match(r"\s*([A-Za-z0-9_\-]+|\"[^\"]+\"|'[^']+')\s*=", line)) and [
            *table,
            key.group(1).strip("\"'"),
        ] == keys[: len(table) + 1]:
            return number
    return best


def _syntax_error(message: str, text: str) -> tuple[int, str]:
    place = _AT_LINE.search(message)
    plain = _AT_LINE.sub("", message)
    lines = max(1, len(text.splitlines()))
    return (int(place.group(1)) if place and place.group(1) else lines), f"not valid TOML: {plain}"


def _author_error(file: str, text: str, found: ValidationError) -> AuthorError:
    path: list[str | int] = list(found.absolute_path)
    schema: Any = found.schema
    given: Any = found.instance
    name = ".".join(str(step) for step in path)
    inside = f' in "{name}"' if name else ""
    match found.validator:
        case "required":
            missing = [key for key in schema["required"] if key not in given]
            message = f"{_quoted(missing)} {'is' if len(missing) == 1 else 'are'} missing{inside}"
        case "additionalProperties" if schema["additionalProperties"] is False:
            extra = [key for key in given if key not in schema["properties"]]
            message = f"unknown key {_quoted(extra)}{inside}{did_you_mean(extra[0], schema['properties'])}"
            path.append(extra[0])
        case _:
            expected = schema.get("description")
            message = f'"{name}": {found.message}' + (f"; expected {expected}" if expected else "")
    return AuthorError(file, line_of(text, path), message, "toml-schema")


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)

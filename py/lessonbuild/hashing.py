"""The bytes and names that everything else is checked against.

One place decides how JSON becomes bytes and how bytes become a name, so that a file written on one machine
has the same name on every other.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import rfc8785

NAME_DIGITS = 16
LESSON_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
ARTIFACT_NAME = re.compile(rf"^(?P<id>{LESSON_ID.pattern})-[0-9a-f]{{{NAME_DIGITS}}}\.json$")


def sha256_hex(data: bytes) -> str:
    """SHA-256 of the bytes, 64 lower-case hexadecimal digits, as `sha256sum` prints it."""
    return hashlib.sha256(data).hexdigest()


def canonical_hash(value: Any) -> str:
    """SHA-256 of the RFC 8785 form: the same for the same JSON value, however it was indented or ordered."""
    return sha256_hex(rfc8785.dumps(value))


def json_bytes(value: Any, *, indent: int | None) -> bytes:
    """UTF-8 JSON that a person can read and `git diff` can compare; ends in a newline.

    Raises ValueError for NaN and infinity: in our files those are strings.
    """
    return (json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False) + "\n").encode()


def artifact_bytes(artifact: dict[str, Any]) -> bytes:
    """A lesson artifact as it lies on disk. One space of indent keeps the many small numbers affordable."""
    return json_bytes(artifact, indent=1)


def record_bytes(record: dict[str, Any]) -> bytes:
    """A record, or the index, as it lies on disk."""
    return json_bytes(record, indent=2)


def artifact_name(lesson_id: str, data: bytes) -> str:
    """File name of an artifact: its lesson's id and the first sixteen digits of the hash of its bytes."""
    return f"{lesson_id}-{sha256_hex(data)[:NAME_DIGITS]}.json"

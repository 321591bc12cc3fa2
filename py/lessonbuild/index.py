"""index.json: the lessons of the folder in reading order, with the hash of every file that belongs to them.

It is written last and names everything, so it is the one file that a host, a page or a tool has to know.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lessonbuild.hashing import canonical_hash
from lessonbuild.project import Course

Entry = dict[str, Any]


def index_entry(artifact: dict[str, Any], record: dict[str, Any], files: dict[str, dict[str, str]]) -> Entry:
    """What the index says about one lesson. `files`: artifact, record and markdown → path and SHA-256."""
    return {
        "id": artifact["id"],
        "title": artifact["title"],
        "description": artifact["description"],
        "objective": artifact["objective"],
        "topic": artifact["topic"],
        "version": artifact["version"],
        "status": artifact["status"],
        "publishedDate": artifact["published"],
        "revisionDate": artifact["revised"],
        "canonicalUrl": record["canonicalUrl"],
        "recordHash": record["recordHash"],
        "contentHash": record["contentHash"],
        "files": files,
        "foundations": artifact["foundations"],
        "related": artifact["related"],
    }


def build_index(course: Course, entries: Iterable[Entry]) -> dict[str, Any]:
    """The index of the given entries, which stand in reading order; each gets its topic in words."""
    index = {
        "schemaVersion": 1,
        "title": course.title,
        "description": course.description,
        "baseUrl": course.base_url,
        "lessons": [_with_topic(course, entry) for entry in entries],
    }
    return {**index, "indexHash": canonical_hash(index)}


def _with_topic(course: Course, entry: Entry) -> Entry:
    named: Entry = {}
    for key, value in entry.items():
        named[key] = value
        if key == "topic":
            named["topicTitle"] = course.topics[value]
    return named

"""The publication record of a lesson: what it is, where it is, and hashes by which anybody can check it.

The fields and their order are fixed, because tools of others read them. `content` is the Markdown export,
byte for byte the `.md` file beside the record; sections and citations are found in it, not in our own
structures, so they are true for whoever has only the text.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from lessonbuild.artifact_store import PUBLICATIONS
from lessonbuild.hashing import canonical_hash, sha256_hex
from lessonbuild.markdown_export import Addresses
from lessonbuild.project import DATA, Course

CATEGORY: Final = "learning"
FORMAT: Final = "Atlas lesson"


def record_id(lesson_id: str) -> str:
    """The record's id, which names its files too."""
    return f"atlas-lesson-{lesson_id}"


def addresses(course: Course, lesson_id: str, artifact_name: str) -> Addresses:
    """Where the published copy of a lesson is, below the course's base URL."""
    base = course.base_url
    return Addresses(
        page=f"{base}lessons/{lesson_id}.html",
        interactive=f"{base}index.html#{lesson_id}",
        artifact=f"{base}{DATA}/{artifact_name}",
        licences=f"{base}licences.html",
        lessons=f"{base}lessons/",
    )


def build_record(artifact: dict[str, Any], course: Course, where: Addresses, content: str) -> dict[str, Any]:
    """The record of a lesson, with every field in its order."""
    own_id = record_id(artifact["id"])
    publication = f"{course.base_url}{DATA}/{PUBLICATIONS}/{own_id}"
    tokens = _PARSER.parse(content)
    record = {
        "schemaVersion": 1,
        "id": own_id,
        "title": artifact["title"],
        "category": CATEGORY,
        "format": FORMAT,
        "description": artifact["description"],
        "canonicalUrl": where.page,
        "publishedDate": artifact["published"],
        "revisionDate": artifact["revised"],
        "author": artifact["author"],
        "topic": artifact["topic"],
        "series": course.series,
        "license": course.license,
        "rightsUrl": where.licences,
        "version": artifact["version"],
        "status": artifact["status"],
        "evidenceScope": artifact["evidenceScope"],
        "contentCoverage": "published-lesson",
        "artifactUrl": where.artifact,
        "interactiveUrl": where.interactive,
        "related": [record_id(lesson["id"]) for lesson in artifact["related"] if lesson["here"]],
        "supersedes": [],
        "supersededBy": [],
        "contentHash": sha256_hex(content.encode()),
        "contentLength": len(content),
        "jsonUrl": f"{publication}.json",
        "markdownUrl": f"{publication}.md",
        "sections": list(_sections(tokens, content)),
        "citations": list(_citations(tokens)),
    }
    # The hash stands before `content` and covers it.
    rest = {"contentFormat": "text/markdown", "content": content}
    return {**record, "recordHash": canonical_hash({**record, **rest}), **rest}


def _sections(tokens: Sequence[Token], content: str) -> Iterator[dict[str, Any]]:
    """Each heading with the code points from it to the next one; what stands before the first is in none."""
    line_starts = [0]
    for line in content.split("\n"):
        line_starts.append(line_starts[-1] + len(line) + 1)
    found = [
        (line_starts[opening.map[0]], _plain(heading.children or []))
        for opening, heading in itertools.pairwise(tokens)
        if opening.type == "heading_open" and opening.map
    ]
    ends = [*(start for start, _ in found[1:]), len(content)]
    for number, ((start, title), end) in enumerate(zip(found, ends, strict=True), 1):
        yield {"id": f"section-{number}", "title": title, "start": start, "end": end}


def _citations(tokens: Sequence[Token]) -> Iterator[dict[str, str]]:
    """The distinct links in order of appearance, each with the text that it had first."""
    seen: set[str] = set()
    for token in tokens:
        children = token.children or []
        for position, child in enumerate(children):
            url = str(child.attrs.get("href", ""))
            if child.type == "link_open" and url not in seen:
                seen.add(url)
                end = next(n for n in range(position, len(children)) if children[n].type == "link_close")
                yield {"title": _plain(children[position + 1 : end]), "url": url}


def _plain(tokens: Sequence[Token]) -> str:
    """The text of inline tokens without markup; a formula is its TeX."""
    return "".join(
        " " if token.type in {"softbreak", "hardbreak"} else token.content for token in tokens
    ).strip()


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    return parser.use(dollarmath_plugin, allow_space=True, allow_digits=True)


_PARSER: Final = _parser()

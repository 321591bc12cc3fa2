"""A record can be checked by anybody: every hash, offset and link is found again here in another way."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sample_record import COURSE, paragraph, sample_artifact, text
from store_workspace import ROOT

from lessonbuild import schemas
from lessonbuild.index import build_index
from lessonbuild.outputs import LessonFiles, OutputError, index_file, lesson_files
from lessonbuild.project import Project, load_project
from lessonbuild.rendering import LessonRenderer

FIELDS = """
schemaVersion id title category format description canonicalUrl publishedDate revisionDate author topic
series license rightsUrl version status evidenceScope contentCoverage artifactUrl interactiveUrl related
supersedes supersededBy contentHash contentLength jsonUrl markdownUrl sections citations recordHash
contentFormat content
"""
LESSON = "policy-gradient-kl-control"


def project_of(*lessons: str) -> Project:
    """A project with our schemas and made-up lessons."""
    return Project(ROOT, COURSE, {}, {}, dict.fromkeys(lessons, "A title"))


@pytest.fixture(scope="module")
def lesson() -> LessonFiles:
    """Our own lesson, built from its source."""
    with LessonRenderer(load_project(ROOT)) as renderer:
        made = renderer.render(LESSON)
    assert made.errors == []
    return LessonFiles(made.files, made.entry)


@pytest.fixture(scope="module", params=["our lesson", "sample"])
def files(request: pytest.FixtureRequest, lesson: LessonFiles) -> LessonFiles:
    """The files of a real lesson, and of one with every kind of content."""
    return lesson if request.param == "our lesson" else lesson_files(sample_artifact(), project_of())


def record_of(files: LessonFiles) -> dict[str, Any]:
    """The record among a lesson's files."""
    record: dict[str, Any] = json.loads(files.files[files.entry["files"]["record"]["path"]])
    return record


def headings(content: str) -> Iterator[tuple[int, str]]:
    """Offsets and texts of the ATX headings outside fenced code, found line by line."""
    offset, fence = 0, ""
    for line in content.splitlines(keepends=True):
        mark = re.match(r" {0,3}(`{3,})", line)
        if mark and not fence:
            fence = mark[1]
        elif mark and len(mark[1]) >= len(fence) and line.strip() == mark[1]:
            fence = ""
        elif not fence and re.match(r"#{1,6} ", line):
            yield offset, line.lstrip("#").strip()
        offset += len(line)


def test_all_fields_stand_in_their_order(files: LessonFiles) -> None:
    assert list(record_of(files)) == FIELDS.split()


def test_record_and_index_follow_their_schemas(files: LessonFiles) -> None:
    assert list(schemas.violations(ROOT, "record", record_of(files))) == []
    assert list(schemas.violations(ROOT, "index", build_index(COURSE, [files.entry]))) == []


def test_content_is_the_markdown_file_and_its_hash_and_length_are_right(files: LessonFiles) -> None:
    record = record_of(files)
    data = files.files[files.entry["files"]["markdown"]["path"]]
    assert record["content"] == data.decode("utf-8")
    assert record["contentHash"] == hashlib.sha256(data).hexdigest() == files.entry["contentHash"]
    assert record["contentLength"] == len(data.decode("utf-8"))
    assert len(data) > record["contentLength"], "code points are not bytes"


def test_record_hash_covers_everything_else(files: LessonFiles) -> None:
    record = record_of(files)
    found = record.pop("recordHash")
    # For strings, integers and null, and keys in ASCII, this is the RFC 8785 form.
    canonical = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert found == hashlib.sha256(canonical.encode()).hexdigest() == files.entry["recordHash"]


def test_artifact_is_named_by_its_bytes(files: LessonFiles) -> None:
    path = files.entry["files"]["artifact"]["path"]
    digest = hashlib.sha256(files.files[path]).hexdigest()
    assert path == f"{files.entry['id']}-{digest[:16]}.json"
    assert record_of(files)["artifactUrl"].endswith(f"/lesson-data/{path}")


def test_the_artifact_never_names_itself_or_holds_the_content(files: LessonFiles) -> None:
    path = files.entry["files"]["artifact"]["path"]
    artifact = json.loads(files.files[path])
    assert path.encode() not in files.files[path]
    assert {"content", "artifactUrl", "contentHash", "recordHash"}.isdisjoint(artifact)


def test_sections_cover_the_content_from_its_first_heading_on(files: LessonFiles) -> None:
    record = record_of(files)
    content, sections = record["content"], record["sections"]
    assert [section["id"] for section in sections] == [f"section-{n + 1}" for n in range(len(sections))]
    assert (
        "".join(content[section["start"] : section["end"]] for section in sections)
        == (content[sections[0]["start"] :])
    )
    assert [section["start"] for section in sections] == [start for start, _ in headings(content)]
    assert sections[-1]["end"] == record["contentLength"]
    before = content[: sections[0]["start"]].strip()
    assert before == f"{record['topic']} · v{record['version']}"


def test_section_titles_are_the_headings_without_markup(files: LessonFiles) -> None:
    record = record_of(files)
    plain = [re.sub(r"\\([#_*])|\$", r"\1", title) for _, title in headings(record["content"])]
    assert [section["title"] for section in record["sections"]] == plain


def test_citations_are_the_distinct_links_in_order(files: LessonFiles) -> None:
    record = record_of(files)
    links = re.findall(r"(?<!\\)\[([^\]]+)\]\(([^)\s]+)\)", record["content"])
    first = {url: title for title, url in reversed(links)}
    order = list(dict.fromkeys(url for _, url in links))
    assert record["citations"] == [{"title": first[url], "url": url} for url in order]
    assert record["artifactUrl"] in order
    assert record["interactiveUrl"] in order


def test_addresses_are_made_from_the_base_url_only() -> None:
    record = record_of(lesson_files(sample_artifact(), project_of()))
    base = COURSE.base_url
    assert record["canonicalUrl"] == f"{base}lessons/sample.html"
    assert record["interactiveUrl"] == f"{base}index.html#sample"
    assert record["rightsUrl"] == f"{base}licences.html"
    assert record["jsonUrl"] == f"{base}lesson-data/publications/atlas-lesson-sample.json"
    assert record["markdownUrl"] == f"{base}lesson-data/publications/atlas-lesson-sample.md"


def test_related_records_are_those_of_this_folder() -> None:
    assert record_of(lesson_files(sample_artifact(), project_of()))["related"] == ["atlas-lesson-other"]


def test_a_number_sign_in_code_or_mathematics_begins_no_section() -> None:
    artifact = sample_artifact()
    artifact["sections"] = artifact["sections"][:1]
    artifact["sections"][0]["blocks"] = [
        {"type": "code", "lang": "", "text": "# comment\n## another"},
        paragraph(text("# typed")),
        {"type": "list", "ordered": False, "items": [[paragraph(text("## in a list"))]]},
        {"type": "equation", "equation": "g", "tex": "a\n# b\n="},
    ]
    record = record_of(lesson_files(artifact, project_of()))
    assert [section["title"] for section in record["sections"]] == ["A sample & more"]


def test_lengths_and_offsets_count_code_points() -> None:
    artifact = sample_artifact()
    artifact["description"] = "𝔼 is one code point and four bytes."
    record = record_of(lesson_files(artifact, project_of()))
    end = record["sections"][0]["end"]
    assert record["content"][end:].startswith("## Blocks")


def test_a_record_that_breaks_its_schema_is_not_written() -> None:
    artifact = sample_artifact() | {"revised": "yesterday"}
    with pytest.raises(OutputError, match=r"breaks record\.schema\.json: revisionDate: 'yesterday'"):
        lesson_files(artifact, project_of())


def test_the_index_has_a_hash_of_its_own(files: LessonFiles, tmp_path: Path) -> None:
    index, data = index_file(ROOT, COURSE, [files.entry])
    assert json.loads(data) == index
    found = index.pop("indexHash")
    canonical = json.dumps(index, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert found == hashlib.sha256(canonical.encode()).hexdigest()
    for kind, file in files.entry["files"].items():
        assert hashlib.sha256(files.files[file["path"]]).hexdigest() == file["sha256"], kind


def test_our_lesson_has_the_headings_of_the_reference(lesson: LessonFiles) -> None:
    titles = [section["title"] for section in record_of(lesson)["sections"]]
    assert titles[0] == "Rollouts, advantages and PPO constraints"
    assert len(titles) == 15
    for part in ("mechanism", "assumptions", "relation", "example", "Interfaces", "scope", "Foundations"):
        assert any(part in title for title in titles), part

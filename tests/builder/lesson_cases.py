"""Compiling small lessons in tests: a project without files, a typesetter without Node, and files of cases.

A case file holds triples: a title, Markdown, and what is expected, each ended by a line with a single dot.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lessonbuild.errors import AuthorError, MathError
from lessonbuild.project import Course, Project
from lessonbuild.source.compile import CompileResult, compile_lesson

ROOT = Path(__file__).resolve().parents[2]

HEAD = """\
---
id: sample
title: A lesson
description: A lesson made for a test.
objective: Know that the test passes.
topic: testing
version: 1.0.0
status: Draft
published: null
revised: 2026-10-07
author: null
evidence_scope: Nothing is claimed.
sources: [ppo]
foundations: [output-head]
related: []
---
"""
TITLE = "# A lesson\n\n"


@dataclass(frozen=True)
class Case:
    """One triple of a case file."""

    file: str
    title: str
    source: str
    expected: str

    def __str__(self) -> str:
        return f"{self.file}: {self.title}"


def read_cases(folder: Path) -> list[Case]:
    """All triples of the files of a folder, in order."""
    return [case for path in sorted(folder.glob("*.txt")) for case in _read(path)]


def _read(path: Path) -> Iterator[Case]:
    parts = re.split(r"^\.\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert len(parts) % 3 == 1, f"{path.name} is not made of triples"
    for title, source, expected in zip(parts[0::3], parts[1::3], parts[2::3], strict=False):
        yield Case(path.name, title.strip(), source, expected)


class StrictTypesetter:
    """Refuses what KaTeX would refuse in tests: unknown commands that end in `x`, and unbalanced braces."""

    def render(self, tex: str, display: bool) -> str:
        if found := re.search(r"\\[a-z]+x(?![a-z])", tex):
            raise MathError(f"Undefined control sequence: {found.group()} at position {found.start() + 1}")
        if tex.count("{") != tex.count("}"):
            raise MathError("Expected '}', got 'EOF' at end of input")
        return f"<math>{tex}</math>" if display else tex


def sample_project() -> Project:
    """A project with two sources, one other lesson here and one elsewhere; its root is the repository's."""
    source = {"authors": "A", "year": 2017, "url": "https://example.org/", "kind": "paper", "scope": "s"}
    elsewhere = {"output-head": "Output head and decoding"}
    course = Course("T", "D", "https://example.org/", ("sample",), elsewhere, {"testing": "Tests"})
    sources = {"ppo": {"title": "PPO", **source}, "trpo": {"title": "TRPO", **source}}
    return Project(ROOT, course, sources, {}, {"sample": "A lesson", "second": "A second lesson"})


def completed(source: str) -> tuple[str, int]:
    """Put front matter and a title before a source that lacks them; return how many lines that is."""
    if source.startswith("---"):
        return source, 0
    before = HEAD if source.startswith("# ") else HEAD + TITLE
    return before + source, before.count("\n")


def compile_bytes(folder: Path, data: bytes) -> CompileResult:
    """Compile the bytes as the lesson `sample` below a folder."""
    path = folder / "sample" / "lesson.md"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    return compile_lesson(path, sample_project(), StrictTypesetter())


def compile_text(folder: Path, source: str) -> CompileResult:
    """Compile a lesson, or only its body or a part of one."""
    return compile_bytes(folder, completed(source)[0].encode())


def errors_of(folder: Path, case: Case) -> list[str]:
    """What is wrong with a case, as `line: message [rule]`, counting the lines of the case as given.

    A title that ends in `(escaped)` says that the source holds Python's escapes (a raw byte xy is `\\udcxy`),
    one that ends in `(whole)` that nothing is put before the source.
    """
    source = case.source
    if case.title.endswith("(escaped)"):
        source = source.encode("latin-1").decode("unicode_escape")
    text, offset = (source, 0) if case.title.endswith("(whole)") else completed(source)
    result = compile_bytes(folder, text.encode(errors="surrogateescape"))

    def moved(match: re.Match[str]) -> str:
        return f"line {int(match[1]) - offset}"

    return [
        f"{error.line - offset}: {re.sub(r'line ([0-9]+)', moved, error.message)} [{error.rule}]"
        for error in result.errors
    ]


def artifact_of(folder: Path, source: str) -> dict[str, Any]:
    """The artifact of a source without mistakes."""
    result = compile_text(folder, source)
    assert not result.errors, "\n".join(map(str, result.errors))
    assert result.artifact is not None
    return result.artifact


def rules_of(errors: list[AuthorError]) -> set[str]:
    """The rules that some errors break."""
    return {error.rule for error in errors}

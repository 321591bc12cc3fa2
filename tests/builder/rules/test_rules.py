"""Every rule of the source boundary is claimed by a case that breaks it, and reported in full at its line."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from lesson_cases import Case, compile_bytes, completed, errors_of, read_cases, rules_of

from lessonbuild import widgets
from lessonbuild.errors import RULES
from lessonbuild.source.text import LARGEST_FILE

CASES = read_cases(Path(__file__).parent / "cases")
CLAIMED: set[str] = set()
"""Rules that a test below breaks instead of a case."""


def claims(rule: str) -> Callable[[Callable[[Path], None]], Callable[[Path], None]]:
    """Mark a test as the failing example of a rule."""

    def mark(test: Callable[[Path], None]) -> Callable[[Path], None]:
        CLAIMED.add(rule)
        return test

    return mark


@pytest.mark.parametrize("case", CASES, ids=str)
def test_reports_every_mistake_at_its_line(case: Case, tmp_path: Path) -> None:
    assert errors_of(tmp_path, case) == case.expected.splitlines()
    assert f"[{case.file.removesuffix('.txt')}]" in case.expected


@claims("file-read")
def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    result = compile_bytes(tmp_path, b"x" * (LARGEST_FILE + 1))
    assert [str(error) for error in result.errors] == [
        f"{tmp_path}/sample/lesson.md:1: error: the file has 524289 bytes; the limit is 524288 [file-read]"
    ]


@claims("artifact-schema")
def test_what_is_built_follows_the_schema(tmp_path: Path) -> None:
    known = widgets.core.view_spec("kl")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(widgets.core, "view_spec", lambda view: {**known, "colour": "red"})
        source = ":::{widget} kl\n:caption: Words.\n:try: Drag.\n:::\n"
        result = compile_bytes(tmp_path, completed(source)[0].encode())
    assert result.artifact is None
    assert rules_of(result.errors) == {"artifact-schema"}
    assert "widgets/0/spec" in result.errors[0].message
    assert "'colour' was unexpected" in result.errors[0].message


def test_every_rule_is_claimed_and_has_a_plain_sentence() -> None:
    claimed = CLAIMED | {
        rule for case in CASES for rule in re.findall(r"\[([a-z-]+)\]$", case.expected, re.M)
    }
    assert sorted(set(RULES) - claimed) == []
    assert sorted({case.file.removesuffix(".txt") for case in CASES} - set(RULES)) == []
    assert [doc for doc in RULES.values() if not doc.endswith(".")] == []

"""`build.py check` and studies: name, hash and schema, and never a run."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from conftest import short

from lessonbuild.hashing import sha256_hex
from lessonbuild.study.backends import StudyError
from lessonbuild.study.execute import Plan, execute
from lessonbuild.study.verify import study_problems


@pytest.fixture
def study(root: Path) -> Path:
    return execute(root, Plan(short("group-estimators"), "smoke", 2), lambda _finished, _of: None).path


def named_by_its_bytes(path: Path, data: bytes, label: str = "group-estimators-smoke") -> Path:
    path.unlink()
    other = path.with_name(f"{label}-{sha256_hex(data)[:16]}.json")
    other.write_bytes(data)
    return other


def problem(root: Path) -> str:
    (said,) = study_problems(root, root / "lesson-data/studies")
    return said


def test_an_altered_byte_is_found(root: Path, study: Path) -> None:
    study.write_bytes(study.read_bytes().replace(b"0", b"1", 1))
    assert problem(root) == f"lesson-data/studies/{study.name}: altered, its name holds another hash"


def test_a_file_that_breaks_the_schema_is_found(root: Path, study: Path) -> None:
    document = json.loads(study.read_bytes())
    document["statistics"][0]["median"] = "high"
    other = named_by_its_bytes(study, json.dumps(document).encode())
    assert problem(root) == (
        f"lesson-data/studies/{other.name}: breaks study.schema.json; "
        "statistics/0/median: 'high' is not of type 'number'"
    )


def test_a_file_under_the_name_of_another_study_is_found(root: Path, study: Path) -> None:
    other = named_by_its_bytes(study, study.read_bytes(), "cartpole-smoke")
    assert problem(root) == f"lesson-data/studies/{other.name}: misnamed, it holds group-estimators smoke"


def test_what_is_not_json_is_found(root: Path, study: Path) -> None:
    other = named_by_its_bytes(study, b"{")
    assert problem(root) == f"lesson-data/studies/{other.name}: not JSON; delete it and run the study again"


@pytest.mark.parametrize("name", ["notes.txt", "cartpole.json", "inner/cartpole-smoke-0123456789abcdef.json"])
def test_a_stray_file_is_found(root: Path, name: str) -> None:
    path = root / "lesson-data/studies" / name
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    assert problem(root) == f"lesson-data/studies/{name}: stray, no study has this name; delete or move it"


def test_no_studies_are_no_problem(root: Path) -> None:
    assert list(study_problems(root, root / "lesson-data/studies")) == []


def test_without_the_extra_the_way_to_it_is_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    plan = Plan(short("group-estimators"), "smoke", 1, scheduler="tcp://127.0.0.1:1")
    with pytest.raises(StudyError, match=r"pip install -r requirements/cluster\.txt` installs it"):
        execute(root, plan, lambda _finished, _of: None)

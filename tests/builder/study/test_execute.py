"""A study runs each seed once, keeps it, and writes the same bytes however often it was stopped."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import short

from lessonbuild.hashing import sha256_hex
from lessonbuild.study import execute as module
from lessonbuild.study.execute import Plan, execute
from lessonbuild.study.registry import STUDIES
from lessonbuild.study.verify import study_problems


def silent(_finished: int, _of: int) -> None:
    """Progress that nobody watches."""


@pytest.mark.parametrize("name", list(STUDIES))
def test_every_study_writes_a_file_that_check_accepts(root: Path, name: str) -> None:
    outcome = execute(root, Plan(short(name), "smoke", 3), silent)
    assert outcome.path.name == f"{name}-smoke-{sha256_hex(outcome.path.read_bytes())[:16]}.json"
    assert outcome.document["seeds"] == [run["seed"] for run in outcome.document["runs"]] == [0, 1, 2]
    assert list(study_problems(root, outcome.path.parent)) == []
    for run in outcome.document["runs"]:
        assert set(run["measures"]) == {found["measure"] for found in outcome.document["statistics"]}


def test_a_stopped_study_goes_on_and_gives_the_same_bytes(root: Path, tmp_path: Path) -> None:
    whole = execute(root, Plan(short("cartpole"), "smoke", 4), silent)
    expected = whole.path.read_bytes()
    for path in (root / ".cache/studies").rglob("seed-*.json"):
        path.unlink()
    whole.path.unlink()

    def stop_after_two(finished: int, _of: int) -> None:
        if finished == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        execute(root, Plan(short("cartpole"), "smoke", 4), stop_after_two)
    assert not whole.path.exists()
    kept = {path: path.stat().st_mtime_ns for path in (root / ".cache/studies").rglob("seed-*.json")}
    assert len(kept) == 2
    seen: list[int] = []
    again = execute(root, Plan(short("cartpole"), "smoke", 4), lambda finished, _: seen.append(finished))
    assert again.reused == 2
    assert seen == [2, 3, 4]
    assert again.path == whole.path
    assert again.path.read_bytes() == expected
    assert all(path.stat().st_mtime_ns == time for path, time in kept.items()), "not run again"


def test_two_processes_give_the_bytes_of_one(root: Path) -> None:
    one = execute(root, Plan(short("sequence"), "smoke", 2), silent)
    for path in (root / ".cache/studies").rglob("seed-*.json"):
        path.unlink()
    data = one.path.read_bytes()
    # The workers know studies by name only, so the settings are passed to them.
    two = execute(root, Plan(short("sequence"), "smoke", 2, jobs=2), silent)
    assert two.reused == 0
    assert two.path.read_bytes() == data


def test_finished_seeds_are_not_run_and_more_are_added(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    execute(root, Plan(short("group-estimators"), "smoke", 2), silent)
    assert execute(root, Plan(short("group-estimators"), "smoke", 3), silent).reused == 2
    monkeypatch.setattr(module, "results", None)  # whoever runs a seed now fails
    assert execute(root, Plan(short("group-estimators"), "smoke", 3), silent).reused == 3


def test_a_damaged_seed_is_run_again(root: Path) -> None:
    first = execute(root, Plan(short("group-estimators"), "smoke", 2), silent)
    (damaged,) = (root / ".cache/studies").rglob("seed-1.json")
    damaged.write_text("{")
    second = execute(root, Plan(short("group-estimators"), "smoke", 2), silent)
    assert second.reused == 1
    assert second.path == first.path


def test_other_versions_or_settings_use_nothing_of_before(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan(short("group-estimators"), "smoke", 1)
    execute(root, plan, silent)
    real = module.versions
    monkeypatch.setattr(module, "versions", lambda study: {**real(study), "numpy": "9.9.9"})
    assert execute(root, plan, silent).reused == 0

"""A study on a Dask cluster of two worker processes beside the same study here: the same bytes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lessonbuild.study import backends
from lessonbuild.study.backends import StudyError
from lessonbuild.study.execute import Plan, execute
from lessonbuild.study.registry import STUDIES

ROOT = Path(__file__).parents[2]
SEEDS = 4


def silent(_finished: int, _of: int) -> None:
    """Progress that nobody watches."""


def begin(*words: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "py")}
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + words[0], *words[1:], "--no-dashboard"],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def wait_for(process: subprocess.Popen[str], pattern: str) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(pattern, line):
            return found[1]
    raise AssertionError(f"{process.args} ended without saying {pattern}")


@pytest.fixture
def scheduler() -> Iterator[str]:
    process = begin("dask_scheduler", "--host", "127.0.0.1", "--port", "0")
    try:
        yield wait_for(process, r"Scheduler at:\s+(tcp://\S+)")
    finally:
        process.terminate()
        process.communicate(timeout=30)


@pytest.fixture
def cluster(scheduler: str) -> Iterator[str]:
    words = ("--nthreads", "1", "--host", "127.0.0.1", "--no-nanny")
    workers = [begin("dask_worker", scheduler, *words) for _ in range(2)]
    try:
        for worker in workers:
            wait_for(worker, r"(Registered) to:")
        yield scheduler
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.communicate(timeout=30)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "lesson-data/schema", tmp_path / "lesson-data/schema")
    return tmp_path


@pytest.mark.parametrize("name", ["cartpole", "group-estimators"])
def test_a_cluster_gives_the_bytes_of_this_machine(root: Path, cluster: str, name: str) -> None:
    there = execute(root, Plan(STUDIES[name], "smoke", SEEDS, scheduler=cluster), silent)
    data = there.path.read_bytes()
    shutil.rmtree(root / ".cache")
    here = execute(root, Plan(STUDIES[name], "smoke", SEEDS), silent)
    assert here.reused == there.reused == 0
    assert here.path.read_bytes() == data


def test_both_workers_take_part(cluster: str) -> None:
    from distributed import Client  # noqa: PLC0415 - only once a cluster is there

    with Client(cluster, set_as_default=False) as client:
        assert len(client.run(backends.worker_versions, "cartpole")) == 2


def test_a_scheduler_without_workers_is_refused(root: Path, scheduler: str) -> None:
    with pytest.raises(StudyError, match="the scheduler has no workers"):
        execute(root, Plan(STUDIES["cartpole"], "smoke", 1, scheduler=scheduler), silent)


def test_a_worker_that_would_compute_something_else_is_refused(
    root: Path, cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = backends.versions
    monkeypatch.setattr(backends, "versions", lambda study: {**real(study), "numpy": "0.0.1"})
    with pytest.raises(StudyError, match=r"would compute with numpy .* \(here 0.0.1\)"):
        execute(root, Plan(STUDIES["cartpole"], "smoke", 1, scheduler=cluster), silent)


def test_no_scheduler_at_the_address_is_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "PATIENCE", 2)
    with pytest.raises(StudyError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1 "):
        execute(root, Plan(STUDIES["cartpole"], "smoke", 1, scheduler="tcp://127.0.0.1:1"), silent)

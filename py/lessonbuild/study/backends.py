"""Where seeds run: in processes here, or on a Dask cluster. Joblib does both."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any, Final

import joblib

from lessonbuild.study.identity import versions
from lessonbuild.study.kinds import Config, Study
from lessonbuild.study.registry import STUDIES, run_seed

PATIENCE: Final = 10
"""Seconds in which a scheduler has to answer."""


class StudyError(Exception):
    """A study that cannot run, in a sentence that says what to do."""


def results(
    study: Study, config: Config, seeds: Iterable[int], *, jobs: int, scheduler: str | None
) -> Iterator[dict[str, Any]]:
    """The seeds' results in the order in which they finish."""
    with _cluster(scheduler, study) if scheduler else _processes(jobs):
        parallel = joblib.Parallel(
            n_jobs=-1 if scheduler else jobs, return_as="generator_unordered", batch_size=1
        )
        yield from parallel(joblib.delayed(run_seed)(study.name, config, seed) for seed in seeds)


@contextlib.contextmanager
def _processes(jobs: int) -> Iterator[None]:
    with joblib.parallel_config(backend="loky", n_jobs=jobs):
        yield


@contextlib.contextmanager
def _cluster(scheduler: str, study: Study) -> Iterator[None]:
    try:
        from distributed import Client  # noqa: PLC0415 - an extra that only clusters need
    except ModuleNotFoundError as missing:
        raise StudyError(
            f"--backend dask needs the package {missing.name!r}; "
            "`.venv/bin/python -m pip install -r requirements/cluster.txt` installs it"
        ) from None
    try:
        client = Client(scheduler, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:  # a timeout is an OSError
        raise StudyError(
            f"no Dask scheduler answers at {scheduler} ({str(error) or type(error).__name__}); "
            "start one with `dask scheduler` and give the address that it prints"
        ) from None
    with client:
        _same_everywhere(client, study)
        with joblib.parallel_config(backend="dask", client=client):
            yield


def _same_everywhere(client: Any, study: Study) -> None:
    """Refuse a cluster without workers, or with workers that would compute something else."""
    try:
        found = client.run(worker_versions, study.name)
    except ModuleNotFoundError as missing:
        raise StudyError(
            f"a worker cannot import {missing.name!r}; start workers in this project's environment with its "
            "py/ on their path, `PYTHONPATH=py dask worker ADDRESS`"
        ) from None
    if not found:
        raise StudyError("the scheduler has no workers; start some with `PYTHONPATH=py dask worker ADDRESS`")
    here = versions(study)
    for worker, there in sorted(found.items()):
        other = [f"{key} {there[key]} (here {here[key]})" for key in here if there.get(key) != here[key]]
        if other:
            raise StudyError(f"the worker {worker} would compute with {', '.join(other)}; give it the same")


def worker_versions(study: str) -> dict[str, str]:
    """What a worker computes with."""
    return versions(STUDIES[study])

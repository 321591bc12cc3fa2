"""One study from start to file: run the missing seeds, keep each as it comes, then write the document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lessonbuild.atomic import locked
from lessonbuild.study.backends import results
from lessonbuild.study.document import study_document, write_study
from lessonbuild.study.identity import identity, versions
from lessonbuild.study.kinds import Study
from lessonbuild.study.seeds import FinishedSeeds


@dataclass(frozen=True, slots=True)
class Plan:
    """What was asked for."""

    study: Study
    profile: str
    num_seeds: int
    """The seeds are 0, 1, … below it, so that more seeds later go on from fewer now."""
    jobs: int = 1
    scheduler: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it."""

    path: Path
    size: int
    document: dict[str, Any]
    reused: int
    """Seeds that an earlier run had finished."""


def execute(root: Path, plan: Plan, progress: Callable[[int, int], None]) -> Outcome:
    """Run a study. `progress(finished, of)` is called at the beginning and after each seed.

    Raises `StudyError` when the place to run cannot be reached.
    """
    study, config = plan.study, plan.study.profiles[plan.profile]
    made_by = versions(study)
    kept = FinishedSeeds(root, identity(study, plan.profile, config, made_by))
    with locked(kept.lock):
        kept.clear_leftovers()
        missing = kept.missing(range(plan.num_seeds))
        reused = plan.num_seeds - len(missing)
        progress(reused, plan.num_seeds)
        if missing:
            ran = results(study, config, missing, jobs=plan.jobs, scheduler=plan.scheduler)
            for more, result in enumerate(ran, 1):
                kept.write(result)
                progress(reused + more, plan.num_seeds)
        runs = [run for seed in range(plan.num_seeds) if (run := kept.read(seed)) is not None]
    document = study_document(study, plan.profile, config, made_by, runs)
    path, size = write_study(root, document)
    return Outcome(path, size, document, reused)

"""The studies by name, and the one function that a worker process runs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from lessonbuild.study.cartpole import CARTPOLE
from lessonbuild.study.group_estimators import GROUP_ESTIMATORS
from lessonbuild.study.kinds import Config, Study
from lessonbuild.study.sequence import SEQUENCE
from policygrad.bridge import encoded

STUDIES: Final[dict[str, Study]] = {study.name: study for study in (CARTPOLE, SEQUENCE, GROUP_ESTIMATORS)}


def run_seed(study: str, config: Config, seed: int) -> dict[str, Any]:
    """One seed's result as JSON holds it. Named by text, so that it is the same in any process."""
    result = asdict(STUDIES[study].run(config, seed))
    return {"seed": seed, **{key: encoded(value) for key, value in result.items()}}

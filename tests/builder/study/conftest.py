"""A project folder with nothing in it but the schemas, and studies that take milliseconds."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from lessonbuild.study.kinds import Study
from lessonbuild.study.registry import STUDIES

ROOT = Path(__file__).parents[3]
SHORT = {
    "cartpole": {"num_updates": 2, "num_envs": 4, "num_steps": 16, "evaluation_episodes": 4},
    "sequence": {"num_updates": 2, "group_size": 2, "measured_updates": 1},
    "group-estimators": {"num_groups": 50},
}


def short(name: str) -> Study:
    """The study with settings that make it quick."""
    study = STUDIES[name]
    return replace(study, profiles={"smoke": {**study.profiles["smoke"], **SHORT[name]}})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project to run studies in."""
    shutil.copytree(ROOT / "lesson-data/schema", tmp_path / "lesson-data/schema")
    return tmp_path

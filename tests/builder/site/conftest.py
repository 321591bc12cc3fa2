"""Small projects to build sites from; see site_project.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sample_lesson import sample_artifact
from site_project import add_lessons, make_project, make_root

from lessonbuild.project import Project


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project folder without lessons."""
    folder = tmp_path / "project"
    folder.mkdir()
    return make_root(folder)


@pytest.fixture
def sample_site(root: Path) -> tuple[Project, dict[str, Any]]:
    """A project with the sample lesson, and its index."""
    return make_project(root), add_lessons(root, sample_artifact())


@pytest.fixture
def another_root(tmp_path: Path) -> Callable[[str], Path]:
    """Makes further project folders."""

    def make(name: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        return make_root(folder)

    return make

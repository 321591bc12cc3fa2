"""What a seed's result depends on, as one hash: under the same hash it need not be run again."""

from __future__ import annotations

import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import policygrad
from lessonbuild.core_dependencies import CoreDependencies
from lessonbuild.hashing import canonical_hash, sha256_hex
from lessonbuild.study.kinds import Config, Study


def versions(study: Study) -> dict[str, str]:
    """What computes: Python, NumPy, the part of the core that the study reaches, and the kind of machine.

    Taken from the files that are imported here, so that a worker elsewhere can be asked the same question.
    """
    core = CoreDependencies.of(Path(policygrad.__file__).parent)
    own = sorted(Path(__file__).parent.glob("*.py"))
    parts = {name: core.fingerprint(name) for name in study.core}
    parts["studies"] = sha256_hex(
        b"\0".join(path.read_bytes() for path in own if path.stem in _deciding(study))
    )
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "core": policygrad.__version__,
        "coreHash": canonical_hash(parts),
        "platform": f"{platform.system()} {platform.machine()}",
    }


def identity(study: Study, profile: str, config: Config, made_by: dict[str, str]) -> str:
    """The name of the folder in which finished seeds are kept."""
    about: dict[str, Any] = {"study": study.name, "profile": profile, "config": config, "versions": made_by}
    return canonical_hash(about)


def _deciding(study: Study) -> set[str]:
    """Files of this folder that say what a seed's run is."""
    run: Callable[..., Any] = study.run
    return {"kinds", "registry", run.__module__.rpartition(".")[2]}

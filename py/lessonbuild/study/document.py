"""The file that a study writes: what decides it, and what came of it. No clock and no host in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from lessonbuild import schemas
from lessonbuild.atomic import write_atomic
from lessonbuild.hashing import NAME_DIGITS, json_bytes, sha256_hex
from lessonbuild.project import DATA
from lessonbuild.study.kinds import Config, Study
from lessonbuild.study.summary import middle_curve, statistics

FOLDER: Final = f"{DATA}/studies"
SCHEMA_VERSION: Final = 1


def study_document(
    study: Study, profile: str, config: Config, made_by: dict[str, str], runs: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """The content; `runs` in the order of their seeds."""
    return {
        "schemaVersion": SCHEMA_VERSION,
        "study": study.name,
        "profile": profile,
        "title": study.title,
        "config": dict(config),
        "versions": made_by,
        "seeds": [run["seed"] for run in runs],
        "statistics": statistics(study, config, runs),
        "curve": middle_curve(runs),
        "runs": list(runs),
    }


def write_study(root: Path, document: dict[str, Any]) -> tuple[Path, int]:
    """Write a document under the name that its bytes give it, and return path and size.

    Raises ValueError when it breaks its schema: a fault of the study or of the schema.
    """
    for violation in schemas.violations(root, "study", document):
        raise ValueError(f"the study breaks its schema; {schemas.described(violation)}")
    data = json_bytes(document, indent=None)
    folder = root / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{document['study']}-{document['profile']}-{sha256_hex(data)[:NAME_DIGITS]}.json"
    write_atomic(folder / name, data)
    return folder / name, len(data)

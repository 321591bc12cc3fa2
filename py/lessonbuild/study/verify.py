"""What `build.py check` asks of studies: name, hash and schema. They are never run again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lessonbuild import schemas
from lessonbuild.hashing import LESSON_ID, NAME_DIGITS, sha256_hex

STUDY_NAME: Final = re.compile(
    rf"(?P<label>{LESSON_ID.pattern}-(?:smoke|full))-(?P<hash>[0-9a-f]{{{NAME_DIGITS}}})\.json"
)


def study_problems(root: Path, folder: Path) -> Iterator[str]:
    """One sentence per file of `folder` that is not a study as it was written."""
    for path in sorted(path for path in folder.rglob("*") if not path.is_dir()):
        shown = path.relative_to(root).as_posix()
        named = STUDY_NAME.fullmatch(path.name) if path.parent == folder else None
        if named is None:
            yield f"{shown}: stray, no study has this name; delete or move it"
            continue
        data = path.read_bytes()
        if sha256_hex(data)[:NAME_DIGITS] != named["hash"]:
            yield f"{shown}: altered, its name holds another hash"
            continue
        try:
            document = json.loads(data)
        except ValueError:
            yield f"{shown}: not JSON; delete it and run the study again"
            continue
        broken = next(schemas.violations(root, "study", document), None)
        if broken:
            yield f"{shown}: breaks study.schema.json; {schemas.described(broken)}"
        elif named["label"] != f"{document['study']}-{document['profile']}":
            yield f"{shown}: misnamed, it holds {document['study']} {document['profile']}"

"""The files that Python in the page needs, made by a Node program that caches them by what goes into them."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lessonbuild.site.errors import SiteError

PREPARE: Final = Path("tools/runtime/prepare.mjs")
MANIFEST: Final = "manifest.json"


def runtime_folder(root: Path) -> Path:
    """Make the runtime files, or find them ready, and return their folder."""
    node = shutil.which("node")
    if node is None:
        raise SiteError("Node is not on the PATH. Install Node 20 or newer: it prepares Python for the page.")
    done = subprocess.run(
        [node, str(root / PREPARE)], cwd=root, stdout=subprocess.PIPE, encoding="utf-8", check=False
    )
    said = done.stdout.strip().splitlines()
    if done.returncode != 0 or not said:
        raise SiteError(f"{PREPARE.as_posix()} could not prepare Python for the page; it says why above.")
    return root / said[-1]


def runtime_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The files to ship with their bytes: the manifest and exactly what it lists."""
    manifest = (folder / MANIFEST).read_bytes()
    yield MANIFEST, manifest
    for name in sorted(json.loads(manifest)["files"]):
        yield name, (folder / name).read_bytes()

"""One build in a process of its own, so that a change in the core or in the builder itself counts at once."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from lessonbuild.site.output import MANIFEST


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a build ended, and everything that it said."""

    ok: bool
    said: str


def rebuild(root: Path, out: Path) -> Outcome:
    """Build lessons and site with `build.py site`, as an author would by hand."""
    done = subprocess.run(
        [sys.executable, str(root / "build.py"), "site", "--out", str(out)],
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return Outcome(done.returncode == 0, done.stdout.strip())


def site_version(out: Path) -> str:
    """A word that changes with any byte of the site; empty where there is none."""
    try:
        return hashlib.sha256((out / MANIFEST).read_bytes()).hexdigest()[:16]
    except OSError:
        return ""

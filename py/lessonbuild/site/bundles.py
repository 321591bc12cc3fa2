"""esbuild: the page's modules as one classic script, the worker's as one module, the styles minified.

Pages must open from a USB stick, where browsers run neither modules nor `fetch`, hence the classic scripts.
The worker is a module because Pyodide needs one.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lessonbuild.site.errors import SiteError

BANNER: Final = "/* Licences of everything in this file: licences.html */"
TARGETS: Final = "es2022,chrome111,firefox115,safari16.4"


@dataclass(frozen=True, slots=True)
class Bundle:
    """One script to make."""

    name: str
    entry: str
    format: str
    """ "iife" for a classic script, "esm" for a module."""


BUNDLES: Final = (
    Bundle("early", "site/js/lesson/early.js", "iife"),
    Bundle("page", "site/js/lesson/main.js", "iife"),
    Bundle("atlas", "site/js/atlas/main.js", "iife"),
    Bundle("worker", "site/js/runtime/worker.js", "esm"),
)


@dataclass(frozen=True, slots=True)
class Bundled:
    """A finished script and the npm packages that are inside it."""

    script: bytes
    packages: frozenset[str]


def bundle(root: Path, wanted: Bundle) -> Bundled:
    """Bundle and minify one entry point."""
    if not (root / wanted.entry).is_file():
        raise SiteError(f"{wanted.entry} is missing: the copy of the project is not complete.")
    with tempfile.TemporaryDirectory(prefix="lessonbuild-") as folder:
        meta = Path(folder) / "meta.json"
        script = _esbuild(
            root,
            [
                wanted.entry,
                "--bundle",
                "--minify",
                f"--format={wanted.format}",
                f"--target={TARGETS}",
                "--charset=utf8",
                "--legal-comments=none",
                f"--banner:js={BANNER}",
                f"--metafile={meta}",
                f"--outfile={Path(folder) / 'out.js'}",
            ],
            result=Path(folder) / "out.js",
        )
        inputs = json.loads(meta.read_text(encoding="utf-8"))["inputs"]
    return Bundled(script, frozenset(filter(None, map(package_of, inputs))))


def package_of(source: str) -> str | None:
    """npm package that a bundled file belongs to, or None for our own files."""
    _, found, rest = source.rpartition("node_modules/")
    if not found:
        return None
    parts = rest.split("/")
    return "/".join(parts[:2]) if parts[0].startswith("@") else parts[0]


def minify_css(root: Path, text: str) -> bytes:
    """Minify a stylesheet; addresses in it stay as they are."""
    return _esbuild(root, ["--loader=css", "--minify", f"--target={TARGETS}", "--charset=utf8"], stdin=text)


def _esbuild(root: Path, options: Sequence[str], *, stdin: str = "", result: Path | None = None) -> bytes:
    done = subprocess.run(
        [_program(root), *options, "--log-level=warning", "--color=false"],
        cwd=root,
        input=stdin.encode(),
        capture_output=True,
        check=False,
    )
    said = done.stderr.decode(errors="replace").strip()
    if done.returncode != 0 or said:
        raise SiteError(f"esbuild is not content with our own files:\n{said}")
    return result.read_bytes() if result else done.stdout


def _program(root: Path) -> str:
    """The program itself: npm's launcher would start a Node for each call first."""
    modules = root / "node_modules"
    for pattern in ("@esbuild/*/bin/esbuild", "@esbuild/*/esbuild.exe"):
        for program in sorted(modules.glob(pattern)):
            return str(program)
    raise SiteError("The node modules are not installed. `npm start` installs them, or run `npm ci`.")

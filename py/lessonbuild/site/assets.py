"""Everything that pages share: scripts, styles, fonts and Plotly, each named by the hash of its bytes.

A file whose name holds its hash may be cached for ever, and a page that is still open keeps finding the files
that it was built with for as long as they are there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lessonbuild.site.bundles import BUNDLES, bundle
from lessonbuild.site.errors import SiteError
from lessonbuild.site.katex_fonts import FONTS, STYLESHEET, reduced_stylesheet, used_files
from lessonbuild.site.styles import build_stylesheet

PLOTLY: Final = Path("node_modules/plotly.js-cartesian-dist-min/plotly-cartesian.min.js")
ICON: Final = Path("site/images/icon.svg")
DIGITS: Final = 10


@dataclass(frozen=True, slots=True)
class Assets:
    """The files for dist/assets, and what templates call them."""

    files: dict[str, bytes]
    """Path inside assets/ → bytes."""
    names: dict[str, str]
    """ "page" → "page-1a2b3c4d5e.js", and so on."""
    packages: frozenset[str]
    """npm packages whose code is inside our bundles."""


def hashed_name(stem: str, data: bytes, ending: str) -> str:
    """A file name that changes with the bytes."""
    return f"{stem}-{hashlib.sha256(data).hexdigest()[:DIGITS]}{ending}"


def build_assets(root: Path, pages: Iterable[str]) -> Assets:
    """Bundle, minify and name everything; `pages` are the contents in which formulas may occur."""
    files: dict[str, bytes] = {}
    names: dict[str, str] = {}
    packages: set[str] = set()

    def add(key: str, stem: str, data: bytes, ending: str) -> str:
        names[key] = hashed_name(stem, data, ending)
        files[names[key]] = data
        return names[key]

    for wanted in BUNDLES:
        made = bundle(root, wanted)
        packages |= made.packages
        add(wanted.name, wanted.name, made.script, ".js")
    add("plotly", "plotly", _read(root / PLOTLY), ".js")
    add("icon", "icon", _read(root / ICON), ".svg")

    katex = _read(root / STYLESHEET).decode()
    fonts = used_files(katex, pages)
    for font in fonts:
        add(font, f"fonts/{Path(font).stem}", _read(root / FONTS / font), ".woff2")
    reduced = reduced_stylesheet(katex, fonts, lambda font: names[font])
    add("style", "style", build_stylesheet(root, reduced), ".css")
    return Assets(files, names, frozenset(packages))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise SiteError(f"{path.name} is missing. `npm start` installs it, or run `npm ci`.") from None

"""The one stylesheet: KaTeX's part, then our files in a fixed order, minified by esbuild."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from lessonbuild.site.bundles import minify_css
from lessonbuild.site.errors import SiteError

FOLDER: Final = Path("site/css")
ORDER: Final = (
    "tokens.css",
    "tokens-dark.css",
    "base.css",
    "layout.css",
    "header.css",
    "prose.css",
    "tables.css",
    "katex.css",
    "notes.css",
    "lists.css",
    "widget.css",
    "figures.css",
    "controls.css",
    "stage.css",
    "exercise.css",
    "runtime.css",
    "answers.css",
    "atlas.css",
    "print.css",
)
DARK: Final = "tokens-dark.css"


def build_stylesheet(root: Path, katex: str) -> bytes:
    """All styles as one minified file; `katex` is KaTeX's stylesheet, already reduced to our fonts."""
    folder = root / FOLDER
    unlisted = sorted({path.name for path in folder.glob("*.css")} - set(ORDER))
    if unlisted:
        raise SiteError(f"{FOLDER.as_posix()}/{unlisted[0]} is not in the order that styles.py gives.")
    parts = [katex]
    for name in ORDER:
        text = (folder / name).read_text(encoding="utf-8")
        parts.append(in_both_dark_modes(text) if name == DARK else text)
    return minify_css(root, "\n".join(parts))


def in_both_dark_modes(text: str) -> str:
    """Write the dark values once for the system's setting and once for the reader's, and keep print light."""
    block = re.fullmatch(r"\s*(?:/\*.*?\*/\s*)?:root \{([^{}]*)\}\s*", text, re.DOTALL)
    if block is None:
        raise SiteError(f"{FOLDER.as_posix()}/{DARK} must hold one :root block and nothing else.")
    return (
        '@media screen and (prefers-color-scheme: dark) { :root:not([data-theme="light"]) {'
        + block[1]
        + '} }\n@media screen { :root[data-theme="dark"] {'
        + block[1]
        + "} }\n"
    )

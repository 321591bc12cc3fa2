"""KaTeX's stylesheet, reduced to the fonts that the pages use and pointing at the copies that we serve.

KaTeX ships twenty font files in three formats. A page needs a few of them, which the class names in its
formulas tell: each rule of the stylesheet that sets a face does so for certain classes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Final

STYLESHEET: Final = Path("node_modules/katex/dist/katex.min.css")
FONTS: Final = Path("node_modules/katex/dist/fonts")

_RULE: Final = re.compile(r"([^{}]+)\{([^{}]*)\}")
_FACE: Final = re.compile(r"@font-face\{([^{}]*)\}")
_CLASS: Final = re.compile(r"\.([A-Za-z][\w-]*)")
_CLASSES_IN_HTML: Final = re.compile(r'class="([^"]*)"')
_FAMILY: Final = re.compile(r"KaTeX_\w+")
_FILE: Final = re.compile(r"fonts/(KaTeX_[\w-]+\.woff2)")


@dataclass(frozen=True, slots=True)
class Face:
    """One @font-face of KaTeX."""

    family: str
    bold: bool
    italic: bool
    file: str


def faces(stylesheet: str) -> list[Face]:
    """All faces that the stylesheet declares, by their WOFF2 files."""
    found = []
    for match in _FACE.finditer(stylesheet):
        body = match[1]
        family, file = _FAMILY.search(body), _FILE.search(body)
        assert family is not None, body
        assert file is not None, body
        found.append(Face(family[0], "font-weight:700" in body, "font-style:italic" in body, file[1]))
    return found


def used_files(stylesheet: str, pages: Iterable[str]) -> list[str]:
    """WOFF2 files of the faces that formulas in `pages` can select, sorted; at worst one too many.

    A rule counts when for each step of its selector some element has the classes. Rules that only set weight
    or slant count for the family that text has anyway, KaTeX_Main.
    """
    elements = {frozenset(names.split()) for page in pages for names in _CLASSES_IN_HTML.findall(page)}
    if not any("katex" in classes for classes in elements):
        return []
    bold: dict[str, set[bool]] = {}
    italic: dict[str, set[bool]] = {}
    for selectors, body in _RULE.findall(_FACE.sub("", stylesheet)):
        if not any(_can_apply(selector, elements) for selector in selectors.split(",")):
            continue
        named = _FAMILY.search(body)
        is_bold, is_italic = "font-weight:700" in body, "font-style:italic" in body
        if named is None and not (is_bold or is_italic):
            continue
        family = named[0] if named else "KaTeX_Main"
        bold.setdefault(family, set()).add(is_bold)
        italic.setdefault(family, set()).add(is_italic)
    return sorted(
        face.file
        for face in faces(stylesheet)
        if face.bold in bold.get(face.family, ()) and face.italic in italic.get(face.family, ())
    )


def _can_apply(selector: str, elements: Set[frozenset[str]]) -> bool:
    steps = (set(_CLASS.findall(step)) for step in re.split(r"[\s>+~]+", selector.strip()))
    return all(any(step <= classes for classes in elements) for step in steps)


def reduced_stylesheet(stylesheet: str, files: Iterable[str], address: Callable[[str], str]) -> str:
    """The stylesheet with only the faces in `files`, each as one WOFF2 file at `address(file)`."""
    wanted = set(files)

    def keep(match: re.Match[str]) -> str:
        file = _FILE.search(match[1])
        assert file is not None, match[0]
        if file[1] not in wanted:
            return ""
        declarations = [part for part in match[1].split(";") if part and not part.startswith("src:")]
        source = f'src:url({address(file[1])}) format("woff2")'
        return "@font-face{" + ";".join([*declarations, source]) + "}"

    return _FACE.sub(keep, stylesheet)

"""Jinja2 with everything escaped.

The only markup that enters a page from outside the templates is what KaTeX and the figure code return; every
other string is text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from lessonbuild.errors import MathRenderer
from lessonbuild.site.cover import cover
from lessonbuild.site.errors import SiteError
from lessonbuild.site.tables import plain_text, stacks

TEMPLATES: Final = Path("site/templates")
NOTE_NAMES: Final = {
    "assumptions": "What is assumed",
    "wrong": "Where this goes wrong",
    "remember": "Worth remembering",
    "aside": "Aside",
}
CLOSING_MARKS: Final = tuple(",.;:!?)”’")
SCHEMES: Final = ("http", "https", "mailto")
_SCHEME: Final = re.compile(r"([^/?#]*?):")
_VIEW_BOX: Final = re.compile(r'<svg[^>]*\bviewBox="0 0 ([\d.]+) ([\d.]+)"')


class Renderer(MathRenderer, Protocol):
    """What pages need drawn."""

    def picture(self, frame: Mapping[str, Any], size: str, label: str) -> str:
        """The figure of a view model as SVG."""
        ...


def make_environment(root: Path, renderer: Renderer) -> Environment:
    """Templates of the project with our filters; unknown names are errors, never empty text."""
    environment = Environment(
        loader=FileSystemLoader(root / TEMPLATES, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.filters |= {
        "num": number,
        "json": compact_json,
        "href": safe_link,
        "plain": plain_text,
        "stacks": stacks,
        "breakable": breakable,
    }
    environment.globals |= {
        "math": lambda tex, display: Markup(renderer.render(tex, display)),
        "pictures": picture_maker(renderer),
        "cover": lambda artifact: Markup(cover(artifact, renderer.picture)),
        "note_names": NOTE_NAMES,
        "closing_marks": CLOSING_MARKS,
        "unknown": _unknown,
    }
    return environment


def picture_maker(renderer: Renderer) -> Callable[[Mapping[str, Any]], dict[str, dict[str, object]]]:
    """A template function: a widget's first frame at both widths, each with the shape of its box."""

    def pictures(widget: Mapping[str, Any]) -> dict[str, dict[str, object]]:
        made: dict[str, dict[str, object]] = {}
        for size in ("wide", "narrow"):
            svg = renderer.picture(widget["frame"], size, f"{widget['id']}-{size}")
            shape = _VIEW_BOX.search(svg)
            if shape is None:
                raise SiteError(f"The {size} picture of {widget['id']} has no viewBox that starts at 0 0.")
            made[size] = {"svg": Markup(svg), "ratio": f"{shape[1]} / {shape[2]}"}
        return made

    return pictures


def number(value: float | str | None) -> str:
    """A number as attributes hold it: shortest exact form, no trailing `.0`; infinities are words already."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    text = repr(value)
    return text.removesuffix(".0")


def compact_json(value: object) -> str:
    """JSON for an attribute or a data file: no spaces, Unicode as it is."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def safe_link(address: str) -> str:
    """An address that can only lead somewhere, never run something. Raises SiteError for any other."""
    scheme = _SCHEME.match(address)
    odd = any(character <= " " for character in address) or address.startswith("//")
    if odd or (scheme and scheme[1].lower() not in SCHEMES):
        raise SiteError(f'The link "{address}" is neither a web address nor a page of this site.')
    return address


def breakable(code: str) -> Markup:
    """An identifier that may be broken after its underscores and nowhere else."""
    return Markup("_<wbr>").join(code.split("_"))


def _unknown(what: str, kind: str) -> str:
    raise SiteError(f'The templates have no form for the {what} type "{kind}".')

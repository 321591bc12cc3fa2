"""The directives that need no checks of their own: widgets' frames, notes, symbols, sources and links."""

import re
from typing import Any, Final

from lessonbuild.errors import Fault, did_you_mean, quoted
from lessonbuild.source.blocks import block_text
from lessonbuild.source.directives import Given, Invocation
from lessonbuild.source.draft import Draft, Node
from lessonbuild.source.inline import inline_text
from lessonbuild.widgets import checked_params, first_frame, known_view, number

NOTES: Final = ("assumptions", "wrong", "remember", "aside")
LINKS: Final = ("foundations", "related")
_OWN_OPTIONS: Final = {"caption", "try", "id"}
# What a bar divides: it stands between spaces, outside formulas, code and roles.
_PROTECTED: Final = re.compile(r"`+[^`]*`+|\$[^$]*\$|\\.")


def read_widget(draft: Draft, given: Invocation) -> list[Node]:
    """Read ``:::{widget} view``: its parameters, first frame, caption and things to try."""
    view, own_id = given.argument, given.first("id")
    name = own_id.text if own_id else view
    caption, tries = given.first("caption"), given.all("try")
    entry: Node = {
        "id": name,
        "view": view,
        "params": {},
        "caption": inline_text(draft, caption.text, caption.line) if caption else [],
        "try": [inline_text(draft, part.text, part.line) for entry in tries for part in split_bars(entry)],
        "spec": {},
        "frame": {},
    }
    if not view:
        return []
    spec = known_view(view)
    draft.claim(name, own_id.line if own_id else given.line, what="a widget")
    draft.values.used.add(f"view:{view}")
    params: dict[str, Any] = {}
    for key, values in given.options.items():
        if key not in _OWN_OPTIONS:
            with draft.reporter.faults_at(values[0].line):
                params |= checked_params(spec, {key: number(values[0].text)})
    entry |= {"params": params, "spec": spec, "frame": first_frame(view, params)}
    draft.widgets.setdefault(name, entry)
    return [{"type": "widget", "widget": name}]


def read_note(draft: Draft, given: Invocation) -> list[Node]:
    """Read ``:::{note} kind``."""
    kind, title = given.argument, given.first("title")
    if kind and kind not in NOTES:
        message = f"unknown kind of note {quoted(kind)}{did_you_mean(kind, NOTES)}"
        draft.reporter.error(given.line, "directive-argument", message)
    words = inline_text(draft, title.text, title.line) if title else []
    inside = block_text(draft, given.body, "note")
    return [{"type": "note", "kind": kind, "title": words, "blocks": inside}]


def read_symbols(draft: Draft, given: Invocation) -> list[Node]:
    """Read ``:::{symbols}``: one row a line, symbol, meaning and unit divided by bars."""
    rows = []
    for number_, text in enumerate(given.body.text.split("\n")):
        line = given.body.line + number_
        if not text.strip():
            continue
        cells = split_bars(Given(text.strip().strip("|").strip(), line))
        if len(cells) != 3:
            message = f"the row has {len(cells)} parts; it needs three: `$r$ | meaning | unit`"
            draft.reporter.error(line, "directive-body", message)
            continue
        symbol, meaning, unit = (inline_text(draft, cell.text, line) for cell in cells)
        rows.append({"symbol": symbol, "meaning": meaning, "unit": unit})
    return [{"type": "symbols", "rows": rows}]


def read_sources(draft: Draft, given: Invocation) -> list[Node]:
    """Read ``:::{sources}``: where the sources of the front matter are listed."""
    if not draft.front.lists.get("sources"):
        raise Fault(
            "directive-place", "the front matter names no sources, so there is nothing to list", given.line
        )
    draft.anchors |= {f"source-{key}": given.line for key, _ in draft.front.lists["sources"]}
    return [{"type": "sources"}]


def read_links(draft: Draft, given: Invocation) -> list[Node]:
    """Read ``:::{links} foundations`` or ``related``: where lessons of the front matter are listed."""
    which = given.argument
    if which and which not in LINKS:
        raise Fault("directive-argument", f"unknown list {quoted(which)}{did_you_mean(which, LINKS)}")
    if which and not draft.front.lists.get(which):
        raise Fault("directive-place", f"{which} is empty in the front matter, so there is nothing to list")
    return [{"type": "links", "which": which}]


def split_bars(given: Given) -> list[Given]:
    """Divide a text at its bars, each part with its line; bars in formulas, code and roles stay."""
    masked = _PROTECTED.sub(lambda match: "x" * len(match.group()), given.text)
    parts, start = [], 0
    for end in [*(match.start() for match in re.finditer(r"\|", masked)), len(masked)]:
        part = given.text[start:end]
        lead = len(part) - len(part.lstrip())
        line = given.line + given.text.count("\n", 0, start + lead)
        if part.strip():
            parts.append(Given(part.strip(), line))
        start = end + 1
    return parts

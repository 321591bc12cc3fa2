"""What a first visit fetches before Python and Plotly: every request of the opened lesson, as hosts send it.

Fonts are compressed already; every other file counts with gzip at the level that servers use by default. The
measure on the other side is what the page leaves for later: the runtime and Plotly.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from urllib.parse import unquote, urlsplit

from built_site import LESSON, browser, built_site, machine, wait_for_python
from playwright.sync_api import Browser

LEVEL = 6
BUDGET = 150_000
COMPRESSED = {".woff2", ".gz", ".whl", ".zip"}
KINDS = {
    ".html": "page: text, formulas, first frames",
    ".js": "scripts and data",
    ".css": "style",
    ".woff2": "fonts",
    ".svg": "icon",
}


def requested(chromium: Browser, base: str) -> list[str]:
    """Paths below the site of everything that an opened page asks for, also from its worker."""
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    paths: list[str] = []
    page.on("request", lambda request: paths.append(unquote(urlsplit(request.url).path)))
    page.goto(base + LESSON)
    wait_for_python(page)
    page.wait_for_load_state("networkidle")
    page.close()
    prefix = urlsplit(base).path
    return sorted({path.removeprefix(prefix) for path in paths if path.startswith(prefix)})


def sizes(file: Path) -> tuple[int, int]:
    """Bytes as stored, and as sent."""
    content = file.read_bytes()
    sent = content if file.suffix in COMPRESSED else gzip.compress(content, LEVEL)
    return len(content), min(len(content), len(sent))


def kilobytes(size: int) -> str:
    return f"{size / 1000:.1f} KB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def main() -> None:
    with built_site() as (site, base), browser() as chromium:
        paths = requested(chromium, base)
        version = machine(chromium)
        later = [path for path in paths if path.startswith("runtime/") or "/plotly-" in path]
        groups: dict[str, list[tuple[int, int]]] = {kind: [] for kind in KINDS.values()}
        for path in paths:
            if path not in later:
                groups[KINDS[Path(path).suffix]].append(sizes(site / path))
        first = [size for group in groups.values() for size in group]
        rest = [sizes(site / path) for path in later]
    rows = [
        [kind, len(group), kilobytes(sum(a for a, _ in group)), kilobytes(sum(b for _, b in group)), ""]
        for kind, group in groups.items()
    ]
    total, after = (sum(b for _, b in sent) for sent in (first, rest))
    rows.append(
        [
            "**first visit, all together**",
            len(first),
            kilobytes(sum(a for a, _ in first)),
            f"**{kilobytes(total)}**",
            f"{total / BUDGET:.2f} of the aim",
        ]
    )
    rows.append(
        [
            "left for later: runtime and Plotly",
            len(rest),
            kilobytes(sum(a for a, _ in rest)),
            kilobytes(after),
            f"{after / total:.0f} times the first visit",
        ]
    )
    settings = [
        f"Every request of a first visit in {version.split(',')[0]}; gzip level {LEVEL}, fonts as they are."
    ]
    columns = ["what is fetched", "files", "stored", "sent", "ratio"]
    print(json.dumps({"name": "weight", "columns": columns, "rows": rows, "settings": settings}))


if __name__ == "__main__":
    main()

"""A renderer without Node: page tests are about pages, not about typesetting."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any


class FakeRenderer:
    """Formulas and pictures that can be recognised."""

    def render(self, tex: str, display: bool) -> str:
        """The TeX itself, escaped, in the classes that KaTeX would use."""
        shown = html.escape(tex) + (" displayed" if display else "")
        return f'<span class="katex"><span class="mathnormal">{shown}</span></span>'

    def picture(self, frame: Mapping[str, Any], size: str, label: str) -> str:
        """An empty picture of the right shape."""
        assert frame["figure"], label
        width, height = (680, 380) if size == "wide" else (328, 310)
        return f'<svg viewBox="0 0 {width} {height}"><path d="M0 0"/></svg>'

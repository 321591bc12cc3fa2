"""What a card says of a lesson at a glance: a picture of one of its figures, and what there is to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Artifact = Mapping[str, Any]


def cover(artifact: Artifact, picture: Callable[[Mapping[str, Any], str, str], str]) -> str:
    """The first frame of the plainest figure, one panel of it, as SVG; empty for a lesson without figures."""
    widgets = artifact["widgets"]
    if not widgets:
        return ""
    plainest = min(widgets, key=lambda widget: len(widget["frame"]["figure"]["panels"]))
    panels = plainest["frame"]["figure"]["panels"]
    shown = next((panel for panel in panels if panel.get("main")), panels[0])
    return picture({"figure": {"panels": [shown]}}, "narrow", f"{artifact['id']}-cover")


def facts(artifact: Artifact) -> str:
    """ "4 figures · 1 question · 34 computed numbers"; what there is none of is left out."""
    counts = (
        (len(artifact["widgets"]), "figure", "figures"),
        (len(artifact["exercises"]), "question", "questions"),
        (len(artifact["fixtures"]), "computed number", "computed numbers"),
    )
    return " · ".join(f"{number} {one if number == 1 else many}" for number, one, many in counts if number)

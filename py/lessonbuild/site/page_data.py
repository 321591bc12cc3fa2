"""What a lesson's scripts need, as a classic script of its own: `fetch` does not work from a USB stick.

Solutions and feedback are here and not in the page, so that neither the page nor its print shows them early.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from lessonbuild.site.environment import compact_json

SOLUTION_TITLE: Final = '<p class="solution-title">Worked solution</p>'


class FragmentMaker(Protocol):
    """Turns nodes of an artifact into HTML."""

    def blocks(self, nodes: Sequence[Mapping[str, Any]]) -> str:
        """Blocks as HTML."""
        ...

    def inlines(self, nodes: Sequence[Mapping[str, Any]]) -> str:
        """Inline nodes as HTML."""
        ...


def lesson_data(artifact: Mapping[str, Any], artifact_file: str, html: FragmentMaker) -> str:
    """JSON object with everything except the addresses of assets."""
    return compact_json(
        {
            "lesson": {
                "id": artifact["id"],
                "title": artifact["title"],
                "version": artifact["version"],
                "artifact": artifact_file,
            },
            "widgets": {
                widget["id"]: {"spec": widget["spec"], "frame": widget["frame"]}
                for widget in artifact["widgets"]
            },
            "exercises": {each["id"]: _exercise(each, html) for each in artifact["exercises"]},
            "fixtures": artifact["fixtures"],
        }
    )


def data_script(data: str, root: str, assets: Mapping[str, str]) -> bytes:
    """The finished script: `lesson_data` with the addresses of what scripts load later."""
    addresses = compact_json(
        {
            "worker": f"{root}assets/{assets['worker']}",
            "plotly": f"{root}assets/{assets['plotly']}",
            "runtime": f"{root}runtime/",
        }
    )
    return f'globalThis.lessonData={{"assets":{addresses},{data[1:]};\n'.encode()


def _exercise(exercise: Mapping[str, Any], html: FragmentMaker) -> dict[str, Any]:
    return {
        "kind": exercise["kind"],
        "hash": exercise["hash"],
        "options": [
            {
                "correct": option["correct"],
                "feedbackHtml": html.blocks(option["feedback"]),
                "run": option.get("run"),
                "result": option.get("result"),
            }
            for option in exercise["options"]
        ],
        "solutionHtml": SOLUTION_TITLE + html.blocks(exercise["solution"]),
        "hints": [html.inlines(hint) for hint in exercise["hints"]],
    }

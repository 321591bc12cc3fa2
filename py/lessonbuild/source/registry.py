"""All directives of lessons, as data."""

from typing import Final

from lessonbuild.equations import read_equation
from lessonbuild.exercises import KINDS, read_exercise, read_solution
from lessonbuild.source.directives import Directive, Option
from lessonbuild.source.simple import NOTES, read_links, read_note, read_sources, read_symbols, read_widget

_TEXT: Final = frozenset({"lesson", "note", "solution", "feedback"})
_CHECK: Final = {
    "check": Option("`none` when there is nothing to compute."),
    "reason": Option("Why there is nothing to compute."),
}

DIRECTIVES: Final[dict[str, Directive]] = {
    "widget": Directive(
        doc="An interactive figure of the core.",
        run=read_widget,
        argument="the id of a view of the core",
        options={
            "caption": Option("What the figure shows, in inline Markdown.", required=True),
            "try": Option("Things to try, divided by ` | `.", required=True, many=True),
            "id": Option("An id of its own, for a second widget of the same view."),
        },
        open_options=True,
    ),
    "math": Directive(
        doc="A displayed equation, checked against the core.",
        run=read_equation,
        argument="the equation's id",
        options={
            "numpy": Option("The equation as a NumPy expression of its symbols."),
            "core": Option("The same through functions of the core."),
            "at": Option("A point: a value for each symbol.", many=True),
            "each": Option("Lists of values; all their combinations are points.", many=True),
            **_CHECK,
        },
        body="the equation in TeX",
        places=_TEXT,
        in_lists=True,
    ),
    "note": Directive(
        doc="A remark set apart.",
        run=read_note,
        argument="one of " + ", ".join(NOTES),
        options={"title": Option("The note's title, in inline Markdown.", required=True)},
        body="what the note says",
    ),
    "symbols": Directive(
        doc="A table of symbols with their meanings and units.",
        run=read_symbols,
        body="rows of the form `$r$ | meaning | unit`",
        places=frozenset({"lesson", "note"}),
    ),
    "exercise": Directive(
        doc="A question with a worked solution.",
        run=read_exercise,
        argument="a kind (" + ", ".join(KINDS) + ") and an id",
        options={
            "answer": Option("The solution's value, as NumPy arithmetic of numbers."),
            "hint": Option("A hint, in inline Markdown.", required=True, many=True),
            **_CHECK,
        },
        body="a question, a list of options, and a solution",
    ),
    "solution": Directive(
        doc="The worked solution of the exercise around it.",
        run=read_solution,
        body="the worked solution",
        places=frozenset({"exercise"}),
    ),
    "sources": Directive(doc="The list of the lesson's sources.", run=read_sources),
    "links": Directive(
        doc="A list of neighbouring lessons.", run=read_links, argument="foundations or related"
    ),
}

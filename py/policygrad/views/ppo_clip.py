"""Widget `ppo-clip`: what one sample contributes to PPO's objective as its ratio changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..surrogate import ClipBounds, SurrogateTerms, clip_bounds, surrogate_terms
from . import figure as fig
from .model import Control, Frame, Output, View
from .text import apart, fixed, signed

if TYPE_CHECKING:
    from .model import Values

HEIGHT = 6.6
"""A little more than the largest ratio times the largest advantage."""
ARROW = 0.3
"""Length of the slope's arrow along the ratio axis."""
SAME_PLACE = 1e-9
"""The slider's 0.57 and the bound 1 − 0.43 are one place, although not one float."""
GRID = tuple(i / 10 for i in range(21))

CONTROLS = (
    Control(
        name="ratio",
        label="Probability ratio",
        symbol="r",
        min=0.0,
        max=2.0,
        step=0.01,
        page=0.1,
        default=1.4,
        decimals=2,
        stops=(0.8, 1.0, 1.2),
    ),
    Control(
        name="advantage",
        label="Advantage",
        symbol="A",
        min=-3.0,
        max=3.0,
        step=0.1,
        page=0.5,
        default=2.0,
        decimals=1,
        unit="reward units",
        stops=(-2.0, 0.0, 2.0),
    ),
    Control(
        name="clip_epsilon",
        label="Clip width",
        symbol="ε",
        min=0.05,
        max=0.5,
        step=0.01,
        page=0.05,
        default=0.2,
        decimals=2,
        stops=(0.1, 0.2, 0.3),
    ),
)
OUTPUTS = (
    Output("objective", "PPO term", "reward units", 2),
    Output("unclipped", "Unclipped branch r·A", "reward units", 2),
    Output("clipped", "Clipped branch clip(r)·A", "reward units", 2),
    Output("slope", "Slope in r", "reward units", 2),
)
PLACES = {
    "below": "below the interval",
    "lower-edge": "exactly on the lower edge",
    "inside": "inside the interval",
    "upper-edge": "exactly on the upper edge",
    "above": "above the interval",
}
BRANCHES = {
    "zero": "both branches are zero",
    "equal": "both branches are equal",
    "clipped": "the clipped branch is the minimum",
    "unclipped": "the unclipped branch is the minimum",
}
CLIPPED_CASES = ("above-positive", "below-negative")


def draw(values: Values) -> Frame:
    """The model of `ppo-clip` at a ratio, an advantage and a clip width."""
    advantage, epsilon = values["advantage"], values["clip_epsilon"]
    bounds = clip_bounds(clip_epsilon=epsilon)
    ratio = _snapped(values["ratio"], bounds)
    terms = surrogate_terms(ratio, advantage, clip_epsilon=epsilon)
    place = _place(ratio, bounds)
    case = "zero" if advantage == 0 else f"{place}-{'positive' if advantage > 0 else 'negative'}"
    sign = "=" if advantage == 0 else ">" if advantage > 0 else "<"
    return Frame(
        outputs={
            "objective": terms.objective,
            "unclipped": terms.unclipped,
            "clipped": terms.clipped,
            "slope": terms.slope,
        },
        spoken=_spoken(case, place, values, bounds),
        case=case,
        label=f"A {sign} 0, ratio {PLACES[place]}: {BRANCHES[_branch(case, place)]}",
        summary=_summary(case, place, terms, advantage),
        panels=[_panel(terms, advantage, epsilon, bounds)],
        table=_table(ratio, advantage, epsilon, bounds),
    )


def _snapped(ratio: float, bounds: ClipBounds) -> float:
    """The ratio, or the very bound that it stands on."""
    for edge in (bounds.low, bounds.high):
        if abs(ratio - edge) < SAME_PLACE:
            return edge
    return ratio


def _place(ratio: float, bounds: ClipBounds) -> str:
    if ratio in {bounds.low, bounds.high}:
        return "lower-edge" if ratio == bounds.low else "upper-edge"
    return "below" if ratio < bounds.low else "above" if ratio > bounds.high else "inside"


def _branch(case: str, place: str) -> str:
    """Which branch of the minimum decides."""
    if case == "zero":
        return "zero"
    if place not in {"below", "above"}:
        return "equal"
    return "clipped" if case in CLIPPED_CASES else "unclipped"


def _summary(case: str, place: str, terms: SurrogateTerms, advantage: float) -> str:
    ratio, objective = fixed(terms.ratio, 2), fixed(terms.objective, 2)
    slope, where = signed(terms.slope, 2), PLACES[place]
    wish = "larger" if advantage > 0 else "smaller"
    branch = _branch(case, place)
    if branch == "zero":
        return (
            f"With an advantage of zero the sample contributes 0.00 at ratio {ratio} and at every other, "
            "and its slope is 0.00."
        )
    if branch == "clipped":
        lower, higher = apart(terms.objective, terms.unclipped, 2)
        return (
            f"The ratio {ratio} is {where}, where the advantage {signed(advantage, 1)} wanted it, so the "
            f"clipped branch is the minimum: {lower} instead of {higher}, with a slope of 0.00, and the "
            "sample pushes no further."
        )
    if branch == "unclipped":
        lower, higher = apart(terms.objective, terms.clipped, 2)
        return (
            f"The ratio {ratio} is {where}, but the advantage {signed(advantage, 1)} wants it {wish}, so the "
            f"unclipped branch is the minimum: {lower} and not {higher}, with the full slope of {slope}."
        )
    if place == "inside":
        return (
            f"The ratio {ratio} is {where}, where both branches give {objective}, and the slope of {slope} "
            f"asks for a {wish} ratio."
        )
    beyond = "above" if place == "upper-edge" else "below"
    stops = f"{beyond}-{case.rsplit('-', 1)[1]}" in CLIPPED_CASES
    return (
        f"The ratio {ratio} is {where}, which belongs to the interval: both branches give {objective}, and "
        f"the slope, {slope} on the edge, {'becomes 0.00' if stops else 'stays the same'} just {beyond} it."
    )


def _spoken(case: str, place: str, values: Values, bounds: ClipBounds) -> dict[str, str]:
    low, high = fixed(bounds.low, 2), fixed(bounds.high, 2)
    ratio = f"ratio {fixed(values['ratio'], 2)}"
    if case in CLIPPED_CASES:
        ratio += f", clipped at {high if place == 'above' else low}"
    else:
        ratio += f", {PLACES[place]}" + (", not clipped" if place in {"below", "above"} else "")
    return {
        "ratio": ratio,
        "advantage": f"advantage {signed(values['advantage'], 1)} reward units",
        "clip_epsilon": f"clip width {fixed(values['clip_epsilon'], 2)}, interval from {low} to {high}",
    }


def _panel(terms: SurrogateTerms, advantage: float, epsilon: float, bounds: ClipBounds) -> dict[str, Any]:
    places = sorted({*GRID, bounds.low, bounds.high})
    curve = [surrogate_terms(r, advantage, clip_epsilon=epsilon) for r in places]
    sign = "zero" if advantage == 0 else "positive" if advantage > 0 else "negative"
    # Each label stands where its line is alone: the branches part on opposite sides for the two signs.
    at = {"unclipped": 0.96, "clipped": 0.1} if advantage >= 0 else {"unclipped": 0.06, "clipped": 0.94}
    apart = advantage != 0
    # The arrow points where gradient ascent moves the ratio; without a slope the piece lies flat.
    if terms.slope:
        reach = (terms.ratio, terms.ratio + (ARROW if terms.slope > 0 else -ARROW))
    else:
        reach = (max(terms.ratio - ARROW / 2, 0.0), min(terms.ratio + ARROW / 2, 2.0))
    rise = [terms.objective + terms.slope * (x - terms.ratio) for x in reach]
    return fig.panel(
        "objective",
        "Contribution of one sample",
        fig.axis("probability ratio r", (0, 2), ticks=(0, 0.5, 1, 1.5, 2)),
        fig.axis("contribution", (-HEIGHT, HEIGHT), unit="reward units", ticks=(-6, -4, -2, 0, 2, 4, 6)),
        bands=[fig.band("clip", bounds.low, bounds.high, "1 − ε to 1 + ε")],
        rules=[fig.rule("old", 1, "old policy"), fig.rule("edge", bounds.low), fig.rule("edge", bounds.high)],
        lines=[
            fig.line(
                "unclipped",
                places,
                [t.unclipped for t in curve],
                label="r·A" if apart else "",
                label_at=at["unclipped"],
            ),
            fig.line(
                "clipped",
                places,
                [t.clipped for t in curve],
                label="clip(r)·A" if apart else "",
                label_at=at["clipped"],
            ),
            fig.line(
                f"objective-{sign}", places, [t.objective for t in curve], label="objective", label_at=0.5
            ),
        ],
        segments=[
            fig.segment(
                "slope",
                reach,
                (rise[0], rise[1]),
                f"slope {signed(terms.slope, 2)}",
                arrow=terms.slope != 0,
            )
        ],
        points=[fig.point("new", terms.ratio, terms.objective, f"r = {fixed(terms.ratio, 2)}")],
    )


def _table(ratio: float, advantage: float, epsilon: float, bounds: ClipBounds) -> dict[str, Any]:
    rows = []
    for r in sorted({0.0, 0.5, bounds.low, 1.0, bounds.high, 1.5, 2.0, ratio}):
        terms = surrogate_terms(r, advantage, clip_epsilon=epsilon)
        place = PLACES[_place(r, bounds)] + (", current ratio" if r == ratio else "")
        numbers = (r, terms.unclipped, terms.clipped, terms.objective, terms.slope)
        rows.append([*(fig.cell(number, 2) for number in numbers), fig.words(place)])
    unit = "reward units"
    return fig.table(
        f"Contribution at advantage {signed(advantage, 1)} and clip width {fixed(epsilon, 2)}",
        [
            ("ratio r", ""),
            ("r·A", unit),
            ("clip(r)·A", unit),
            ("objective", unit),
            ("slope", unit),
            ("place", ""),
        ],
        rows,
    )


VIEW = View(
    id="ppo-clip", title="PPO's clipped objective, one sample", controls=CONTROLS, outputs=OUTPUTS, draw=draw
)

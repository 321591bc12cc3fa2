"""Widget `clip-is-not-a-bound`: one batch used for many epochs, and ratios that leave the clip interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..reuse import BatchReuse, reuse_batch
from ..surrogate import ClipBounds, clip_bounds
from . import figure as fig
from .model import Action, Control, Frame, Output, View
from .text import apart, counted, fixed, share_is, telling

if TYPE_CHECKING:
    from .model import Values

MAX_EPOCHS = 40
RATIO_TOPS = (2.0, 3.0, 5.0, 10.0)
KL_TOPS = (0.1, 0.25, 0.5, 1.0, 2.5)

CONTROLS = (
    Control("epochs", "Epochs on this batch", "", 0, MAX_EPOCHS, 1, 5, 30, decimals=0, stops=(0, MAX_EPOCHS)),
    Control(
        name="learning_rate",
        label="Learning rate",
        symbol="η",
        min=0.05,
        max=1.0,
        step=0.05,
        page=0.2,
        default=0.3,
        decimals=2,
        stops=(0.1, 0.3, 1.0),
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
    Control("seed", "Seed of the batch", "", 0, 99, 1, 10, 19, decimals=0),
)
OUTPUTS = (
    Output("max_ratio", "Largest ratio", "", 2),
    Output("outside_fraction", "Fraction outside the interval", "", 3),
    Output("clipped_fraction", "Fraction clipped", "", 3),
    Output("kl_old_new", "KL from old to new, D(old‖new)", "nats", 4),
)
ACTIONS = (
    Action("epochs", "One epoch", "add", by=1),
    Action("epochs", "Play", "play", by=1),
    Action("epochs", "Back to the start", "set", to=0),
    Action("seed", "Another seed", "add", by=1, wrap=True),
)
CASES = {
    "start": "no update yet: every ratio is one",
    "inside": "every ratio is inside the interval",
    "below": "a ratio is below the interval, none above",
    "carried": "the largest ratio has left the interval and its own slope is zero",
    "against": "the largest ratio has left the interval against its own advantage",
}


def draw(values: Values) -> Frame:
    """The model of `clip-is-not-a-bound` after some epochs of gradient ascent on one batch."""
    epochs, seed = int(values["epochs"]), int(values["seed"])
    run = reuse_batch(
        epochs=epochs,
        learning_rate=values["learning_rate"],
        clip_epsilon=values["clip_epsilon"],
        rng=np.random.default_rng(seed),
    )
    bounds = clip_bounds(clip_epsilon=values["clip_epsilon"])
    now = run.ratios[-1]
    largest = int(now.argmax())
    case = _case(run, bounds, largest)
    outputs = {
        "max_ratio": now[largest].item(),
        "outside_fraction": run.outside_fraction[-1].item(),
        "clipped_fraction": run.clipped_fraction[-1].item(),
        "kl_old_new": run.kl_old_new[-1].item(),
    }
    return Frame(
        outputs=outputs,
        spoken={
            "epochs": f"{counted(epochs, 'epoch')}, largest ratio {fixed(outputs['max_ratio'], 2)}",
            "learning_rate": f"learning rate {fixed(values['learning_rate'], 2)}",
            "clip_epsilon": (
                f"clip width {fixed(values['clip_epsilon'], 2)}, interval from {fixed(bounds.low, 2)} to "
                f"{fixed(bounds.high, 2)}"
            ),
            "seed": f"batch of seed {seed}",
        },
        case=case,
        label=CASES[case],
        summary=_summary(case, run, bounds, largest),
        panels=_panels(run, bounds, largest),
        table=_table(run),
    )


def _case(run: BatchReuse, bounds: ClipBounds, largest: int) -> str:
    now = run.ratios[-1]
    if len(run.ratios) == 1:
        return "start"
    if now[largest] > bounds.high:
        return "carried" if run.batch.advantages[largest] > 0 else "against"
    return "below" if now.min() < bounds.low else "inside"


def _summary(case: str, run: BatchReuse, bounds: ClipBounds, largest: int) -> str:
    epochs = len(run.ratios) - 1
    total = len(run.batch.advantages)
    when = f"After {counted(epochs, 'epoch')}"
    ratio, edge = apart(run.max_ratio[-1], bounds.high, 2)
    outside, clipped = (round(share[-1] * total) for share in (run.outside_fraction, run.clipped_fraction))
    counts = (
        f"{share_is(outside, total, 'ratio')} outside, {share_is(clipped, total, 'sample')} clipped, and the "
        f"KL is {_nats(run.kl_old_new[-1])}"
    )
    if case == "start":
        return f"Before the first epoch all {total} ratios are 1.00, none is clipped, and the KL is 0 nats."
    if case == "carried":
        return f"{when} the largest ratio is {ratio}, above {edge}: {_carried(run, largest)}; {counts}."
    if case == "against":
        advantage = telling(run.batch.advantages[largest], 2)
        return (
            f"{when} the largest ratio is {ratio}, above {edge}, although its sample has an advantage of "
            f"{advantage} and pulls it down; {counts}."
        )
    if case == "below":
        smallest, low = apart(run.ratios[-1].min(), bounds.low, 2)
        return f"{when} the smallest ratio is {smallest}, below {low}; {counts}."
    smallest, ratio = apart(run.ratios[-1].min(), run.max_ratio[-1], 2)
    return f"{when} every ratio is between {smallest} and {ratio}; {counts}."


def _carried(run: BatchReuse, largest: int) -> str:
    """How a ratio came to be above the interval on its own side, and who has moved it since."""
    last = len(run.ratios) - 1
    since = _clipped_since(run, largest)
    if since == last:
        return "the last step took it across the edge, where its own slope is zero"
    then, now = run.ratios[since, largest], run.ratios[last, largest]
    others = {
        True: "the other samples have carried it on",
        False: "the other samples have not brought it back",
    }[bool(now > then)]
    if fixed(then, 2) == fixed(now, 2):
        others = "the other samples have hardly moved it"
    return f"its own slope has been zero since epoch {since}, at {fixed(then, 2)}, and {others}"


def _clipped_since(run: BatchReuse, sample: int) -> int:
    """The epoch from which the sample has been clipped without a break, until now."""
    free = np.flatnonzero(~run.clipped[:, sample])
    return int(free[-1]) + 1 if len(free) else 0


def _nats(divergence: float) -> str:
    text = fixed(divergence, 4)
    return f"{'below 0.0001' if divergence and not float(text) else text} nats"


def _panels(run: BatchReuse, bounds: ClipBounds, largest: int) -> list[dict[str, Any]]:
    epochs = range(len(run.ratios))
    divergence = run.kl_old_new.tolist()
    return [
        _ratio_panel(run, bounds, largest),
        fig.panel(
            "fractions",
            "Outside and clipped",
            _epoch_axis(),
            fig.axis("fraction", (0, 1.05), ticks=(0, 0.25, 0.5, 0.75, 1)),
            lines=[
                fig.line("outside", epochs, run.outside_fraction.tolist(), label="outside"),
                fig.line("clipped", epochs, run.clipped_fraction.tolist(), label="clipped"),
            ],
        ),
        fig.panel(
            "kl",
            "KL from old to new policy",
            _epoch_axis(),
            fig.axis("KL", (0, fig.roomy(divergence, KL_TOPS)), unit="nats"),
            lines=[fig.line("kl", epochs, divergence)],
            points=[fig.point("kl", epochs[-1], divergence[-1], fixed(divergence[-1], 4))],
        ),
    ]


def _ratio_panel(run: BatchReuse, bounds: ClipBounds, largest: int) -> dict[str, Any]:
    """The ratio of every sample, with the one that went furthest and where its own slope became zero."""
    last = len(run.ratios) - 1
    now = run.ratios[-1].tolist()
    smallest = int(run.ratios[-1].argmin())
    advantages = run.batch.advantages.tolist()
    lines = [
        fig.line(
            "positive" if advantage > 0 else "negative",
            range(last + 1),
            curve,
            label=f"A = {telling(advantage, 2)}" if last and sample in {largest, smallest} else "",
        )
        for sample, (advantage, curve) in enumerate(zip(advantages, run.ratios.T.tolist(), strict=True))
    ]
    points = [
        fig.point("curve" if bounds.low <= ratio <= bounds.high else "outside", last, ratio) for ratio in now
    ]
    points[largest]["label"] = fixed(now[largest], 2)
    if run.clipped[-1, largest]:
        since = _clipped_since(run, largest)
        points.append(fig.point("edge", since, run.ratios[since, largest].item(), "slope 0"))
    return fig.panel(
        "ratios",
        "Ratio of each sample (diamond: outside)",
        _epoch_axis(),
        fig.axis("ratio", (0, fig.roomy(run.max_ratio.tolist(), RATIO_TOPS))),
        main=True,
        bands=[fig.band("clip", bounds.low, bounds.high, "1 − ε to 1 + ε", along="y")],
        lines=lines,
        points=points,
    )


def _epoch_axis() -> dict[str, Any]:
    return fig.axis("epochs", (0, MAX_EPOCHS), ticks=range(0, MAX_EPOCHS + 1, 10))


def _table(run: BatchReuse) -> dict[str, Any]:
    last = len(run.ratios) - 1
    curves = [
        (run.max_ratio, 4),
        (run.outside_fraction, 3),
        (run.clipped_fraction, 3),
        (run.kl_old_new, 4),
        (run.objective, 4),
    ]
    rows = [
        [fig.cell(epoch, 0), *(fig.cell(curve[epoch].item(), decimals) for curve, decimals in curves)]
        for epoch in sorted({*range(0, last, 5), last})
    ]
    return fig.table(
        f"The batch after {counted(last, 'epoch')}, and on the way there",
        [
            ("epochs", ""),
            ("largest ratio", ""),
            ("fraction outside", ""),
            ("fraction clipped", ""),
            ("KL from old to new", "nats"),
            ("objective", "reward units"),
        ],
        rows,
    )


VIEW = View(
    id="clip-is-not-a-bound",
    title="One batch, many epochs: the clip is not a bound",
    controls=CONTROLS,
    outputs=OUTPUTS,
    actions=ACTIONS,
    draw=draw,
)

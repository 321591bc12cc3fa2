"""Widget `kl`: two distributions over the same actions, and their divergence in both directions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..distributions import kl_divergence, kl_terms
from . import figure as fig
from .model import Control, Frame, Output, View
from .text import fixed, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import Values

NAMES = ("a₁", "a₂", "a₃")
TERM_TOPS = (0.4, 0.8, 1.6, 5.0)
"""Tops of the contribution panels; ln(1/0.01) = 4.61 is the largest finite contribution."""
DECIMALS = 6
TERM_DECIMALS = 4


def _probability(name: str, label: str, symbol: str, default: float) -> Control:
    return Control(
        name=name,
        label=label,
        symbol=symbol,
        min=0.0,
        max=1.0,
        step=0.01,
        page=0.1,
        default=default,
        decimals=2,
        stops=(0.0, 0.5, 1.0),
    )


CONTROLS = (
    Control("actions", "Number of actions", "", 2, 3, 1, 1, 2, decimals=0, stops=(2, 3)),
    _probability("p_1", "Probability of action 1 under p", "p₁", 0.7),
    _probability("p_2", "Probability of action 2 under p", "p₂", 0.2),
    _probability("q_1", "Probability of action 1 under q", "q₁", 0.5),
    _probability("q_2", "Probability of action 2 under q", "q₂", 0.3),
)
OUTPUTS = (
    Output("kl_pq", "KL from p to q, D(p‖q)", "nats", DECIMALS),
    Output("kl_qp", "KL from q to p, D(q‖p)", "nats", DECIMALS),
)
LABELS = {
    "equal": "equal distributions: both directions are zero",
    "finite": "both directions are finite",
    "infinite-pq": "D(p‖q) is infinite: q gives no probability to an action that p takes",
    "infinite-qp": "D(q‖p) is infinite: p gives no probability to an action that q takes",
    "infinite-both": "both directions are infinite: each leaves out an action that the other takes",
}


def draw(values: Values) -> Frame:
    """The model of `kl`. The last probability of each distribution is the rest, never below 0.

    With two actions `p_2` and `q_2` are not used. With three, a second probability that leaves less than 0
    for the third is lowered to what the first one leaves, and a notice says so.
    """
    count = int(values["actions"])
    p, p_2, p_notice = _distribution("p", count, values["p_1"], values["p_2"])
    q, q_2, q_notice = _distribution("q", count, values["q_1"], values["q_2"])
    forward, backward = kl_terms([p, q], [q, p]).tolist()
    kl_pq, kl_qp = kl_divergence([p, q], [q, p]).tolist()
    case = _case(p, q, kl_pq, kl_qp)
    names = NAMES[:count]
    return Frame(
        outputs={"kl_pq": kl_pq, "kl_qp": kl_qp},
        params={"p_2": p_2, "q_2": q_2},
        notices=tuple(notice for notice in (p_notice, q_notice) if notice),
        unused=("p_2", "q_2") if count == 2 else (),
        spoken=_spoken(count, p, q),
        case=case,
        label=LABELS[case],
        summary=_summary(case, p, q, forward=forward, kl_pq=kl_pq, kl_qp=kl_qp),
        panels=_panels(names, p, q, [("D(p‖q)", kl_pq, forward), ("D(q‖p)", kl_qp, backward)]),
        table=_table(names, [p, q, forward, backward], [kl_pq, kl_qp]),
    )


def _distribution(name: str, count: int, first: float, second: float) -> tuple[list[float], float, str]:
    """All probabilities of one distribution, where its second control stands, and what to say about that."""
    left = round(1 - first, 2)
    if count == 2:
        return [first, left], second, ""
    if second <= left:
        return [first, second, round(left - second, 2) + 0.0], second, ""
    symbols = f"{name}₁ + {name}₂"
    return [first, left, 0.0], left, f"{symbols} would be more than 1: {name}₂ = {fixed(left, 2)} is used."


def _case(p: list[float], q: list[float], kl_pq: float, kl_qp: float) -> str:
    if p == q:
        return "equal"
    infinite = (math.isinf(kl_pq), math.isinf(kl_qp))
    return {
        (False, False): "finite",
        (True, False): "infinite-pq",
        (False, True): "infinite-qp",
        (True, True): "infinite-both",
    }[infinite]


def _summary(
    case: str, p: list[float], q: list[float], *, forward: list[float], kl_pq: float, kl_qp: float
) -> str:
    if case == "equal":
        shares = _listed([fixed(share, 2) for share in p])
        return f"Both distributions are {shares}, so the divergence is {fixed(0, DECIMALS)} nats either way."
    if case == "finite":
        terms = _listed([f"action {i + 1} adds {signed(t, TERM_DECIMALS)}" for i, t in enumerate(forward)])
        return (
            f"From p to q, {terms}, together {fixed(kl_pq, DECIMALS)} nats; from q to p the divergence "
            f"is {fixed(kl_qp, DECIMALS)} nats."
        )
    if case == "infinite-pq":
        other = f"from q to p it is {fixed(kl_qp, DECIMALS)} nats"
        return f"From p to q the divergence is infinite, because {_missing('p', p, 'q', q)}; {other}."
    if case == "infinite-qp":
        other = f"from p to q it is {fixed(kl_pq, DECIMALS)} nats"
        return f"From q to p the divergence is infinite, because {_missing('q', q, 'p', p)}; {other}."
    return (
        f"Both directions are infinite, because {_missing('p', p, 'q', q)}, and {_missing('q', q, 'p', p)}."
    )


def _missing(name: str, taken: list[float], other_name: str, other: list[float]) -> str:
    """The action that makes a divergence infinite."""
    i = next(i for i, share in enumerate(other) if share == 0 and taken[i] > 0)
    return f"action {i + 1} has probability {fixed(taken[i], 2)} under {name} and 0.00 under {other_name}"


def _listed(parts: Sequence[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def _spoken(count: int, p: list[float], q: list[float]) -> dict[str, str]:
    spoken = {"actions": f"{count} actions"}
    for name, shares in (("p", p), ("q", q)):
        rest = f"action {count} has the rest, {fixed(shares[-1], 2)}"
        first, second = (f"action {i + 1} has {fixed(shares[i], 2)} under {name}" for i in range(2))
        spoken[f"{name}_1"] = f"{first}, {rest}"
        unused = f"used with three actions; now the rest, {fixed(shares[-1], 2)}"
        spoken[f"{name}_2"] = unused if count == 2 else f"{second}, {rest}"
    return spoken


def _panels(
    names: tuple[str, ...], p: list[float], q: list[float], terms: Sequence[tuple[str, float, list[float]]]
) -> list[dict[str, Any]]:
    finite = [term for _, _, contributions in terms for term in contributions if math.isfinite(term)]
    top = fig.roomy(finite, TERM_TOPS)
    shares = fig.panel(
        "distributions",
        "The two distributions",
        fig.categories("action", names),
        fig.axis("probability", (0, 1.1), ticks=(0, 0.25, 0.5, 0.75, 1)),
        bars=[
            fig.bars("p", names, p, [fixed(share, 2) for share in p], "p"),
            fig.bars("q", names, q, [fixed(share, 2) for share in q], "q"),
        ],
    )
    return [
        shares,
        *(
            fig.panel(
                panel_id,
                f"{title} = {fixed(total, TERM_DECIMALS)}",
                fig.categories("action", names),
                fig.axis("contribution", (-TERM_TOPS[0], top), unit="nats"),
                bars=[fig.signed_bars(names, contributions, TERM_DECIMALS, top=top)],
            )
            for panel_id, (title, total, contributions) in zip(("kl_pq", "kl_qp"), terms, strict=True)
        ),
    ]


def _table(names: tuple[str, ...], columns: list[list[float]], totals: list[float]) -> dict[str, Any]:
    decimals = (2, 2, DECIMALS, DECIMALS)
    rows = [
        [fig.words(name), *(fig.cell(column[i], d) for column, d in zip(columns, decimals, strict=True))]
        for i, name in enumerate(names)
    ]
    sums = [*(fig.cell(1, 2) for _ in range(2)), *(fig.cell(total, DECIMALS) for total in totals)]
    return fig.table(
        "Probabilities, and what each action adds to the divergence in either direction",
        [("action", ""), ("p", ""), ("q", ""), ("p log(p/q)", "nats"), ("q log(q/p)", "nats")],
        [*rows, [fig.words("sum"), *sums]],
    )


VIEW = View(
    id="kl",
    title="Kullback–Leibler divergence in both directions",
    controls=CONTROLS,
    outputs=OUTPUTS,
    draw=draw,
)

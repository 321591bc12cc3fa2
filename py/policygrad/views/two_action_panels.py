"""Figure and table of the widget `two-action-reinforce`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..reinforce import TwoActionRun, TwoActionUpdate, two_action_update
from . import figure as fig
from .text import counted, fixed

if TYPE_CHECKING:
    from .._checks import Array
    from .model import Values

MAX_STEPS = 60
TABLE_EVERY = 5
KL_TOPS = (0.1, 0.25, 0.5, 1.0, 3.0)
TERM_TOPS = (0.25, 0.5, 1.0, 2.0, 4.5)
DECIMALS = 4


def panels(
    values: Values, run: TwoActionRun, update: TwoActionUpdate, sampled: list[float]
) -> list[dict[str, Any]]:
    """Three curves up to the present update, and the terms of the next one."""
    step = int(values["step"])
    rewards = (values["reward_0"], values["reward_1"])
    reward_limits = (-fig.roomy([-r for r in rewards], (0.1, 1.1, 2.2)), fig.roomy(rewards, (0.1, 1.1, 2.2)))
    reference = fig.rule(
        "reference", values["ref_prob"], f"reference {fixed(values['ref_prob'], 2)}", along="y"
    )
    bars = [*sampled, update.reward_gradient, -values["kl_coef"] * update.kl_gradient, update.gradient]
    names = ("if a = 0", "if a = 1", "average", "KL pull", "sum")
    low, high = _term_limits(values, run)
    return [
        _curve("prob", "Probability of action 0", run.prob, step, role="curve", limits=(0, 1))
        | {"rules": [reference]},
        _curve(
            "reward",
            "Expected reward",
            run.expected_reward,
            step,
            role="reward",
            limits=reward_limits,
            unit="reward units",
        ),
        _curve(
            "kl",
            "KL to the reference",
            run.kl,
            step,
            role="kl",
            limits=(0, fig.roomy(run.kl.tolist(), KL_TOPS)),
            unit="nats",
        ),
        fig.panel(
            "terms",
            "Gradient terms of the next update",
            fig.categories("", names),
            fig.axis("gradient", (low, high), unit="reward units"),
            bars=[fig.signed_bars(names, bars, 3, top=max(-low, high))],
        ),
    ]


def _term_limits(values: Values, run: TwoActionRun) -> tuple[float, float]:
    """Limits for the bars of every update of the run, so that the axis rests while the updates go by.

    A sampled term grows or falls with the probability throughout, so the ends of the range of probabilities
    hold its extremes.
    """
    pull = -values["kl_coef"] * run.kl_gradient
    curves = [run.reward_gradient, pull, run.reward_gradient + pull]
    bars = [end for curve in curves for end in (curve.min().item(), curve.max().item())]
    bars += [
        two_action_update(
            prob,
            [values["reward_0"], values["reward_1"]],
            ref_prob=values["ref_prob"],
            kl_coef=values["kl_coef"],
            learning_rate=values["learning_rate"],
            action=action,
        ).reward_gradient
        for prob in (run.prob.min().item(), run.prob.max().item())
        for action in (0, 1)
    ]
    return -fig.roomy([-1.1 * bar for bar in bars], TERM_TOPS), fig.roomy(
        [1.1 * bar for bar in bars], TERM_TOPS
    )


def _curve(
    name: str,
    title: str,
    curve: Array,
    step: int,
    *,
    role: str,
    limits: tuple[float, float],
    unit: str = "",
) -> dict[str, Any]:
    """One quantity up to the present update: what comes next is for the reader to predict."""
    y = curve[: step + 1].tolist()
    return fig.panel(
        name,
        title,
        fig.axis("updates", (0, MAX_STEPS), ticks=range(0, MAX_STEPS + 1, 10)),
        fig.axis(title if title.startswith("KL") else title.lower(), limits, unit=unit),
        lines=[fig.line(role, range(len(y)), y)],
        points=[fig.point("new", step, y[step], fixed(y[step], 2))],
    )


def table(step: int, run: TwoActionRun) -> dict[str, Any]:
    """The numbers of the curves, every few updates and at the present one."""
    curves = [run.prob, run.expected_reward, run.kl, run.reward_gradient, run.kl_gradient]
    rows = [
        [fig.cell(k, 0), *(fig.cell(curve[k].item(), DECIMALS) for curve in curves)]
        for k in sorted({*range(0, step, TABLE_EVERY), step})
    ]
    return fig.table(
        f"The policy after {counted(step, 'update')}, and on the way there",
        [
            ("updates", ""),
            ("probability of action 0", ""),
            ("expected reward", "reward units"),
            ("KL to the reference", "nats"),
            ("reward gradient", "reward units"),
            ("KL gradient", "nats"),
        ],
        rows,
    )

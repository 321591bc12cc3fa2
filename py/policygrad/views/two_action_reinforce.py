"""Widget `two-action-reinforce`: averaged REINFORCE updates of one logit, held back towards a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..reinforce import TwoActionRun, TwoActionUpdate, two_action_run, two_action_update
from . import figure as fig
from .model import Action, Control, Frame, Output, View
from .text import counted, fixed, signed

if TYPE_CHECKING:
    from .._checks import Array
    from .model import Values

MAX_STEPS = 60
TABLE_EVERY = 5
KL_TOPS = (0.1, 0.25, 0.5, 1.0, 3.0)
TERM_TOPS = (0.1, 0.25, 0.5, 1.0, 4.0)
DECIMALS = 4

CONTROLS = (
    Control(
        name="prob",
        label="Probability of action 0 at the start",
        symbol="π(0)",
        min=0.05,
        max=0.95,
        step=0.01,
        page=0.1,
        default=0.3,
        decimals=2,
        stops=(0.5,),
    ),
    Control("reward_0", "Reward of action 0", "R₀", -2.0, 2.0, 0.1, 0.5, 1.0, 1, "reward units", (0.0, 1.0)),
    Control("reward_1", "Reward of action 1", "R₁", -2.0, 2.0, 0.1, 0.5, 0.0, 1, "reward units", (0.0, 1.0)),
    Control(
        name="ref_prob",
        label="Probability of action 0 under the reference",
        symbol="",
        min=0.05,
        max=0.95,
        step=0.01,
        page=0.1,
        default=0.5,
        decimals=2,
        stops=(0.5,),
    ),
    Control(
        name="kl_coef",
        label="Weight of the KL",
        symbol="β",
        min=0.0,
        max=1.0,
        step=0.05,
        page=0.2,
        default=0.5,
        decimals=2,
        unit="reward units per nat",
        stops=(0.0, 0.5, 1.0),
    ),
    Control(
        name="learning_rate",
        label="Learning rate",
        symbol="η",
        min=0.0,
        max=4.0,
        step=0.1,
        page=0.5,
        default=1.0,
        decimals=1,
        stops=(0.0, 1.0, 2.0),
    ),
    Control("step", "Updates done", "", 0, MAX_STEPS, 1, 10, 10, decimals=0, stops=(0, MAX_STEPS)),
)
OUTPUTS = (
    Output("prob_now", "Probability of action 0 now", "", DECIMALS),
    Output("expected_reward", "Expected reward V", "reward units", DECIMALS),
    Output("kl", "KL from the policy to the reference, D(π‖ref)", "nats", DECIMALS),
    Output("reward_gradient", "Gradient of the expected reward", "reward units", DECIMALS),
    Output("kl_gradient", "Gradient of the KL, before its weight", "nats", DECIMALS),
)
ACTIONS = (
    Action("step", "One update", "add", by=1),
    Action("step", "Play", "play", by=1),
    Action("step", "Back to the start", "set", to=0),
)
CASES = {
    "reward-only": "only the reward pulls",
    "kl-only": "only the KL pulls",
    "same-way": "reward and KL pull the same way",
    "reward-stronger": "reward against KL, the reward is stronger",
    "kl-stronger": "reward against KL, the KL is stronger",
    "balance": "reward and KL hold each other",
    "faint": "hardly anything pulls any more",
    "still": "nothing pulls",
}
HELD = 5e-5
"""A gradient below this is 0.0000 in the text."""
NONE = 1e-12
"""A gradient below this is rounding."""


def draw(values: Values) -> Frame:
    """The model of `two-action-reinforce` after `step` updates, every one averaged over both actions."""
    step = int(values["step"])
    rewards = [values["reward_0"], values["reward_1"]]
    ref_prob, kl_coef, rate = values["ref_prob"], values["kl_coef"], values["learning_rate"]
    run = two_action_run(
        values["prob"], rewards, ref_prob=ref_prob, kl_coef=kl_coef, learning_rate=rate, num_updates=MAX_STEPS
    )
    now = run.prob[step].item()
    # The next update as averaged, and as either sampled action alone would make it.
    update, *sampled = (
        two_action_update(now, rewards, ref_prob=ref_prob, kl_coef=kl_coef, learning_rate=rate, action=action)
        for action in (None, 0, 1)
    )
    case = _case(update, values["kl_coef"])
    return Frame(
        outputs={
            "prob_now": now,
            "expected_reward": update.expected_reward,
            "kl": update.kl,
            "reward_gradient": update.reward_gradient,
            "kl_gradient": update.kl_gradient,
        },
        spoken=_spoken(values, now),
        case=case,
        label=CASES[case],
        summary=_summary(case, values, now, update),
        panels=_panels(values, run, update, [term.reward_gradient for term in sampled]),
        table=_table(step, run),
    )


def _case(update: TwoActionUpdate, kl_coef: float) -> str:
    reward, pull = update.reward_gradient, -kl_coef * update.kl_gradient
    if max(abs(reward), abs(pull)) < HELD:
        return "still" if max(abs(reward), abs(pull)) < NONE else "faint"
    if abs(pull) < HELD:
        return "reward-only"
    if abs(reward) < HELD:
        return "kl-only"
    if reward * pull > 0:
        return "same-way"
    if fixed(abs(reward), DECIMALS) == fixed(abs(pull), DECIMALS):
        return "balance"
    return "reward-stronger" if abs(reward) > abs(pull) else "kl-stronger"


def _summary(case: str, values: Values, now: float, update: TwoActionUpdate) -> str:
    step = int(values["step"])
    when = f"After {counted(step, 'update')}" if step else "Before the first update"
    pull = -values["kl_coef"] * update.kl_gradient
    goal = f"towards {fixed(values['ref_prob'], 2)}"
    reward_words = f"the reward pulls it {_way(update.reward_gradient)} ({signed(update.reward_gradient, 4)})"
    kl_words = f"the KL pulls it {_way(pull)} {goal} ({signed(pull, 4)})"
    pulls = {
        "reward-only": f"{reward_words} and the KL adds {_little(pull)}",
        "kl-only": f"{kl_words} and the reward adds {_little(update.reward_gradient)}",
        "same-way": f"{reward_words} and {kl_words}",
        "reward-stronger": f"{reward_words} more strongly than {kl_words}",
        "kl-stronger": f"{reward_words} less strongly than {kl_words}",
        "balance": f"{reward_words} just as strongly as {kl_words}",
        "faint": "hardly anything pulls at it any more",
        "still": "neither the reward nor the KL pulls at it",
    }[case]
    then = _then(case, fixed(now, DECIMALS), fixed(update.new_prob, DECIMALS), values["learning_rate"])
    return f"{when} action 0 has probability {fixed(now, DECIMALS)}: {pulls}, {then}."


def _then(case: str, now: str, new: str, learning_rate: float) -> str:
    """What the next update does, in step with the probabilities as they are shown."""
    if case == "still":
        return "so the next update leaves it there"
    little = "the next update moves it by less than 0.0001"
    if case in {"faint", "balance"}:
        return f"so {little}"
    if not learning_rate:
        return "but with a learning rate of zero it stays there"
    if now == new:
        return f"and {little}"
    return f"so the next update takes it to {new}"


def _way(gradient: float) -> str:
    return "up" if gradient > 0 else "down"


def _little(gradient: float) -> str:
    return "nothing" if abs(gradient) < NONE else "next to nothing"


def _spoken(values: Values, now: float) -> dict[str, str]:
    step = int(values["step"])
    return {
        "prob": f"action 0 starts at {fixed(values['prob'], 2)}",
        "reward_0": f"action 0 earns {signed(values['reward_0'], 1)} reward units",
        "reward_1": f"action 1 earns {signed(values['reward_1'], 1)} reward units",
        "ref_prob": f"the reference gives action 0 a probability of {fixed(values['ref_prob'], 2)}",
        "kl_coef": f"KL weight {fixed(values['kl_coef'], 2)}" + ("" if values["kl_coef"] else ", no pull"),
        "learning_rate": f"learning rate {fixed(values['learning_rate'], 1)}",
        "step": f"{counted(step, 'update')} done, probability of action 0 is {fixed(now, 2)}",
    }


def _panels(
    values: Values, run: TwoActionRun, update: TwoActionUpdate, sampled: list[float]
) -> list[dict[str, Any]]:
    step = int(values["step"])
    rewards = (values["reward_0"], values["reward_1"])
    reward_limits = (-fig.roomy([-r for r in rewards], (0.1, 1.1, 2.2)), fig.roomy(rewards, (0.1, 1.1, 2.2)))
    reference = fig.rule(
        "reference", values["ref_prob"], f"reference {fixed(values['ref_prob'], 2)}", along="y"
    )
    bars = [*sampled, update.reward_gradient, -values["kl_coef"] * update.kl_gradient, update.gradient]
    names = ("if a = 0", "if a = 1", "average", "KL pull", "sum")
    top = fig.roomy([1.1 * abs(bar) for bar in bars], TERM_TOPS)
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
            fig.axis("gradient", (-top, top), unit="reward units"),
            bars=[fig.signed_bars(names, bars, 3, top=top)],
        ),
    ]


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


def _table(step: int, run: TwoActionRun) -> dict[str, Any]:
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


VIEW = View(
    id="two-action-reinforce",
    title="REINFORCE with two actions and a pull towards a reference",
    controls=CONTROLS,
    outputs=OUTPUTS,
    actions=ACTIONS,
    draw=draw,
)

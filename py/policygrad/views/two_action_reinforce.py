"""Widget `two-action-reinforce`: averaged REINFORCE updates of one logit, held back towards a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..reinforce import TwoActionUpdate, two_action_run, two_action_update
from .model import Action, Control, Frame, Output, View
from .text import counted, fixed, signed
from .two_action_panels import DECIMALS, MAX_STEPS, panels, table

if TYPE_CHECKING:
    from .model import Values


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
        panels=panels(values, run, update, [term.reward_gradient for term in sampled]),
        table=table(step, run),
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


VIEW = View(
    id="two-action-reinforce",
    title="REINFORCE with two actions and a pull towards a reference",
    controls=CONTROLS,
    outputs=OUTPUTS,
    actions=ACTIONS,
    draw=draw,
)

"""Synthetic lessons for tests and benchmarks: any number of them, each with its own words and numbers.

They come in four families that use different parts of the core, so that a change of one function concerns
only some of them. As a program: `python many_lessons.py PROJECT COUNT` adds COUNT lessons to the project.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase


@dataclass(frozen=True)
class Family:
    """What the lessons of one family share: a widget and an equation, and the calls that they show."""

    widget: str
    value: str
    equation: str
    right: str
    wrong: str
    answer: str


FAMILIES = {
    "clip": Family(
        "ppo-clip",
        "clipped_objective({a}, 2, clip_epsilon=0.2)",
        ":numpy: np.minimum(r * A, np.clip(r, 1 - eps, 1 + eps) * A)\n"
        ":core: clipped_objective(r, A, clip_epsilon=eps)\n"
        ":each: r=[0.3, 1.0, 1.4], A=[-2, 2], eps=[0.2]\n"
        r"J = \min(r A, \operatorname{clip}(r, 1 - \varepsilon, 1 + \varepsilon) A)",
        "clipped_objective({b}, -2, clip_epsilon=0.2)",
        "clipped_objective({b}, 2, clip_epsilon=0.2)",
        "np.minimum({b} * -2, np.clip({b}, 1 - 0.2, 1 + 0.2) * -2)",
    ),
    "kl": Family(
        "kl",
        "kl_divergence([0.7, 0.3], [{p}, {q}])",
        ":numpy: np.sum(p * np.log(p / q))\n"
        ":core: kl_divergence(p, q)\n"
        ":each: p=[[0.7, 0.3], [0.1, 0.9]], q=[[0.5, 0.5], [0.6, 0.4]]\n"
        r"D(p \Vert q) = \sum_i p_i \log \frac{p_i}{q_i}",
        "kl_divergence([0.9, 0.1], [{p}, {q}])",
        "kl_divergence([{p}, {q}], [0.9, 0.1])",
        "0.9 * np.log(0.9 / {p}) + 0.1 * np.log(0.1 / {q})",
    ),
    "update": Family(
        "two-action-reinforce",
        "two_action_update({p}, [1.0, 0.0], ref_prob=0.5, kl_coef=0.0, learning_rate=1.0).reward_gradient",
        ":numpy: p * (1 - p) * (R0 - R1)\n"
        ":core: two_action_update(p, [R0, R1], ref_prob=0.5, kl_coef=0, learning_rate=1).reward_gradient\n"
        ":each: p=[0.2, 0.7], R0=[1.0, -2.0], R1=[0.0, 0.5]\n"
        r"g = \pi(0) \, \pi(1) \, (R_0 - R_1)",
        "two_action_update({p}, [2.0, 0.0], ref_prob=0.5, kl_coef=0.0, learning_rate=1.0).reward_gradient",
        "two_action_update({p}, [4.0, 0.0], ref_prob=0.5, kl_coef=0.0, learning_rate=1.0).reward_gradient",
        "{p} * {q} * 2.0",
    ),
    "slope": Family(
        "ppo-clip",
        "entropy([{p}, {q}])",
        ":numpy: -np.sum(p * np.log(p))\n"
        ":core: entropy(p)\n"
        ":each: p=[[0.7, 0.3], [0.1, 0.9]]\n"
        r"H = -\sum_i p_i \log p_i",
        "clipped_objective_slope({b}, -3, clip_epsilon=0.2)",
        "clipped_objective_slope({b}, 3, clip_epsilon=0.2)",
        "-3",
    ),
}

PAGE = """---
id: {id}
title: {title}
description: A generated lesson of the family {family}.
objective: After this lesson you can say nothing new, because it was made to be built.
topic: policy-gradients
version: 0.1.0
status: Generated
published: null
revised: 2026-12-01
author: null
evidence_scope: Generated for tests; nothing is claimed.
sources: [ppo]
foundations: [{before}]
related: [output-head]
---

# {title}

This is one of many lessons with the same shape and different numbers. It says {{value}}`{value} | .4f` once,
and it points to a source {{cite}}`ppo`.

## The figure

:::{{widget}} {widget}
:caption: A figure in a generated lesson.
:try: Move a control. | Move another one.
:::

{paragraphs}

## The formula

:::{{math}} relation
{equation}
:::

## A question

:::{{exercise}} choice which
:answer: {answer}
:hint: One of the two is right.

Which of these does the core give?

- [x] {{value}}`{right} | .3f`, as computed.
  > Yes.
- [ ] {{value}}`{wrong} | .3f`, by another call.
  > No: compare the arguments.

:::{{solution}}
The answer is {{value}}`{right} | .3f`.
:::
:::

## Sources

:::{{sources}}
:::
"""


def name_of(number: int) -> str:
    """A name without digits, because titles hold none: A … Z, AA …"""
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        name = ascii_uppercase[letter] + name
    return name


def family_of(number: int) -> str:
    """The families take turns."""
    return list(FAMILIES)[number % len(FAMILIES)]


def lesson_id(number: int) -> str:
    """Ids sort in the order of their numbers."""
    return f"generated-{number:04d}"


def lesson_source(number: int) -> str:
    """The source of one lesson; every number gives another text and other values."""
    step = (number % 97) / 1000
    numbers = {
        "a": f"{1.05 + step:.3f}",
        "b": f"{1.3 + step:.3f}",
        "p": f"{0.5 + step:.3f}",
        "q": f"{0.5 - step:.3f}",
    }
    title = f"Generated lesson {name_of(number)}"
    family = FAMILIES[family_of(number)]
    texts = {key: getattr(family, key).format_map(numbers) for key in ("value", "right", "wrong", "answer")}
    sentence = f"{title} goes on for a while, so that it has the length of a lesson and *some* markup. "
    return PAGE.format(
        id=lesson_id(number),
        title=title,
        family=family_of(number),
        before=lesson_id(number - 1) if number else "output-head",
        widget=family.widget,
        equation=family.equation,
        paragraphs="\n\n".join([sentence * 3] * 6),
        **texts,
    )


def write_lessons(root: Path, count: int) -> list[str]:
    """Write `count` lessons into the project at `root` and return their ids."""
    ids = [lesson_id(number) for number in range(count)]
    for number, name in enumerate(ids):
        folder = root / "lesson-data" / "lessons" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "lesson.md").write_text(lesson_source(number), encoding="utf-8")
    return ids


if __name__ == "__main__":
    write_lessons(Path(sys.argv[1]), int(sys.argv[2]))

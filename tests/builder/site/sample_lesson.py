"""A small artifact with one of everything, written by hand: page tests need no other part of the build."""

from __future__ import annotations

from typing import Any

from sample_widget import sample_widget

Node = dict[str, Any]


def text(words: str) -> Node:
    """Plain text as an inline node."""
    return {"t": "text", "text": words}


def paragraph(*inline: Node) -> Node:
    """A paragraph block."""
    return {"type": "paragraph", "inline": list(inline)}


def every_inline() -> list[Node]:
    """One inline node of each kind."""
    return [
        text("Plain, "),
        {"t": "em", "children": [text("stressed")]},
        text(", "),
        {"t": "strong", "children": [text("strong")]},
        text(", "),
        {"t": "code", "text": "kl_divergence(p, q)"},
        text(", "),
        {"t": "math", "tex": r"r = \pi_\theta / \pi_\mathrm{old}"},
        text(", "),
        {"t": "link", "href": "https://example.org/paper", "children": [text("linked")]},
        text(", "),
        {"t": "value", "fixture": "negative", "text": "−2.8"},
        text(", "),
        {"t": "literal", "text": "0.5"},
        text(", "),
        {
            "t": "set",
            "widget": "ppo-clip",
            "params": {"ratio": 1.4, "advantage": -2},
            "text": "make it negative",
        },
        text(", "),
        {"t": "live", "widget": "ppo-clip", "output": "objective", "text": "2.40"},
        {"t": "cite", "source": "ppo"},
        text(", "),
        {"t": "lesson", "id": "sample-lesson", "title": "This lesson", "here": True},
        text(", "),
        {"t": "lesson", "id": "output-head", "title": "Output head and decoding", "here": False},
        {"t": "break"},
        text("and a new line."),
    ]


def every_block() -> list[Node]:
    """One block of each kind that is not tied to a section of its own."""
    return [
        paragraph(*every_inline()),
        {
            "type": "list",
            "ordered": True,
            "items": [
                [paragraph(text("Write down who sampled."))],
                [
                    paragraph(text("Turn the return into an advantage.")),
                    paragraph(text("Then leave it alone.")),
                ],
            ],
        },
        {"type": "list", "ordered": False, "items": [[paragraph(text("One point."))]]},
        {"type": "equation", "equation": "clipped-term", "tex": r"J = \min(rA, \operatorname{clip}(r) A)"},
        {
            "type": "table",
            "head": [[text("advantage")], [text("contribution")]],
            "rows": [[[text("+2")], [{"t": "value", "fixture": "positive", "text": "2.4"}]]],
        },
        {
            "type": "symbols",
            "rows": [
                {
                    "symbol": [{"t": "math", "tex": "r"}],
                    "meaning": [text("probability now over probability then")],
                    "unit": [text("dimensionless")],
                }
            ],
        },
        {"type": "code", "lang": "python", "text": "print(1 < 2)\n"},
        *(
            {
                "type": "note",
                "kind": kind,
                "title": [text(f"A note: {kind}")],
                "blocks": [paragraph(text("Body."))],
            }
            for kind in ("assumptions", "wrong", "remember", "aside")
        ),
        {"type": "note", "kind": "wrong", "title": [], "blocks": [paragraph(text("Without a title."))]},
    ]


def sample_exercise() -> Node:
    """A choice with three options."""
    call = {"call": "clipped_objective", "args": {"ratios": 1.4, "advantages": -2, "clip_epsilon": 0.2}}

    def option(label: str, correct: bool, feedback: str, value: float) -> Node:
        return {
            "label": [text(label)],
            "correct": correct,
            "feedback": [paragraph(text(feedback))],
            "run": {**call, "label": label},
            "result": {"value": value, "display": str(value)},
        }

    return {
        "id": "clipped-negative",
        "kind": "choice",
        "question": [text("What does the sample contribute?")],
        "options": [
            option("−2.8, the worse candidate", True, "FEEDBACK-RIGHT: the minimum keeps it.", -2.8),
            option("−2.4, because of the clip", False, "FEEDBACK-CLAMP: that is the other candidate.", -2.4),
            option("+2.8, the sign is dropped", False, "FEEDBACK-SIGN: the sign decides.", 2.8),
        ],
        "hints": [[text("Write down both candidates.")], [text("Both are negative.")]],
        "solution": [paragraph(text("SOLUTION-TEXT "), {"t": "math", "tex": "rA"})],
        "hash": "0123456789abcdef",
    }


def sample_fixture(name: str, value: float, display: str) -> Node:
    """A number that the page shows."""
    args = {"ratios": 1.4, "advantages": 2.0 if value > 0 else -2.0, "clip_epsilon": 0.2}
    return {
        "id": name,
        "call": "clipped_objective",
        "args": args,
        "value": value,
        "tolerance": 1e-9,
        "display": display,
        "unit": "",
    }


def sample_artifact(lesson_id: str = "sample-lesson") -> Node:
    """The whole artifact."""
    return {
        "schemaVersion": 1,
        "id": lesson_id,
        "title": "A sample & its figures",
        "description": "One of everything, for looking at and for testing.",
        "objective": "After this lesson you can tell a page that is complete from one that is not.",
        "topic": "model-lifecycle-posttraining",
        "version": "1.0.0",
        "status": "Published educational lesson",
        "published": "2026-12-01",
        "revised": "2026-12-01",
        "author": None,
        "evidenceScope": "Worked example.",
        "sections": [
            {
                "id": "a-sample",
                "level": 1,
                "title": "A sample & its figures",
                "blocks": [paragraph(text("Hello."))],
            },
            {"id": "mechanism", "level": 2, "title": "The mechanism", "blocks": every_block()},
            {
                "id": "relation",
                "level": 3,
                "title": "The relation",
                "blocks": [{"type": "widget", "widget": "ppo-clip"}],
            },
            {
                "id": "check",
                "level": 2,
                "title": "Check your understanding",
                "blocks": [{"type": "exercise", "exercise": "clipped-negative"}],
            },
            {"id": "sources", "level": 2, "title": "Sources", "blocks": [{"type": "sources"}]},
            {"id": "continue", "level": 2, "title": "Continue exploring", "blocks": []},
            {
                "id": "foundations",
                "level": 3,
                "title": "Foundations",
                "blocks": [{"type": "links", "which": "foundations"}],
            },
            {
                "id": "related",
                "level": 3,
                "title": "Related lessons",
                "blocks": [{"type": "links", "which": "related"}],
            },
        ],
        "widgets": [sample_widget()],
        "equations": [
            {
                "id": "clipped-term",
                "tex": r"J = \min(rA, \operatorname{clip}(r) A)",
                "check": "none",
                "reason": "a sample",
            }
        ],
        "exercises": [sample_exercise()],
        "fixtures": [sample_fixture("positive", 2.4, "2.4"), sample_fixture("negative", -2.8, "−2.8")],
        "sources": [
            {
                "key": "ppo",
                "title": "Proximal Policy Optimization Algorithms",
                "authors": "Schulman and others",
                "year": 2017,
                "url": "https://arxiv.org/abs/1707.06347",
                "kind": "primary paper",
                "scope": "Defines the clipped objective.",
            }
        ],
        "foundations": [{"id": "output-head", "title": "Output head and decoding", "here": False}],
        "related": [],
        "core": {"version": "1.0.0", "functions": ["clipped_objective"], "numpy": "2.4.3"},
    }

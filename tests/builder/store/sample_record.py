"""A small artifact with every kind of block and inline content, written by hand."""

from __future__ import annotations

from typing import Any

from lessonbuild.project import Course

TOPICS = {"policy-gradients": "Policy gradients", "model-lifecycle-posttraining": "Post-training"}
COURSE = Course("Course", "What it is.", "https://example.org/base/", ("sample",), {}, TOPICS)


def text(words: str) -> dict[str, Any]:
    """A piece of text."""
    return {"t": "text", "text": words}


def paragraph(*inline: dict[str, Any]) -> dict[str, Any]:
    """A paragraph block."""
    return {"type": "paragraph", "inline": list(inline)}


def sample_artifact() -> dict[str, Any]:
    """The artifact; a new one each time, so that tests may change it."""
    return {
        "schemaVersion": 1,
        "id": "sample",
        "title": "A sample & more",
        "description": "What is seen here.",
        "objective": "Say what is seen.",
        "topic": "policy-gradients",
        "version": "1.2.0",
        "status": "Draft",
        "published": None,
        "revised": "2026-12-01",
        "author": None,
        "evidenceScope": "Only an example_with_underscores.",
        "sections": [
            {
                "id": "a-sample-more",
                "level": 1,
                "title": "A sample & more",
                "blocks": [
                    paragraph(
                        text("Plain, "),
                        {"t": "em", "children": [text("stressed")]},
                        text(", "),
                        {"t": "strong", "children": [text("strong "), {"t": "code", "text": "x`y"}]},
                        text(", "),
                        {"t": "math", "tex": "r_t \\le 2"},
                        text(" and "),
                        {"t": "value", "fixture": "v", "text": "−2.8"},
                        {"t": "break"},
                        {"t": "literal", "text": "0.5"},
                        text(" "),
                        {"t": "set", "widget": "w", "params": {"r": 1}, "text": "set it"},
                        text(" to "),
                        {"t": "live", "widget": "w", "output": "o", "text": "2.40"},
                        text(" "),
                        {"t": "cite", "source": "two"},
                        text(", "),
                        {"t": "lesson", "id": "other", "title": "Other", "here": True},
                        text(", "),
                        {"t": "lesson", "id": "far", "title": "Far", "here": False},
                        text(", "),
                        {"t": "link", "href": "../index.html", "children": [text("all")]},
                    )
                ],
            },
            {
                "id": "blocks",
                "level": 2,
                "title": "Blocks #",
                "blocks": [
                    {
                        "type": "list",
                        "ordered": True,
                        "items": [[paragraph(text("one"))], [paragraph(text("two"))]],
                    },
                    {
                        "type": "list",
                        "ordered": True,
                        "items": [
                            [paragraph(text("other")), {"type": "code", "lang": "", "text": "in a list"}]
                        ],
                    },
                    {
                        "type": "table",
                        "head": [[text("a|b")], [{"t": "math", "tex": "\\|x\\|"}]],
                        "rows": [[[{"t": "code", "text": "a | b"}], []]],
                    },
                    {
                        "type": "symbols",
                        "rows": [
                            {
                                "symbol": [{"t": "math", "tex": "r"}],
                                "meaning": [text("ratio")],
                                "unit": [text("none")],
                            }
                        ],
                    },
                    {"type": "code", "lang": "python", "text": "# no heading\n```\n## nor this\n"},
                    {"type": "equation", "equation": "e", "tex": "J\n= \\min(a, b) % why\n+ c"},
                    {"type": "equation", "equation": "f", "tex": "-x"},
                    {"type": "widget", "widget": "w"},
                    {
                        "type": "note",
                        "kind": "wrong",
                        "title": [text("Where *it* goes wrong")],
                        "blocks": [
                            paragraph(text("Like this.")),
                            {"type": "equation", "equation": "g", "tex": "y"},
                        ],
                    },
                ],
            },
            {
                "id": "question",
                "level": 2,
                "title": "Question",
                "blocks": [{"type": "exercise", "exercise": "x"}],
            },
            {
                "id": "end",
                "level": 2,
                "title": "End",
                "blocks": [
                    {"type": "sources"},
                    {"type": "links", "which": "foundations"},
                    {"type": "links", "which": "related"},
                ],
            },
        ],
        "widgets": [
            {
                "id": "w",
                "view": "v",
                "params": {},
                "caption": [text("What to see.")],
                "try": [[text("Move it.")]],
                "spec": {"title": "The figure", "controls": []},
                "frame": {
                    "summary": "It stands at 1.40.",
                    "spoken": {"r": "ratio 1.40", "s": "seed 3", "t": "not used with 2 actions"},
                    "unused": ["t"],
                    "outputs": [{"name": "o", "label": "Term", "value": 2.4, "text": "2.40", "unit": "nats"}],
                },
            }
        ],
        "equations": [
            {"id": "e", "tex": "…", "check": "core", "numpy": "np.minimum(a, b) + c"},
            {"id": "f", "tex": "-x", "check": "none", "reason": "a name"},
            {"id": "g", "tex": "y", "check": "none", "reason": "a name"},
        ],
        "exercises": [
            {
                "id": "x",
                "kind": "choice",
                "question": [text("Which "), {"t": "math", "tex": "r"}, text("?")],
                "options": [
                    {"label": [text("this")], "correct": False, "feedback": [paragraph(text("No."))]},
                    {"label": [text("that")], "correct": True, "feedback": [paragraph(text("Yes."))]},
                ],
                "hints": [[text("Look.")]],
                "solution": [paragraph(text("Because."))],
                "hash": "0" * 16,
            }
        ],
        "fixtures": [],
        "sources": [
            {
                "key": "one",
                "title": "One",
                "authors": "A, B, C",
                "year": 2017,
                "url": "https://example.net/1",
                "kind": "paper",
                "scope": "All.",
            },
            {
                "key": "two",
                "title": "Two",
                "authors": "D, E",
                "year": 1992,
                "url": "https://example.net/2",
                "kind": "note",
                "scope": "Some.",
            },
        ],
        "foundations": [{"id": "far", "title": "Far", "here": False}],
        "related": [{"id": "other", "title": "Other", "here": True}],
        "core": {"version": "1.0.0", "functions": [], "numpy": "2.4.3"},
    }

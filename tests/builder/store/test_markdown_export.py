"""The Markdown export of an artifact that has every kind of content, compared as a whole."""

from __future__ import annotations

from typing import Any

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from sample_record import COURSE, paragraph, sample_artifact, text

from lessonbuild.markdown_export import export_markdown
from lessonbuild.record import addresses

WHERE = addresses(COURSE, "sample", "sample-0123456789abcdef.json")

EXPECTED = r"""policy-gradients · v1.2.0

# A sample & more

What is seen here.

[Open the interactive lesson](https://example.org/base/index.html#sample)

**Learning objective.** Say what is seen.

**Scope of the evidence.** Only an example\_with\_underscores.

Plain, *stressed*, **strong ``x`y``**, $r_t \le 2$ and −2.8\
0.5 set it to 2.40 (D and E, 1992), [Other](https://example.org/base/lessons/other.html), Far (not here yet), [all](https://example.org/base/index.html)

## Blocks \#

1. one
2. two

<!-- -->

1. other

   ```
   in a list
   ```

| a\|b | $\\|x\\|$ |
| --- | --- |
| `a \| b` |  |

| Symbol | Meaning | Unit |
| --- | --- | --- |
| $r$ | ratio | none |

````python
# no heading
```
## nor this
````

$$
J = \min(a, b) + c
$$

In NumPy: `np.minimum(a, b) + c`

$$ -x $$

**The figure** ([interactive figure](https://example.org/base/lessons/sample.html#w))

It stands at 1.40.

Settings: ratio 1.40; seed 3.

| Output | Value | Unit |
| --- | --- | --- |
| Term | 2.40 | nats |

What to see.

To try on the page:

- Move it.

> **Where \*it\* goes wrong**
>
> Like this.
>
> $$
> y
> $$

## Question

### Which $r$?

1. this
2. that

Hints:

- Look.

**Answer and reasoning:** option 2.

Because.

- Option 1: No.
- Option 2: Yes.

## End

- [One (2017)](https://example.net/1), A, B, C (paper). All.
- [Two (1992)](https://example.net/2), D, E (note). Some.

[Published lesson data](https://example.org/base/lesson-data/sample-0123456789abcdef.json) · [Licences](https://example.org/base/licences.html)

- Far (not here yet)

- [Other](https://example.org/base/lessons/other.html)
"""


def test_every_kind_of_content_has_its_markdown() -> None:
    assert export_markdown(sample_artifact(), WHERE) == EXPECTED


@pytest.mark.parametrize("maths", [False, True])
def test_only_headings_are_headings(maths: bool) -> None:
    parser = MarkdownIt("commonmark").enable("table")
    if maths:
        parser.use(dollarmath_plugin)
    tokens = parser.parse(export_markdown(sample_artifact(), WHERE))
    found = [tokens[place + 1].content for place, token in enumerate(tokens) if token.type == "heading_open"]
    assert found == ["A sample & more", "Blocks \\#", "Question", "Which $r$?", "End"]


@pytest.mark.parametrize("start", ["= b", "- b", "# b", "1. b", "> b", "~~~ b", "| b", "+ b"])
def test_formulas_are_never_read_as_blocks(start: str) -> None:
    artifact = sample_artifact()
    for tex in (start, f"a\n{start}"):
        artifact["sections"][0]["blocks"] = [{"type": "equation", "equation": "g", "tex": tex}]
        tokens = MarkdownIt("commonmark").enable("table").parse(export_markdown(artifact, WHERE))
        kinds = [token.type for token in tokens if token.map and token.type.endswith("_open")]
        before_blocks = kinds[: kinds.index("ordered_list_open")]
        assert before_blocks == [
            "paragraph_open",
            "heading_open",
            *["paragraph_open"] * 5,
            "heading_open",
        ]


def block(kind: str, /, **values: Any) -> dict[str, Any]:
    """A block of one kind."""
    return {"type": kind, **values}


def test_an_exercise_inside_a_note_brings_no_heading() -> None:
    artifact = sample_artifact()
    inner = block("note", kind="aside", title=[text("Try")], blocks=[block("exercise", exercise="x")])
    artifact["sections"][0]["blocks"] = [inner]
    assert "> **Which $r$?**" in export_markdown(artifact, WHERE)


def test_feedback_that_begins_with_another_block_keeps_its_label() -> None:
    artifact = sample_artifact()
    artifact["exercises"][0]["options"][0]["feedback"] = [
        block("code", lang="", text="x"),
        paragraph(text("So.")),
    ]
    assert "- Option 1:\n\n  ```\n  x\n  ```\n\n  So.\n" in export_markdown(artifact, WHERE)


@pytest.mark.parametrize("unknown", [block("film"), paragraph({"t": "blink", "text": "x"})])
def test_unknown_content_is_an_error_and_not_left_out(unknown: dict[str, Any]) -> None:
    artifact = sample_artifact()
    artifact["sections"][0]["blocks"] = [unknown]
    with pytest.raises(ValueError, match=r"unknown kind '(film|blink)'"):
        export_markdown(artifact, WHERE)

"""A digit typed anywhere in a lesson's prose is reported at its own line, and nothing else is."""

import re
from pathlib import Path

import pytest
from lesson_cases import compile_bytes

# Every @ is a place where a reader would see what is typed.
SOURCE = """\
---
id: sample
title: A lesson@
description: Words.@
objective: >
  Words
  of several lines@
topic: testing
version: 1.0.0
status: Draft@
published: null
revised: 2026-10-07
author: null
evidence_scope: |
  First@

  and last@
sources: [ppo]
foundations: []
related: []
---

# A lesson

Words with `code
over two lines` and@
*emphasis
over@ two*, a [link
over two@](https://example.org/a)
and@ $a +
b$ then {value}`softmax([0,
0])[0] | .1f` then@
a hard break  @
and\\
another@.

## Section@ {#section}

- item@
  that goes on@

  with a paragraph@
  1. inner
     item@
- | head@ | b |
  |---|---|
  | cell | cell@ |

| head | head@ |
|:--|--:|
| cell@ | **cell@** |

### Deep *section@*

:::{widget} kl
:caption: Words
  of several@
  lines@.
:try: Drag@ |
  and drag@ again
:try: Then@
:::

:::{note} aside
:title: Title@

Words@

:::{symbols}
$r$ | ratio@ | none@

| $A$ | advantage | unit@ |
:::

- item
  :::{math} ratio
  :check: none
  :reason: only a name
  r
  :::
  after@
:::

See {set}`kl: p_1=0.5 | words@` and
{lesson}`second`@.

:::{exercise} choice which
:check: none
:reason: a question about words
:hint: Words@
:hint: More
  words@

Question@
of two lines@?

- [x] Right@
  and more@
  > Feedback@
  > more@
  >
  > - item@
- [ ] Wrong@ {run}`softmax([0, 1])[0] | label@`

  > Feedback@

:::{solution}
Words@

| a@ | b |
|---|---|
| a | b@ |
:::
:::

Last@
"""
PLACES = [match.start() for match in re.finditer("@", SOURCE)]


@pytest.mark.parametrize("place", PLACES, ids=lambda at: f"line {SOURCE.count(chr(10), 0, at) + 1}")
def test_a_digit_is_reported_at_its_line(place: int, tmp_path: Path) -> None:
    marked = SOURCE[:place] + "\0" + SOURCE[place + 1 :]
    source = marked.replace("@", "").replace("\0", " 7 ")
    line = source.count("\n", 0, source.index(" 7 ")) + 1
    errors = compile_bytes(tmp_path, source.encode()).errors
    found = [(error.line, error.rule) for error in errors if error.rule != "title-first"]
    assert found == [(line, "number-typed")]


def test_without_digits_there_is_no_error(tmp_path: Path) -> None:
    assert compile_bytes(tmp_path, SOURCE.replace("@", "").encode()).errors == []

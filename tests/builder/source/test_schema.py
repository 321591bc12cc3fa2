"""The lesson schema allows what is described and nothing else."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lesson_cases import ROOT, artifact_of

from lessonbuild import schemas

SCHEMA = json.loads((ROOT / "lesson-data/schema/lesson.schema.json").read_text(encoding="utf-8"))

SOURCE = """\
*Words* {value}`softmax([0, 0])[0] | .1f` {cite}`ppo`.

:::{widget} ppo-clip
:caption: Words.
:try: Drag.
:::

:::{math} ratio
:numpy: a / b
:core: probability_ratios(np.log(a), np.log(b))
:each: a=[0.2, 0.4], b=[0.5, 0.25]
r = a / b
:::

:::{exercise} choice half
:answer: 1 / 2
:hint: Count.

What is the probability?

- [x] {value}`softmax([0, 0])[0] | .1f`.
  > Yes.
- [ ] {value}`entropy([0.5, 0.5]) | .2f`.
  > No.

:::{solution}
One of two.
:::
:::
"""


def objects(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every part of the schema that describes the properties of an object."""
    if isinstance(schema, dict):
        if "properties" in schema and "required" in schema and "allOf" not in schema:
            yield path, schema
        for key, inner in schema.items():
            yield from objects(inner, f"{path}/{key}")
    elif isinstance(schema, list):
        for number, inner in enumerate(schema):
            yield from objects(inner, f"{path}/{number}")


def test_no_object_has_properties_that_are_not_described() -> None:
    found = dict(objects(SCHEMA))
    assert len(found) > 40
    assert [path for path, schema in found.items() if schema.get("additionalProperties") is not False] == []
    assert [
        path for path, schema in found.items() if set(schema["required"]) - set(schema["properties"])
    ] == []


def inner_objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a document whose keys are fixed."""
    if isinstance(value, dict):
        if not value.keys() & {
            "ratio",
            "logits",
            "probs",
            "a",
        }:  # parameters, arguments and points have free keys
            yield value
        for inner in value.values():
            yield from inner_objects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from inner_objects(inner)


def test_an_added_property_is_found_wherever_it_stands(tmp_path: Path) -> None:
    artifact = artifact_of(tmp_path, SOURCE)
    places = [place for place in inner_objects(artifact) if place]
    kinds = {tuple(place) for place in places}
    assert len(kinds) > 30
    for kind in kinds:
        place = next(place for place in places if tuple(place) == kind)
        place["surplus"] = 1
        assert list(schemas.violations(ROOT, "lesson", artifact)), kind
        del place["surplus"]
    assert not list(schemas.violations(ROOT, "lesson", artifact))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["id"], "Two Words"),
        (["version"], "1.0"),
        (["published"], "yesterday"),
        (["sections"], []),
        (["sections", 0, "level"], 4),
        (["sections", 0, "blocks", 0, "type"], "picture"),
        (["sections", 0, "blocks", 0, "inline", 0, "t"], "html"),
        (["widgets", 0, "frame", "notices"], ["something was changed"]),
        (["widgets", 0, "frame", "figure", "panels"], []),
        (["equations", 0, "check"], "none"),
        (["equations", 0, "at"], [{"a": 1}]),
        (["exercises", 0, "options", 1, "correct"], True),
        (["exercises", 0, "options", 0, "correct"], False),
        (["exercises", 0, "hints"], []),
        (["exercises", 0, "hash"], "xyz"),
        (["fixtures", 0, "tolerance"], 1e-6),
        (["fixtures", 0, "value"], "NaN"),
        (["fixtures", 0, "call"], "os.system()"),
        (["sources", 0, "url"], "javascript:alert()"),
    ],
    ids=lambda value: "/".join(map(str, value)) if isinstance(value, list) else None,
)
def test_a_wrong_value_is_found(path: list[Any], value: Any, tmp_path: Path) -> None:
    artifact = copy.deepcopy(artifact_of(tmp_path, SOURCE))
    place = artifact
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert list(schemas.violations(ROOT, "lesson", artifact))

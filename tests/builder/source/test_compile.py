"""The compiler as a whole: what it returns beside the artifact, and what may not change its bytes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lesson_cases import HEAD, ROOT, TITLE, artifact_of, compile_bytes, compile_text, sample_project

from lessonbuild.errors import MathError
from lessonbuild.hashing import artifact_bytes
from lessonbuild.numerals import rounded
from lessonbuild.project import load_project
from lessonbuild.source.compile import compile_lesson
from lessonbuild.source.front_matter import read_title

SOURCE = """\
{value}`kl_divergence([0.7, 0.3], [0.5, 0.5]) | .6f`, {live}`kl.kl_pq` and {set}`kl: p_1=0.75 | more`.

:::{widget} kl
:caption: Words.
:try: Drag. | Drag again.
:p_1: 0.6
:::

:::{math} name
:check: none
:reason: names a ratio
r
:::

:::{math} ratio
:numpy: a / b
:core: probability_ratios(np.log(a), np.log(b))
:each: a=[0.2, 0.4], b=[0.5, 0.25]
r = a / b
:::
"""


def test_what_a_lesson_used_and_left_unchecked_is_reported(tmp_path: Path) -> None:
    result = compile_text(tmp_path, SOURCE)
    assert result.errors == []
    assert result.used_core == {"kl_divergence", "probability_ratios", "view:kl"}
    (note,) = result.report_lines
    assert note.endswith("sample/lesson.md:27: equation name is not checked: names a ratio")
    assert result.artifact is not None
    assert result.artifact["core"]["functions"] == ["kl_divergence", "probability_ratios"]


def test_a_widget_is_stored_with_its_first_frame(tmp_path: Path) -> None:
    artifact = artifact_of(tmp_path, SOURCE)
    (widget,) = artifact["widgets"]
    assert widget["params"] == {"p_1": 0.6}
    assert widget["frame"]["params"]["p_1"] == 0.6
    assert [entry[0]["text"] for entry in widget["try"]] == ["Drag.", "Drag again."]
    outputs = {output["name"]: output for output in widget["frame"]["outputs"]}
    live, moved = (
        artifact["sections"][0]["blocks"][0]["inline"][2],
        artifact["sections"][0]["blocks"][0]["inline"][4],
    )
    assert live == {"t": "live", "widget": "kl", "output": "kl_pq", "text": outputs["kl_pq"]["text"]}
    assert moved == {"t": "set", "widget": "kl", "params": {"p_1": 0.75}, "text": "more"}


def floats(value: Any) -> Iterator[float]:
    """Every float in a JSON value."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from floats(inner)


def test_numbers_of_a_frame_have_eight_significant_digits(tmp_path: Path) -> None:
    found = list(floats(artifact_of(tmp_path, SOURCE)["widgets"][0]["frame"]))
    assert len(found) > 20
    assert [value for value in found if rounded(value, 8) != value] == []


def test_the_same_source_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (artifact_bytes(artifact_of(tmp_path, SOURCE)) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    "change", ["byte-order mark", "line ends of Windows", "line ends of old Macintoshes"]
)
def test_what_an_editor_adds_changes_nothing(change: str, tmp_path: Path) -> None:
    plain = (HEAD + TITLE + SOURCE).encode()
    changed = {
        "byte-order mark": b"\xef\xbb\xbf" + plain,
        "line ends of Windows": plain.replace(b"\n", b"\r\n"),
        "line ends of old Macintoshes": plain.replace(b"\n", b"\r"),
    }[change]
    assert compile_bytes(tmp_path, changed).artifact == compile_bytes(tmp_path, plain).artifact


def test_all_errors_of_a_run_are_reported_by_line(tmp_path: Path) -> None:
    source = (
        HEAD.replace("version: 1.0.0", "version: one")
        + TITLE
        + "A 7.\n\n:::{nothing}\n:::\n\n$\\fracx$ and {cite}`x`\n"
    )
    result = compile_text(tmp_path, source)
    assert result.artifact is None
    assert [(error.line, error.rule) for error in result.errors] == [
        (7, "front-matter-value"),
        (19, "number-typed"),
        (21, "directive-known"),
        (24, "math-renders"),
        (24, "source-known"),
    ]


def test_an_error_is_printed_as_editors_expect_it(tmp_path: Path) -> None:
    (error,) = compile_text(tmp_path, "A 7.\n").errors
    assert str(error) == (
        f"{tmp_path.as_posix()}/sample/lesson.md:19: error: "
        '"7" is typed in prose; compute it with {value}, or mark a given number with {literal} [number-typed]'
    )


def test_a_missing_file_is_an_error_at_its_first_line(tmp_path: Path) -> None:
    result = compile_lesson(tmp_path / "sample" / "lesson.md", sample_project(), NoTypesetter())
    assert [error.rule for error in result.errors] == ["file-read"]
    assert "No such file" in result.errors[0].message


class NoTypesetter:
    """Refuses everything, as a typesetter would that is asked for formulas it should not see."""

    def render(self, tex: str, display: bool) -> str:
        raise MathError(f"asked for {tex}")


def test_formulas_with_typed_decimals_are_not_typeset(tmp_path: Path) -> None:
    path = tmp_path / "sample" / "lesson.md"
    path.parent.mkdir()
    path.write_text(HEAD + TITLE + "$r = 1.5$ and $x$\n", encoding="utf-8")
    result = compile_lesson(path, sample_project(), NoTypesetter())
    assert [error.rule for error in result.errors] == ["number-in-math", "math-renders"]
    assert "asked for x" in result.errors[1].message


def test_the_title_is_read_from_a_lesson_with_mistakes() -> None:
    assert read_title(HEAD) == "A lesson"
    assert read_title("no front matter") is None
    assert read_title("---\ntitle: [\n---\n") is None


def test_the_lessons_of_this_folder_compile() -> None:
    project = load_project(ROOT)
    for lesson in project.lessons:
        result = compile_lesson(project.lesson_path(lesson), project, Accepting())
        assert [str(error) for error in result.errors] == []


class Accepting:
    """A typesetter that takes everything; what KaTeX says about our lessons is part of the site's tests."""

    def render(self, tex: str, display: bool) -> str:
        return f"{tex}{display}"

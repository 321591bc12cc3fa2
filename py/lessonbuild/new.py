"""`build.py new ID`: start a lesson that builds at once and shows every part that a lesson has.

Other files keep every byte, except that course.toml gets the lesson's id at the end of its order and, where
the lesson was listed as being elsewhere, loses that line.
"""

from __future__ import annotations

import datetime
import re
import tomllib
from pathlib import Path
from typing import Any, Final

from lessonbuild.atomic import write_atomic
from lessonbuild.project import COURSE, id_fault, load_project
from lessonbuild.source.front_matter import KEYS
from lessonbuild.toml_source import line_of

TEMPLATE: Final = Path(__file__).parent / "templates" / "lesson.md"
_TOKEN: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*|[\[\],]')


class NewLessonError(Exception):
    """The lesson cannot be started; the message says why and what to type instead."""


def new_lesson(root: Path, lesson_id: str) -> Path:
    """Write the source of a new lesson, list it in course.toml, and return the source's path.

    Raises NewLessonError for an id that cannot be used or is taken, and ProjectError for mistakes in the
    files around the lessons; nothing has been written then.
    """
    _check_id(lesson_id)
    project = load_project(root, planned=lesson_id)
    path = project.lesson_path(lesson_id)
    if path.exists():
        shown = path.relative_to(root).as_posix()
        raise NewLessonError(f"{shown} is there already; edit it, or choose another id")
    course_path = root / COURSE
    mark, course = _read(course_path)
    title = project.course.elsewhere.get(lesson_id, "")
    listed = _listed(course, lesson_id)
    text = TEMPLATE.read_text(encoding="utf-8")
    text = text.replace("LESSON-TITLE", title if _usable(title) else _title(lesson_id))
    text = text.replace("LESSON-DAY", datetime.date.today().isoformat()).replace("LESSON-ID", lesson_id)
    text = text.replace("LESSON-TOPIC", next(iter(project.course.topics)))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, text.encode())
    write_atomic(course_path, (mark + listed).encode())
    return path


def _read(path: Path) -> tuple[str, str]:
    """A file's byte-order mark, if it has one, and its text with the line ends that it has."""
    text = path.read_bytes().decode("utf-8")
    bare = text.removeprefix("\ufeff")
    return text[: len(text) - len(bare)], bare


def _check_id(lesson_id: str) -> None:
    if fault := id_fault(lesson_id):
        near = "-".join(re.findall(r"[a-z0-9]+", lesson_id.lower()))
        hint = f'; "{near}" would do' if near and near != lesson_id and id_fault(near) is None else ""
        raise NewLessonError(fault + hint)


def _usable(title: str) -> bool:
    """Whether a title can stand in front matter and in a heading as it is."""
    return bool(re.fullmatch(r"[\w ,.'’/&()?!-]+", title)) and KEYS["title"].check(title) is None


def _title(lesson_id: str) -> str:
    """A title from the id, without the digits that titles may not have."""
    words = " ".join(re.findall(r"[a-z]+", lesson_id))
    return words[:1].upper() + words[1:] if words else "Untitled"


def _listed(course: str, lesson_id: str) -> str:
    """The text of course.toml with the lesson at the end of the order and no longer elsewhere."""
    before = tomllib.loads(course)
    wanted: dict[str, Any] = {**before, "elsewhere": dict(before["elsewhere"])}
    text = course
    if wanted["elsewhere"].pop(lesson_id, None) is not None:
        lines = text.splitlines(keepends=True)
        del lines[line_of(text, ["elsewhere", lesson_id]) - 1]
        text = "".join(lines)
    if lesson_id not in before["order"]:
        wanted["order"] = [*before["order"], lesson_id]
        text = _appended(text, lesson_id)
    try:
        right = tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        right = False
    if not right:
        raise NewLessonError(
            f'{COURSE} is laid out in a way that cannot be extended safely; add "{lesson_id}" to its order '
            "and remove it from [elsewhere] by hand, then run this again"
        )
    return text


def _appended(text: str, lesson_id: str) -> str:
    """The text with one more entry in the array `order`, laid out like the entries before it."""
    opening = re.search(r"^order\s*=\s*\[", text, re.MULTILINE)
    if opening is None:
        return text
    place, comma, entry = opening.end(), True, ""
    for token in _TOKEN.finditer(text, opening.end()):
        if token.group() == "]":
            break
        if token.group() == ",":
            place, comma = token.end(), True
        elif token.group()[0] in "\"'":
            place, comma, entry = token.end(), False, token.group()
    line = text[text.rfind("\n", 0, place) + 1 : place]
    indent = re.match(r"\s*", line)
    own_line = bool(entry) and line.strip().rstrip(",").rstrip() == entry and indent is not None
    gap = f"\n{indent.group()}" if own_line and indent else " " if entry else ""
    new = f'{"" if comma else ","}{gap}"{lesson_id}"' + ("," if comma and own_line else "")
    return text[:place] + new + text[place:]

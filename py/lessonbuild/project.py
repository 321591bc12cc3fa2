"""What a lesson may refer to: the course, the source register, the glossary, and the other lessons.

The three TOML files are validated here, so every other part may rely on their form. A `Project` can hand out
a copy of itself that notes each entry that is looked up; the incremental build repeats a lesson when one of
exactly those entries has changed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from lessonbuild.errors import AuthorError, did_you_mean
from lessonbuild.hashing import LESSON_ID, canonical_hash
from lessonbuild.source.front_matter import read_title
from lessonbuild.toml_source import line_of, read_toml

RULES: Final[dict[str, str]] = {
    "course-order": "The order in course.toml names lessons of this folder.",
    "course-elsewhere": "A lesson of this folder is not also listed as being elsewhere.",
    "lesson-folder": "Folders of lessons are named by lesson ids.",
}

DATA: Final = "lesson-data"
COURSE, SOURCES, GLOSSARY = (f"{DATA}/{name}.toml" for name in ("course", "sources", "glossary"))

V = TypeVar("V")


class ProjectError(Exception):
    """The files around the lessons hold mistakes; `errors` lists all of them."""

    def __init__(self, errors: Iterable[AuthorError]) -> None:
        self.errors = sorted(errors)
        super().__init__("\n".join(map(str, self.errors)))


@dataclass(frozen=True, slots=True)
class Course:
    """course.toml."""

    title: str
    description: str
    base_url: str
    """Where the published copy lives; ends in a slash. Pages never use it, records and exports do."""
    order: tuple[str, ...]
    elsewhere: Mapping[str, str]
    """Lesson id → title of the lessons that are pointed to and are not in this folder."""
    series: str | None = None
    license: str | None = None


@dataclass(frozen=True)
class Project:
    """Everything around the lessons; `lessons` maps the ids of this folder to titles, in reading order."""

    root: Path
    course: Course
    sources: Mapping[str, Mapping[str, Any]]
    glossary: Mapping[str, Mapping[str, Any]]
    lessons: Mapping[str, str]

    @property
    def data_dir(self) -> Path:
        """lesson-data/, where sources lie and generated files go."""
        return self.root / DATA

    @property
    def lesson_dir(self) -> Path:
        """The folder with one folder per lesson."""
        return self.data_dir / "lessons"

    def lesson_path(self, lesson_id: str) -> Path:
        """The source file of a lesson of this folder."""
        return self.lesson_dir / lesson_id / "lesson.md"

    def noting(self, note: Callable[[str], None]) -> Project:
        """A copy that calls `note` with an address like `sources/ppo` for every entry that is looked up."""
        return dataclasses.replace(
            self,
            course=dataclasses.replace(
                self.course, elsewhere=_Noted(self.course.elsewhere, "elsewhere", note)
            ),
            sources=_Noted(self.sources, "sources", note),
            glossary=_Noted(self.glossary, "glossary", note),
            lessons=_Noted(self.lessons, "lessons", note),
        )

    def fingerprint(self, address: str) -> str:
        """Hash of what stands at an address that `noting` reported; an absent entry has one too."""
        table, _, key = address.partition("/")
        entries: Mapping[str, Any] = self.course.elsewhere if table == "elsewhere" else getattr(self, table)
        return canonical_hash(dict(entries) if key == "*" else [entries.get(key)])


class _Noted(Mapping[str, V], Generic[V]):
    """A mapping that reports what is read from it; reading the list of keys counts as reading everything."""

    def __init__(self, entries: Mapping[str, V], table: str, note: Callable[[str], None]) -> None:
        self._entries, self._table, self._note = entries, table, note

    def __getitem__(self, key: str) -> V:
        self._note(f"{self._table}/{key}")
        return self._entries[key]

    def __contains__(self, key: object) -> bool:
        self._note(f"{self._table}/{key}")
        return key in self._entries

    def __iter__(self) -> Iterator[str]:
        self._note(f"{self._table}/*")
        return iter(self._entries)

    def __len__(self) -> int:
        self._note(f"{self._table}/*")
        return len(self._entries)


class _Titles(Mapping[str, str]):
    """Titles of the lessons of a folder, each read from its front matter when somebody asks for it."""

    def __init__(self, folder: Path, ids: tuple[str, ...]) -> None:
        self._folder, self._ids = folder, dict.fromkeys(ids)
        self._read: dict[str, str] = {}

    def __getitem__(self, key: str) -> str:
        if key not in self._ids:
            raise KeyError(key)
        if key not in self._read:
            text = (self._folder / key / "lesson.md").read_text(encoding="utf-8", errors="replace")
            self._read[key] = read_title(text) or key
        return self._read[key]

    def __contains__(self, key: object) -> bool:
        return key in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def load_project(root: Path, *, planned: str | None = None) -> Project:
    """Read and check the files around the lessons. A `planned` lesson may be in the order before it exists.

    Raises ProjectError with every mistake in the three TOML files and in the names of the lessons' folders.
    """
    course, errors = read_toml(root, COURSE, "course")
    sources, found = read_toml(root, SOURCES, "sources")
    glossary, more = read_toml(root, GLOSSARY, "glossary")
    folders = _lesson_folders(root)
    errors += found + more + _folder_errors(root, folders)
    if course:
        errors += _course_errors(root, course, folders, planned)
    if errors:
        raise ProjectError(errors)
    course["order"] = tuple(course["order"])
    unlisted = sorted(set(folders) - set(course["order"]))
    titles = _Titles(root / DATA / "lessons", (*course["order"], *unlisted))
    return Project(root, Course(**course), sources, glossary, titles)


def _lesson_folders(root: Path) -> list[str]:
    return sorted(path.parent.name for path in (root / DATA / "lessons").glob("*/lesson.md"))


def _folder_errors(root: Path, folders: list[str]) -> list[AuthorError]:
    return [
        AuthorError(
            f"{DATA}/lessons/{name}/lesson.md",
            1,
            f'"{name}" is no lesson id: use lower-case letters, digits and single hyphens',
            "lesson-folder",
        )
        for name in folders
        if not LESSON_ID.fullmatch(name)
    ]


def _course_errors(
    root: Path, course: dict[str, Any], folders: list[str], planned: str | None
) -> list[AuthorError]:
    text = (root / COURSE).read_text(encoding="utf-8")
    missing = [
        AuthorError(
            COURSE,
            line_of(text, ["order"]),
            f'the order names "{lesson}", but there is no {DATA}/lessons/{lesson}/lesson.md'
            + did_you_mean(lesson, folders),
            "course-order",
        )
        for lesson in course["order"]
        if lesson not in folders and lesson != planned
    ]
    twice = [
        AuthorError(
            COURSE,
            line_of(text, ["elsewhere", lesson]),
            f'"{lesson}" is in this folder now; remove it from [elsewhere]',
            "course-elsewhere",
        )
        for lesson in course["elsewhere"]
        if lesson in folders
    ]
    return missing + twice

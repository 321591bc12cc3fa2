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
    "lesson-folder": "Every folder of a lesson is named by the lesson's id and holds its lesson.md.",
}

DATA: Final = "lesson-data"
LONGEST_ID: Final = 80
"""Characters of a lesson's id; names of files are made from it."""
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
    topics: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Topic id → the words that readers see."""
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
                self.course,
                elsewhere=_Noted(self.course.elsewhere, "elsewhere", note),
                topics=_Noted(self.course.topics, "topics", note),
            ),
            sources=_Noted(self.sources, "sources", note),
            glossary=_Noted(self.glossary, "glossary", note),
            lessons=_Noted(self.lessons, "lessons", note),
        )

    def fingerprint(self, address: str) -> str:
        """Hash of what stands at an address that `noting` reported; an absent entry has one too."""
        table, _, key = address.partition("/")
        entries: Mapping[str, Any] = getattr(self.course if table in {"elsewhere", "topics"} else self, table)
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
    errors += found + more + _folder_errors(root, [name for name in folders if name != planned])
    if course:
        errors += _course_errors(root, course, folders, planned)
    if errors:
        raise ProjectError(errors)
    course["order"] = tuple(course["order"])
    unlisted = sorted(set(folders) - set(course["order"]))
    titles = _Titles(root / DATA / "lessons", (*course["order"], *unlisted))
    return Project(root, Course(**course), sources, glossary, titles)


def _lesson_folders(root: Path) -> list[str]:
    """The folders that hold something; empty ones are what version control leaves behind."""
    return sorted(
        path.name
        for path in (root / DATA / "lessons").glob("[!.]*")
        if path.is_dir() and next(path.iterdir(), None) is not None
    )


def _folder_errors(root: Path, folders: list[str]) -> list[AuthorError]:
    """What is wrong with the folders: their names, and a lesson.md that is not there or not a file."""
    found = [(name, id_fault(name) or _source_fault(root / DATA / "lessons" / name)) for name in folders]
    return [
        AuthorError(f"{DATA}/lessons/{name}/lesson.md", 1, fault, "lesson-folder")
        for name, fault in found
        if fault
    ]


def id_fault(lesson_id: str) -> str | None:
    """What is wrong with an id as the name of a lesson's folder and files, or None."""
    if not LESSON_ID.fullmatch(lesson_id):
        return f'"{lesson_id}" is no lesson id: use lower-case words joined by hyphens'
    if len(lesson_id) > LONGEST_ID:
        return f"the id has {len(lesson_id)} characters; file names allow {LONGEST_ID}"
    if lesson_id.endswith("-solutions"):
        return f'"{lesson_id}" would be the page of worked solutions of another lesson; choose another id'
    return None


def _source_fault(folder: Path) -> str | None:
    source = folder / "lesson.md"
    if source.is_file():
        return None
    if source.exists():
        return "this is not a file; a lesson's source is one"
    if source.is_symlink():
        return "this is a link that leads nowhere; put the file itself here"
    near = [path.name for path in folder.iterdir() if path.suffix.lower() in {".md", ".markdown", ".txt"}]
    return "the folder has no lesson.md" + (
        f"; rename {min(near)}" if near else "; write it, or remove the folder"
    )


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

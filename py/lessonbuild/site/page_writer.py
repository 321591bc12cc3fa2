"""Finished pages: drawn contents in their shells, with the addresses of this build's scripts and styles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lessonbuild.index import Entry
from lessonbuild.project import Course
from lessonbuild.site.assets import hashed_name
from lessonbuild.site.output import Staging
from lessonbuild.site.page_data import data_script
from lessonbuild.site.pages import LessonFiles, LessonParts, PageMaker, Shell

FROM_LESSONS = "../"


@dataclass(frozen=True, slots=True)
class DrawnLesson:
    """A lesson and what its pages consist of."""

    entry: Entry
    """What the index says about it: enough for titles and cards, without reading the whole artifact."""
    files: LessonFiles
    parts: LessonParts


class PageWriter:
    """Writes pages into the growing site; `names` are those of the assets."""

    def __init__(self, site: Staging, maker: PageMaker, names: Mapping[str, str]) -> None:
        self._site = site
        self._maker = maker
        self._names = names

    def lesson(self, lesson: DrawnLesson) -> None:
        """The lesson, its data and its solutions."""
        entry, parts = lesson.entry, lesson.parts
        data = data_script(parts.data, FROM_LESSONS, self._names)
        data_name = hashed_name(entry["id"], data, ".data.js")
        self._site.write(f"lessons/{data_name}", data)
        self._page(
            f"lessons/{entry['id']}.html",
            parts.main,
            Shell(
                page="lesson",
                title=entry["title"],
                description=entry["description"],
                root=FROM_LESSONS,
                scripts=(data_name, f"{FROM_LESSONS}assets/{self._names['page']}"),
                lesson_id=entry["id"],
            ),
        )
        self._page(
            f"lessons/{entry['id']}-solutions.html",
            parts.solutions,
            Shell(
                page="solutions",
                title=f"Solutions: {entry['title']}",
                description=f"Worked solutions of the questions in “{entry['title']}”.",
                root=FROM_LESSONS,
            ),
        )

    def index(self, course: Course, lessons: Sequence[DrawnLesson]) -> None:
        """The page that lists all lessons."""
        shell = Shell(
            page="atlas",
            title=course.title,
            description=course.description,
            root="",
            scripts=(f"assets/{self._names['atlas']}",),
        )
        self._page("index.html", self._maker.atlas(course, lessons), shell)

    def licences(self, course: Course, shipped: Sequence[object]) -> None:
        """The page that lists what is shipped."""
        shell = Shell(
            page="licences",
            title=f"Licences: {course.title}",
            description="The works that this site ships, their licences and the full texts.",
            root="",
        )
        self._page("licences.html", self._maker.licences(shipped), shell)

    def _page(self, name: str, content: str, shell: Shell) -> None:
        self._site.write(name, self._maker.wrap(content, shell, self._names).encode())

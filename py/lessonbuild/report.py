"""What a run did, said once: a line per file, every error, and a summary. The report owns the exit code."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TextIO

from lessonbuild.errors import AuthorError


@dataclass
class Report:
    """Counts what happens in a run and prints it: results to `out`, errors to `err`."""

    out: TextIO = field(default_factory=lambda: sys.stdout)
    err: TextIO = field(default_factory=lambda: sys.stderr)
    rendered: int = 0
    """Lessons compiled from their source in this run."""
    cached: int = 0
    """Lessons whose files were known to be right without compiling."""
    written: int = 0
    unchanged: int = 0
    removed: int = 0
    errors: int = 0
    unchecked: list[str] = field(default_factory=list)
    """One line per equation that says `check: none`, with its reason."""

    def wrote(self, what: str, path: str, size: int) -> None:
        """A file was written: what it belongs to, where it is, how large it is in bytes."""
        self.written += 1
        self._line("wrote", what, path, _kilobytes(size))

    def removed_file(self, what: str, path: str) -> None:
        """A file that nothing names any more was deleted."""
        self.removed += 1
        self._line("removed", what, path)

    def note(self, text: str) -> None:
        """Something worth knowing that is no error."""
        print(text, file=self.out)

    def author_errors(self, errors: Iterable[AuthorError]) -> None:
        """Mistakes in sources, each at its file and line."""
        for error in errors:
            self.errors += 1
            print(error, file=self.err)

    def problem(self, text: str) -> None:
        """Anything else that makes the run fail, in a sentence that says what to do."""
        self.errors += 1
        print(f"error: {text}", file=self.err)

    @property
    def exit_code(self) -> int:
        """0 when all is well, 1 after any error. Wrong usage (2) never gets as far as a report."""
        return 1 if self.errors else 0

    def summary(self) -> None:
        """The equations that nothing checks, then one line of counts."""
        if self.unchecked:
            print("not checked against the core, with the author's reason:", file=self.out)
            for line in self.unchecked:
                print(f"  {line}", file=self.out)
        parts = [
            f"{_plural(self.rendered, 'lesson')} rendered",
            f"{self.cached} from cache",
            f"{_plural(self.written, 'file')} written",
            f"{self.unchanged} unchanged",
            *([f"{self.removed} removed"] if self.removed else []),
            _plural(self.errors, "error"),
        ]
        print(", ".join(parts), file=self.out)

    def compared(self, files: int) -> None:
        """The summary of a check: how much was looked at and what came of it."""
        print(
            f"{_plural(self.rendered, 'lesson')} built in memory, {_plural(files, 'file')} compared, "
            f"{_plural(self.errors, 'error')}",
            file=self.out,
        )

    def _line(self, verb: str, what: str, path: str, *rest: str) -> None:
        print(f"{verb:<7}", what, path, *rest, sep="  ", file=self.out)


def _kilobytes(size: int) -> str:
    return f"{size / 1000:.0f} KB" if size >= 10_000 else f"{size / 1000:.1f} KB"


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"

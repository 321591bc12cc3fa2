"""Collects the errors of one file, so that an author sees all of a run and not only the first."""

from collections.abc import Iterator
from contextlib import contextmanager

from lessonbuild.errors import RULES, AuthorError, Fault


class Reporter:
    """The errors of one source file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._errors: set[AuthorError] = set()

    def error(self, line: int, rule: str, message: str) -> None:
        """Report a mistake at a line; the same one twice is reported once."""
        if rule not in RULES:
            raise KeyError(rule)
        self._errors.add(AuthorError(self.file, line, message, rule))

    @contextmanager
    def faults_at(self, line: int) -> Iterator[None]:
        """Turn a `Fault` raised inside into an error at its line, else at this one; go on after the block."""
        try:
            yield
        except Fault as fault:
            self.error(fault.line or line, fault.rule, fault.message)

    @property
    def errors(self) -> list[AuthorError]:
        """All errors so far, by line, then by text."""
        return sorted(self._errors)

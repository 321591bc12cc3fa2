"""Opening pages: waiting for Python, and noticing what goes wrong without the test asking."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request

from .hosting import Host

BOOT_TIMEOUT = 90_000
"""Milliseconds; Python takes two seconds, and a busy machine many times that."""
LOCAL = ("blob:", "data:")


@dataclass
class Guard:
    """Console errors, uncaught exceptions and requests to another origin, of pages and of their workers."""

    origin: str
    problems: list[str] = field(default_factory=list)
    expected: tuple[str, ...] = ()
    """Parts of the messages that the test provokes."""

    def watch(self, context: BrowserContext) -> None:
        context.on("console", self._console)
        context.on("weberror", lambda error: self.note(f"uncaught: {error.error}"))
        context.on("request", self._request)

    def note(self, problem: str) -> None:
        if not any(part in problem for part in self.expected):
            self.problems.append(problem)

    def settle(self) -> None:
        """What was noted becomes the failure of the test that is running."""
        problems, self.problems, self.expected = self.problems, [], ()
        assert problems == []

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.note(f"console: {message.text} {message.location.get('url', '')}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.origin}/", *LOCAL)):
            self.note(f"request to another origin: {request.url}")


def status(page: Page) -> str:
    """What the page says about Python."""
    return page.locator("[data-runtime-status]").text_content() or ""


def booted(page: Page) -> str:
    """Wait until Python runs or has failed, and say which."""
    page.wait_for_selector(
        "html[data-runtime=ready], html[data-runtime=failed]", state="attached", timeout=BOOT_TIMEOUT
    )
    return page.locator("html").get_attribute("data-runtime") or ""


def open_lesson(page: Page, host: Host, query: str = "") -> None:
    """The lesson, with Python running."""
    page.goto(host.lesson + query)
    assert booted(page) == "ready", status(page)


def reload(page: Page) -> None:
    page.reload()
    assert booted(page) == "ready", status(page)


def open_failing(page: Page, host: Host) -> str:
    """The lesson where Python cannot start; what the page says about it."""
    page.goto(host.lesson)
    assert booted(page) == "failed"
    return status(page)

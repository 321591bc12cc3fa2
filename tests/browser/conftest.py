"""The finished folder in Chromium: built once, served by a plain file server under a path prefix.

Every page that a test opens is guarded: a console error, an uncaught exception or a request to another
origin fails the test, whatever else it looked at.
"""

from __future__ import annotations

import fcntl
import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route

ROOT = Path(__file__).resolve().parents[2]
LESSON = "policy-gradient-kl-control"
PREFIX = "some/where else"
"""Where a host might put the folder; the space is on purpose."""
QUIET = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host's folder with the built site under PREFIX; built once, also by several test processes."""
    shared = (
        tmp_path_factory.getbasetemp().parent / f"site-{os.environ.get('PYTEST_XDIST_TESTRUNUID', 'alone')}"
    )
    shared.mkdir(exist_ok=True)
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        host = shared / "host"
        if not host.exists():
            building = shared / "building"
            command = [sys.executable, "build.py", "site", "--out", str(building)]
            subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            (host / PREFIX).parent.mkdir(parents=True)
            building.rename(host / PREFIX)
    return host


@dataclass
class Host:
    """A static file server, and what a test may make it do wrong."""

    origin: str
    root: Path
    altered: dict[str, bytes | None] = field(default_factory=dict)
    """File name → what is sent in its place; None answers 404."""
    asked: list[str] = field(default_factory=list)
    """Paths asked for, in order."""

    def url(self, path: str = "") -> str:
        return f"{self.origin}/{PREFIX.replace(' ', '%20')}/{path}"

    @property
    def lesson(self) -> str:
        return self.url(f"lessons/{LESSON}.html")


class _Files(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, *args: Any, host: Host, **options: Any) -> None:
        self.host = host
        super().__init__(*args, directory=str(host.root), **options)

    def do_GET(self) -> None:
        self.host.asked.append(self.path)
        name = self.path.split("?")[0].rsplit("/", 1)[-1]
        if name not in self.host.altered:
            super().do_GET()
            return
        body = self.host.altered[name]
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, format: str, *args: Any) -> None:
        """A test's output is its own."""


@pytest.fixture
def host(site: Path) -> Iterator[Host]:
    served = Host(origin="", root=site)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Files, host=served))
    served.origin = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield served
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The Chromium that the set-up found or installed."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    chosen = {"executable_path": found} if found else {}
    return {**browser_type_launch_args, **chosen, "args": QUIET}


@dataclass
class Guard:
    """What went wrong on the page without the test asking."""

    origin: str
    problems: list[str] = field(default_factory=list)
    expected: tuple[str, ...] = ()
    """Parts of console messages that the test provokes."""

    def watch(self, page: Page) -> None:
        page.on("console", lambda message: message.type == "error" and self.note(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.note(f"uncaught: {error}"))

    def note(self, problem: str) -> None:
        if not any(part in problem for part in self.expected):
            self.problems.append(problem)

    def local_only(self, route: Route) -> None:
        if route.request.url.startswith((self.origin, "blob:", "data:")):
            route.continue_()
            return
        self.note(f"request to another origin: {route.request.url}")
        route.abort()


@pytest.fixture
def guard(host: Host, page: Page) -> Iterator[Guard]:
    watcher = Guard(host.origin)
    watcher.watch(page)
    page.context.route("**/*", watcher.local_only)
    yield watcher
    assert watcher.problems == []


@pytest.fixture
def lesson(page: Page, host: Host, guard: Guard) -> Page:
    """The lesson, with Python running."""
    page.goto(host.lesson)
    page.wait_for_selector("html[data-runtime=ready]", timeout=60_000)
    return page

"""The finished folder in Chromium: built once, served by a plain host under a prefix, without internet.

Every page that a test opens is guarded: a console error, an uncaught exception or a request to another origin
fails the test, whatever else it looked at.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from .artifact import ROOT
from .hosting import PREFIX, Host, serving
from .pages import Guard, open_lesson
from .sliders import reset_all

QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # There is no internet: whatever is not on this machine cannot even be looked up.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host's folder with the built site under PREFIX; built once, also by several test processes."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    base = tmp_path_factory.getbasetemp()
    shared = base.parent / f"site-{run}" if run else base / "site"
    shared.mkdir(exist_ok=True)
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        host = shared / "host"
        if not (host / PREFIX).exists():
            building = shared / "building"
            command = [sys.executable, "build.py", "site", "--out", str(building)]
            subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            (host / PREFIX).parent.mkdir(parents=True)
            building.rename(host / PREFIX)
    return host


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The Chromium that the set-up found or installed."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    chosen = {"executable_path": found} if found else {}
    return {**browser_type_launch_args, **chosen, "args": QUIET}


@pytest.fixture
def host(site: Path) -> Iterator[Host]:
    with serving(site) as served:
        yield served


@pytest.fixture
def guard(host: Host, page: Page) -> Iterator[Guard]:
    """Watches everything in the context of `page`."""
    watcher = Guard(host.origin)
    watcher.watch(page.context)
    yield watcher
    watcher.settle()


@pytest.fixture
def lesson(page: Page, host: Host, guard: Guard) -> Page:
    """The lesson with Python running, in a browser that has never seen it."""
    open_lesson(page, host)
    return page


@pytest.fixture(scope="session")
def long_visit(browser: Browser, site: Path) -> Iterator[tuple[Page, Guard]]:
    """One page that stays open from test to test. Use `visited`."""
    with serving(site) as served:
        context = browser.new_context()
        guard = Guard(served.origin)
        guard.watch(context)
        page = context.new_page()
        open_lesson(page, served)
        yield page, guard
        context.close()


@pytest.fixture
def visited(long_visit: tuple[Page, Guard]) -> Iterator[Page]:
    """The lesson with Python running and every control at its default; earlier tests have used the page.

    For tests of the figures and their controls, which bring nothing to the page that this does not undo.
    """
    page, guard = long_visit
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(media="screen", color_scheme="light")
    reset_all(page)
    yield page
    guard.settle()

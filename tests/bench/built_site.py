"""The built site, served to a browser: what the benchmarks of the page share."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from static_server import serving

ROOT = Path(__file__).resolve().parents[2]
LESSON = "lessons/policy-gradient-kl-control.html"
FLAGS = ["--no-sandbox", "--disable-background-networking", "--enable-precise-memory-info"]


@contextlib.contextmanager
def built_site() -> Iterator[tuple[Path, str]]:
    """Build the site and serve it while the block runs; its folder and its address."""
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        command = [sys.executable, str(ROOT / "build.py"), "site", "--out", str(site)]
        subprocess.run(command, check=True, stdout=sys.stderr)
        with serving(Path(folder)) as base:
            yield site, f"{base}site/"


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM"), args=FLAGS)
        try:
            yield chromium
        finally:
            chromium.close()


def wait_for_python(page: Page) -> None:
    page.wait_for_selector("html[data-runtime=ready]", state="attached", timeout=120_000)


def machine(chromium: Browser) -> str:
    return f"Chromium {chromium.version}, {os.cpu_count()} processors"

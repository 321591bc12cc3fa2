"""Takes the picture of the README: the clip figure beside its sliders, from the site in `dist/`.

    npm start                             # once, so that dist/ is there
    .venv/bin/python tools/screenshot.py  # writes docs/lesson.png

A Chromium that is already there is used: the one that CHROMIUM names, or one on the PATH.
"""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import sys
import threading
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PAGE = "lessons/policy-gradient-kl-control.html"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Only the result is worth a line."""


def main() -> int:
    site = ROOT / "dist"
    if not (site / PAGE).is_file():
        print(f"dist/{PAGE} is not there; build it with `python build.py site`", file=sys.stderr)
        return 1
    handler = functools.partial(_Quiet, directory=str(site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    chromium = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
        page.goto(f"http://127.0.0.1:{server.server_address[1]}/{PAGE}")
        page.wait_for_selector("html[data-runtime=ready]", state="attached")
        widget = page.locator("#ppo-clip")
        widget.scroll_into_view_if_needed()
        page.wait_for_timeout(1500)  # the live drawing has taken the picture's place
        target = ROOT / "docs" / "lesson.png"
        target.parent.mkdir(exist_ok=True)
        widget.screenshot(path=target)
        browser.close()
    server.shutdown()
    print(f"wrote docs/lesson.png, {target.stat().st_size / 1000:.0f} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main())

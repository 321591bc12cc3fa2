"""Page opened → first number from Python, beside Pyodide's documented start in the same browser.

Both sides are served by one server of this process. Ours is the built lesson page: the clock stops when its
first widget shows a number that Python computed. The other side is a page that does `loadPyodide`,
`loadPackage('numpy')` and `import numpy` in a worker, from the files as npm and Pyodide distribute them, and
then computes one number. Every run starts a new browser process: with an empty profile (cold), or with one
that has opened the same page before (warm). The sides take turns, so a busy moment of the machine meets both.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import BrowserContext, Playwright, sync_playwright
from static_server import serving

ROOT = Path(__file__).resolve().parents[2]
RUNS = int(os.environ.get("BENCH_RUNS", "7"))
OURS, PLAIN = "this page", "plain Pyodide"
PAGES = {OURS: "site/lessons/policy-gradient-kl-control.html", PLAIN: "plain/index.html"}
SETTLE = 3000
"""Milliseconds a page stays open, so that the browser can keep the machine code it made."""

DONE = """
() => globalThis.firstNumber ?? (document.querySelector('[data-widget][data-state="live"]')
    ? (globalThis.firstNumber = performance.now()) : 0)
"""
PLAIN_PAGE = """<!doctype html><html lang="en"><title>plain</title><link rel="icon" href="data:,"><script>
const worker = new Worker("worker.mjs", { type: "module" });
worker.onmessage = () => { globalThis.firstNumber = performance.now(); };
</script></html>"""
PLAIN_WORKER = """import { loadPyodide } from "./pyodide.mjs";
const python = await loadPyodide({ indexURL: new URL(".", import.meta.url).href });
await python.loadPackage("numpy", { messageCallback() {} });
postMessage(python.runPython("import numpy; float(numpy.sum(numpy.arange(4.0)))"));
"""


def lay_out(folder: Path) -> None:
    """Build our site and put the other side beside it."""
    subprocess.run(
        [sys.executable, str(ROOT / "build.py"), "site", "--out", str(folder / "site")],
        check=True,
        stdout=sys.stderr,
    )
    plain = folder / "plain"
    plain.mkdir()
    package = ROOT / "node_modules" / "pyodide"
    names = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"]
    wheels = list((folder / "site" / "runtime").glob("numpy-*.whl"))
    for file in [*(package / name for name in names), *wheels]:
        (plain / file.name).write_bytes(file.read_bytes())
    (plain / "index.html").write_text(PLAIN_PAGE)
    (plain / "worker.mjs").write_text(PLAIN_WORKER)


def open_once(playwright: Playwright, url: str, profile: str) -> float:
    """Milliseconds from navigation to the first number, in a new browser process with this profile."""
    context: BrowserContext = playwright.chromium.launch_persistent_context(
        profile,
        executable_path=os.environ["CHROMIUM"],
        args=["--no-sandbox", "--disable-background-networking"],
        viewport={"width": 1280, "height": 800},
    )
    try:
        page = context.new_page()
        # The browser's own start is not the page's: let it come to rest first.
        page.goto(url.rsplit("/", 2)[0] + "/blank.html")
        page.wait_for_timeout(500)
        page.goto(url)
        page.wait_for_function(DONE, polling="raf", timeout=120_000)
        milliseconds = float(page.evaluate("() => firstNumber"))
        page.wait_for_timeout(SETTLE)
        return milliseconds
    finally:
        context.close()


def measure(base: str) -> dict[str, dict[str, list[float]]]:
    """All runs: state of the caches → side → milliseconds."""
    times: dict[str, dict[str, list[float]]] = {
        state: {side: [] for side in PAGES} for state in ("warm", "cold")
    }
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as kept:
        profiles = {side: f"{kept}/{place}" for place, side in enumerate(PAGES)}
        for side, page in PAGES.items():
            open_once(playwright, base + page, profiles[side])
        for run in range(RUNS):
            for side, page in PAGES.items():
                times["warm"][side].append(open_once(playwright, base + page, profiles[side]))
                with tempfile.TemporaryDirectory() as empty:
                    times["cold"][side].append(open_once(playwright, base + page, empty))
            print(f"boot: run {run + 1} of {RUNS}", file=sys.stderr)
    return times


def report(times: dict[str, dict[str, list[float]]], browser: str) -> dict[str, object]:
    """The table: medians and ranges in seconds, and the ratio of the medians."""

    def cell(values: list[float]) -> str:
        low, high = min(values) / 1000, max(values) / 1000
        return f"{statistics.median(values) / 1000:.2f} s ({low:.2f}–{high:.2f})"

    rows = []
    for state, sides in times.items():
        ratio = statistics.median(sides[OURS]) / statistics.median(sides[PLAIN])
        rows.append([f"caches {state}", cell(sides[OURS]), cell(sides[PLAIN]), f"{ratio:.2f}"])
    return {
        "name": "boot",
        "columns": ["page opened → first number from Python", OURS, PLAIN, "ratio"],
        "rows": rows,
        "settings": [
            f"Median and range of {RUNS} runs a side, taking turns; {browser}, a new process for each run;",
            f"{os.cpu_count()} processors; one server on this machine, `max-age=600`, no compression.",
        ],
    }


def main() -> None:
    version = subprocess.run(
        [os.environ["CHROMIUM"], "--version"], capture_output=True, text=True, check=True
    )
    with tempfile.TemporaryDirectory() as folder:
        lay_out(Path(folder))
        (Path(folder) / "blank.html").write_text('<!doctype html><link rel="icon" href="data:,">')
        with serving(Path(folder)) as base:
            times = measure(base)
    print(json.dumps(report(times, " ".join(version.stdout.split()[:2]))))


if __name__ == "__main__":
    main()

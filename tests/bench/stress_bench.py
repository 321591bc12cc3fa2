"""Two hundred moves a second for half a minute: what the page shows in the end, and what it has kept.

The moves are input events of one slider after the other, on a clock of their own, so that a page that falls
behind is not spared. Half a run comes first in the same page, so that what grows once (compiled code, caches)
is not counted against the moves. The page's heap is taken after a garbage collection; the process holds the
page and its Python together.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from built_site import LESSON, browser, built_site, machine, wait_for_python
from playwright.sync_api import CDPSession, Page

from policygrad.views import VIEWS

SECONDS = int(os.environ.get("BENCH_SECONDS", "30"))
RATE = 200
PATIENCE = 30

COUNT_MESSAGES = """
globalThis.count = { asked: 0, answered: 0 };
const Native = Worker;
globalThis.Worker = class extends Native {
  constructor(...options) {
    super(...options);
    this.addEventListener("message", ({ data }) => { if (data.type === "reply") count.answered += 1; });
  }
  postMessage(message) {
    if (message.type === "request") count.asked += 1;
    super.postMessage(message);
  }
};
"""
MOVE = """async ([view, moves, interval, end]) => {
  const sliders = [...document.querySelectorAll(`#${view} input[type=range]`)];
  const put = (one, share) => {
    one.valueAsNumber = Number(one.min) + share * (Number(one.max) - Number(one.min));
    one.dispatchEvent(new Event("input", { bubbles: true }));
  };
  count.asked = count.answered = 0;
  let frames = 0;
  let running = true;
  requestAnimationFrame(function frame() { frames += 1; if (running) requestAnimationFrame(frame); });
  const start = performance.now();
  for (let move = 0; move < moves; move += 1) {
    put(sliders[Math.floor(move / 100) % sliders.length], (move % 37) / 36);
    const ahead = start + interval * (move + 1) - performance.now();
    if (ahead > 1) await new Promise((resume) => setTimeout(resume, ahead));
  }
  for (const [name, value] of Object.entries(end)) {
    const one = sliders.find((slider) => slider.name === name);
    one.value = value;
    one.dispatchEvent(new Event("input", { bubbles: true }));
  }
  running = false;
  return { took: performance.now() - start, frames, last: performance.now() };
}"""
RIGHT = """([view, outputs, last]) => {
  const shown = (name) => Number(document.querySelector(`#${view} [data-output=${name}]`).dataset.value);
  const close = (a, b) => a === b || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));
  return Object.entries(outputs).every(([name, value]) => close(shown(name), Number(value)))
    && count.asked === count.answered && performance.now() - last;
}"""


def resident(browser_session: CDPSession) -> float:
    """Bytes of memory of the pages' processes; 0 where the system does not say."""
    processes = browser_session.send("SystemInfo.getProcessInfo")["processInfo"]
    files = [Path(f"/proc/{one['id']}/statm") for one in processes if one["type"] == "renderer"]
    pages = sum(int(file.read_text().split()[1]) for file in files if file.exists())
    return float(pages * os.sysconf("SC_PAGE_SIZE")) if pages else 0.0


def memory(page: Page, session: CDPSession, browser_session: CDPSession) -> dict[str, float]:
    """What lives after a garbage collection: heap in bytes, nodes and listeners; and the process."""
    page.wait_for_timeout(1000)  # Plotly draws what rests, the address and the store are written
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
    heap = session.send("Runtime.getHeapUsage")
    counters = session.send("Memory.getDOMCounters")
    return {
        "heap": heap["usedSize"],
        "nodes": counters["nodes"],
        "listeners": counters["jsEventListeners"],
        "process": resident(browser_session),
    }


def change(before: dict[str, float], after: dict[str, float], key: str) -> str:
    """Megabytes before and after, and their ratio."""
    if not before[key]:
        return "not known here"
    return f"{before[key] / 1e6:.1f} → {after[key] / 1e6:.1f} MB, {after[key] / before[key]:.2f}"


def stress(page: Page, sessions: tuple[CDPSession, CDPSession], view: str) -> list[str]:
    controls = VIEWS[view].spec()["controls"]
    ends = {one["name"]: one["min"] for one in controls} | {controls[0]["name"]: controls[0]["max"]}
    model: dict[str, Any] = VIEWS[view].model(ends)
    outputs = {output["name"]: output["value"] for output in model["outputs"]}
    page.locator(f"#{view} [data-plot]").scroll_into_view_if_needed()
    moves = SECONDS * RATE
    page.evaluate(MOVE, [view, moves // 2, 1000 / RATE, ends])
    before = memory(page, *sessions)
    run = page.evaluate(MOVE, [view, moves, 1000 / RATE, ends])
    settled = page.wait_for_function(RIGHT, arg=[view, outputs, run["last"]], timeout=1000 * PATIENCE)
    counted = page.evaluate("count")
    after = memory(page, *sessions)
    return [
        f"`{view}`",
        f"{moves / run['took'] * 1000:.0f} a second",
        f"{counted['asked']} of {moves + len(ends)}",
        f"{run['frames'] / run['took'] * 1000:.0f} a second",
        f"right after {settled.json_value():.0f} ms",
        change(before, after, "heap"),
        change(before, after, "process"),
        f"{after['nodes'] / before['nodes']:.2f} / {after['listeners'] / before['listeners']:.2f}",
    ]


def main() -> None:
    rows = []
    with built_site() as (_, base), browser() as chromium:
        page = chromium.new_page(viewport={"width": 1280, "height": 900})
        page.add_init_script(COUNT_MESSAGES)
        page.goto(base + LESSON)
        wait_for_python(page)
        sessions = page.context.new_cdp_session(page), chromium.new_browser_cdp_session()
        for view in VIEWS:
            rows.append(stress(page, sessions, view))
            print(f"stress: {' '.join(rows[-1])}", file=sys.stderr)
        version = machine(chromium)
    columns = [
        "figure",
        "moves",
        "asked of Python",
        "frames",
        "last position",
        "heap",
        "process",
        "nodes / listeners",
    ]
    settings = [
        f"{SECONDS} s of {RATE} moves a second over all sliders of a figure, after half of it; {version}.",
        "“Right” means that every output equals the core's in CPython and that no request is unanswered.",
    ]
    print(json.dumps({"name": "stress", "columns": columns, "rows": rows, "settings": settings}))


if __name__ == "__main__":
    main()

"""Two hundred moves a second for half a minute: where the page ends, what is left, what memory holds.

The comparison is within the run: memory after against before, and the wait for the last answer against the
time that one move takes when nothing else is going on.
"""

from __future__ import annotations

import json
import os

from built_site import LESSON, browser, built_site, machine, wait_for_python
from playwright.sync_api import CDPSession, Page

SECONDS = int(os.environ.get("BENCH_STRESS_SECONDS", "30"))
PER_SECOND = 200
LAST = 0.25
"""Ends away from the moves before it, so that nothing else shows this number."""

STRESS = """async ({ seconds, perSecond, last }) => {
  const slider = document.querySelector('[data-widget=ppo-clip] [name=ratio]');
  const shown = document.querySelector('[data-widget=ppo-clip] [data-output=unclipped]');
  const put = (value) => {
    slider.value = value;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const arrives = (value, from) => new Promise((resolve) => {
    const look = () => (Number(shown.dataset.value) === value ? resolve(performance.now() - from)
      : requestAnimationFrame(look));
    look();
  });
  put(1.5);
  const alone = await arrives(3, performance.now());
  const start = performance.now();
  let moves = 0;
  while (performance.now() - start < seconds * 1000) {
    // Timers are coarse; each wake-up makes the moves that are due by then.
    for (const due = ((performance.now() - start) / 1000) * perSecond; moves < due; moves += 1)
      put(((moves % 150) + 50) / 100);
    await new Promise((resume) => setTimeout(resume, 4));
  }
  const from = performance.now();
  put(last);
  const wait = await arrives(last * 2, from);
  return { moves, alone, wait, value: Number(shown.dataset.value) };
}"""


def heap(page: Page, session: CDPSession) -> float:
    """Megabytes of live objects, after a collection."""
    session.send("HeapProfiler.collectGarbage")
    return float(page.evaluate("performance.memory.usedJSHeapSize")) / 1e6


def main() -> None:
    with built_site() as (_, base), browser() as chromium:
        page = chromium.new_page(viewport={"width": 1280, "height": 900})
        page.goto(base + LESSON)
        wait_for_python(page)
        page.locator("#ppo-clip [data-plot]").scroll_into_view_if_needed()
        page.wait_for_timeout(2000)
        session = page.context.new_cdp_session(page)
        before = heap(page, session)
        arguments = {"seconds": SECONDS, "perSecond": PER_SECOND, "last": LAST}
        done = page.evaluate(STRESS, arguments)
        page.wait_for_timeout(1000)
        after = heap(page, session)
        version = machine(chromium)
    report = {
        "name": "stress",
        "columns": ["200 moves a second", "in the storm", "beside it", "ratio"],
        "rows": [
            [
                "wait for the last answer, beside one move alone",
                f"{done['wait']:.0f} ms",
                f"{done['alone']:.0f} ms",
                f"{done['wait'] / done['alone']:.2f}",
            ],
            [
                "live memory after, beside before",
                f"{after:.1f} MB",
                f"{before:.1f} MB",
                f"{after / before:.2f}",
            ],
        ],
        "settings": [f"{done['moves']} moves in {SECONDS} s; the page ends on the last one. {version}."],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()

"""From an input event to the painted frame, for every figure, beside a worker that only says the number back.

Real key presses move the sliders. The clock starts at the time stamp that the browser gives the key press,
and stops in the first task after the frame in which the figure, its numbers and its sentence were replaced;
until then nothing else is asked of the page. Two hands are measured: one that keeps moving, and one that
rests after each move, long enough for Plotly to begin its drawing. Pauses vary, so that presses meet every
phase of the screen's clock. On the other side a slider asks a worker that answers at once, and one number is
written into the page in the next frame: what a page that computes beside its main thread takes at least. Its
turns come between those of the figures, so that a busy moment meets both.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
from collections.abc import Iterator

from built_site import LESSON, browser, built_site, machine, wait_for_python
from playwright.sync_api import Page

MOVES = int(os.environ.get("BENCH_MOVES", "200"))
TURN, ECHO_TURN = 10, 3
"""Moves before the other side has its turn."""
WARM_UP = 10
TAKEN = 200
"""Milliseconds between the focus on a slider and its first move."""
ECHO = "#echo"
HANDS = {"moving on": (50, 70), "resting": (160, 260)}
"""Least and most milliseconds between two moves; Plotly draws 150 after the last one."""
LATEST = 3000
"""Milliseconds after which a move counts as lost."""

RECORDER = """
let pressed = 0;
const channel = new MessageChannel();
// A message that is sent while a frame is made arrives after that frame was handed over.
channel.port1.onmessage = () => { globalThis.took ??= performance.now() - pressed; };
const watch = (node) =>
  new MutationObserver(() => channel.port2.postMessage(0)).observe(node, { childList: true });
document.addEventListener("keydown", (event) => { pressed = event.timeStamp; }, { capture: true });
for (const picture of document.querySelectorAll(".picture.wide")) watch(picture);

const box = document.createElement("p");
box.style = "position: fixed; inset: 0 auto auto 0; margin: 0"; // in sight, so that its focus scrolls nothing
box.innerHTML = '<input type="range" id="echo" aria-label="echo" min="0" max="1000" value="500"><b>500</b>';
const [echo, text] = box.children;
const code = "onmessage = ({ data }) => postMessage(data)";
const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
worker.onmessage = ({ data }) => requestAnimationFrame(() => text.replaceChildren(data));
echo.addEventListener("input", () => worker.postMessage(echo.value));
document.querySelector("main").before(box);
watch(text);
"""


def bounce(page: Page, selector: str) -> Iterator[str]:
    """Arrow keys that take a slider up to its end and down again, for ever."""
    key = "ArrowRight"
    while True:
        low, high, step, value = page.eval_on_selector(
            selector, "one => [+one.min, +one.max, +one.step, one.valueAsNumber]"
        )
        if value >= high - step / 2:
            key = "ArrowLeft"
        elif value <= low + step / 2:
            key = "ArrowRight"
        yield key


def take(page: Page, selector: str) -> None:
    """Give a slider the focus, and let the frame that shows it pass."""
    page.eval_on_selector(selector, "one => one.focus({ preventScroll: true })")
    page.wait_for_timeout(TAKEN)


def move(page: Page, key: str, pause: float) -> float:
    """Milliseconds from one key press to its frame."""
    page.evaluate("took = undefined")
    page.keyboard.down(key)
    page.wait_for_timeout(pause)
    page.wait_for_function("globalThis.took", timeout=LATEST)
    page.keyboard.up(key)
    return float(page.evaluate("took"))


def turns(names: list[str]) -> Iterator[tuple[str, int]]:
    """Whose turn it is, and for how many moves: a figure's sliders in order, the echo between."""
    per_slider = -(-MOVES // len(names))
    for name in names:
        for start in range(0, per_slider, TURN):
            yield name, min(TURN, per_slider - start)
            yield ECHO, ECHO_TURN


def measure(page: Page, view: str, pauses: tuple[int, int]) -> dict[bool, list[float]]:
    """Times of the figure (False) and of the echo (True)."""
    names = page.eval_on_selector_all(f"#{view} input[type=range]", "all => all.map((one) => `#${one.id}`)")
    hands = {name: bounce(page, name) for name in [*names, ECHO]}
    page.locator(f"#{view} [data-plot]").scroll_into_view_if_needed()
    chance = random.Random(1)
    times: dict[bool, list[float]] = {False: [], True: []}
    warm_up = [(names[0], WARM_UP), (ECHO, WARM_UP)]
    for number, (name, count) in enumerate([*warm_up, *turns(names)]):
        take(page, name)
        found = [move(page, next(hands[name]), chance.uniform(*pauses)) for _ in range(count)]
        if number >= len(warm_up):
            times[name == ECHO] += found
    return times


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def row(name: str, hand: str, measured: dict[bool, list[float]]) -> list[str]:
    times, echoes = measured[False], measured[True]
    return [
        f"`{name}`",
        hand,
        f"{statistics.median(times):.0f} ms",
        f"{p95(times):.0f} ms",
        f"{max(times):.0f} ms",
        f"{statistics.median(echoes):.0f} / {p95(echoes):.0f} ms",
        f"{statistics.median(times) / statistics.median(echoes):.2f} / {p95(times) / p95(echoes):.2f}",
    ]


def main() -> None:
    rows = []
    with built_site() as (_, base), browser() as chromium:
        page = chromium.new_page(viewport={"width": 1280, "height": 900})
        page.goto(base + LESSON)
        wait_for_python(page)
        page.evaluate(f"() => {{ {RECORDER} }}")
        views = page.eval_on_selector_all("[data-widget]", "all => all.map((one) => one.id)")
        for view in views:
            for hand, pauses in HANDS.items():
                rows.append(row(view, hand, measure(page, view, pauses)))
                print(f"slider: {' '.join(rows[-1])}", file=sys.stderr)
        version = machine(chromium)
    settings = [
        f"At least {MOVES} moves of a figure over its sliders, and {ECHO_TURN} echoes after every {TURN};",
        f"{version}. Pauses between moves: "
        + ", ".join(f"“{hand}” {least} to {most} ms" for hand, (least, most) in HANDS.items())
        + ".",
    ]
    columns = ["figure", "hand", "median", "p95", "longest", "echo, median / p95", "ratio, median / p95"]
    print(json.dumps({"name": "slider", "columns": columns, "rows": rows, "settings": settings}))


if __name__ == "__main__":
    main()

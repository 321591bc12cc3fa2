"""Python that dies, falls silent or is slow, and hands that are fast."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from .artifact import FIXTURES, WIDGETS
from .hosting import Host
from .pages import Guard, booted, open_lesson, status
from .sliders import drag, move, settle, widget

WATCHED_WORKERS = """
globalThis.workers = [];
const Native = Worker;
globalThis.Worker = class extends Native {
  constructor(url, options) {
    const spin = "addEventListener('message', ({ data }) => { if (data === 'spin') for (;;); });";
    const code = `import ${JSON.stringify(String(url))}; ${spin}`;
    super(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), options);
    workers.push(this);
  }
};
"""
"""The page's own worker, which a test may end, or send into an endless loop with a message."""


def open_watched(page: Page, host: Host) -> None:
    page.add_init_script(WATCHED_WORKERS)
    open_lesson(page, host)


def test_a_worker_that_dies_is_replaced(page: Page, host: Host, guard: Guard) -> None:
    open_watched(page, host)
    page.evaluate("workers[0].terminate()")
    move(page, "ppo-clip", "ratio", 0.5)
    page.wait_for_function("workers.length === 2")
    settle(page, "ppo-clip", {"ratio": 0.5})
    assert booted(page) == "ready"


def test_a_worker_in_an_endless_loop_is_ended_and_replaced(page: Page, host: Host, guard: Guard) -> None:
    open_watched(page, host)
    page.evaluate("workers[0].postMessage('spin')")
    move(page, "ppo-clip", "ratio", 0.5)
    drag(page, "kl", "p_1", 0.2)
    page.locator("[data-action=check-numbers]").click()
    page.wait_for_selector("html[data-runtime=starting]", state="attached")
    assert "starts again" in status(page)
    page.wait_for_function("workers.length === 2")
    settle(page, "ppo-clip", {"ratio": 0.5})
    settle(page, "kl", {"p_1": 0.2})
    expect(page.locator("[data-check-result]")).to_contain_text(f"{len(FIXTURES)} of {len(FIXTURES)} agree")


def test_a_worker_that_keeps_dying_is_given_up_and_the_reader_may_try_again(
    page: Page, host: Host, guard: Guard
) -> None:
    open_watched(page, host)
    for restarts in range(4):
        assert booted(page) == "ready"
        page.evaluate("workers.at(-1).dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }))")
        if restarts < 3:
            page.wait_for_function("(count) => workers.length === count", arg=restarts + 2)
    assert booted(page) == "failed"
    assert "stopped several times" in status(page)
    page.locator("[data-action=restart-python]").click()
    page.wait_for_selector("html:not([data-runtime=failed])", state="attached")
    assert booted(page) == "ready"
    move(page, "ppo-clip", "ratio", 0.5)
    settle(page, "ppo-clip", {"ratio": 0.5})


def test_a_slow_network_is_said_in_words_while_the_reader_reads(page: Page, host: Host, guard: Guard) -> None:
    page.clock.install()
    with host.holding("image.bin.gz"):
        page.goto(host.lesson)
        expect(page.locator("[data-runtime-status]")).to_contain_text("MB")
        for view, stored in WIDGETS.items():
            assert widget(page, view).locator("[data-summary]").inner_text() == stored["frame"]["summary"]
        expect(page.locator("[data-runtime-status]")).to_contain_text("Starting Python")
        page.clock.fast_forward(25_000)
        expect(page.locator("[data-runtime-status]")).to_contain_text("longer than usual")
    assert booted(page) == "ready"
    settle(page, "ppo-clip")


def test_a_long_burst_of_moves_ends_on_the_last_one(lesson: Page) -> None:
    """Two hundred moves a second for three seconds; nothing is left to do afterwards."""
    lesson.evaluate(
        """async () => {
          const messages = [];
          const slider = document.querySelector('[data-widget=ppo-clip] [name=ratio]');
          const start = performance.now();
          for (let move = 0; move < 600; move += 1) {
            slider.value = (move % 200) / 100;
            slider.dispatchEvent(new Event('input', { bubbles: true }));
            const ahead = start + 5 * move - performance.now();
            if (ahead > 0) await new Promise((resume) => setTimeout(resume, ahead));
          }
          slider.value = 0.25;
          slider.dispatchEvent(new Event('input', { bubbles: true }));
        }"""
    )
    settle(lesson, "ppo-clip", {"ratio": 0.25})


def test_all_widgets_at_once_end_on_their_own_last_positions(visited: Page) -> None:
    ends = {
        "ppo-clip": ("ratio", 0.3),
        "kl": ("p_1", 0.4),
        "two-action-reinforce": ("step", 3),
        "clip-is-not-a-bound": ("epochs", 4),
    }
    for share in (0.2, 0.6, 1.0):
        for view, (name, end) in ends.items():
            drag(visited, view, name, round(end * share, 2) if isinstance(end, float) else round(end * share))
    for view, (name, end) in ends.items():
        settle(visited, view, {name: end})

"""Tells open pages that the site has changed, or that it could not be built, by server-sent events.

The script (site/js/serve/live-reload.js) is put into pages by the server only; nothing in dist/ knows about
it. A page carries the version that it was served with, so it reloads exactly when that is an old one.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

EVENTS: Final = "/_lesson-events"
HEARTBEAT: Final = 10.0
"""Seconds after which a silent connection is written to, which is how one notices that its page is gone."""


@dataclass(frozen=True, slots=True)
class State:
    """What pages have to know."""

    version: str
    """Changes with the bytes of the site."""
    problem: str | None = None
    """What the last build said if it failed; the site is then the last good one."""


class Broadcaster:
    """Holds the present state and passes changes on to every open connection."""

    def __init__(self) -> None:
        self._state = State("")
        self._changed = threading.Condition()
        self._closed = False

    @property
    def state(self) -> State:
        """The state that pages should show now."""
        return self._state

    def publish(self, state: State) -> None:
        """Make a new state known."""
        with self._changed:
            self._state = state
            self._changed.notify_all()

    def close(self) -> None:
        """End all connections."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def events(self) -> Iterator[bytes]:
        """Server-sent events for one connection: the present state, each new one, a heartbeat in between."""
        sent: State | None = None
        while True:
            with self._changed:
                if not self._closed and self._state == sent:
                    self._changed.wait(HEARTBEAT)
                if self._closed:
                    return
                state = self._state
            if state == sent:
                yield b": still here\n\n"
                continue
            sent = state
            message = json.dumps({"version": state.version, "problem": state.problem})
            yield f"data: {message}\n\n".encode()


def inject(page: bytes, script: bytes, version: str) -> bytes:
    """The page with the script at its end, so that it runs when everything else is there."""
    tag = f'<script data-version="{version}" data-events="{EVENTS}">\n'.encode()
    before, end, after = page.rpartition(b"</body>")
    added = tag + script + b"</script>\n"
    return before + added + end + after if end else page + added


WAITING_PAGE: Final = b"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Not built yet</title></head>
<body><p>There is no finished site yet. This page fills itself as soon as a build succeeds.</p></body>
</html>
"""
"""What is served while there has never been a good build; the script covers it with what is wrong."""

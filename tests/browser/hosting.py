"""A static host on this machine, and what a test may make it do wrong."""

from __future__ import annotations

import contextlib
import functools
import http.server
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LESSON = "policy-gradient-kl-control"
PREFIX = "some/where else"
"""Where a host might put the folder; the space is on purpose."""
LONGEST_HOLD = 60
"""Seconds after which a file that is held back is sent after all."""


@dataclass
class Host:
    """A file server without any header or rule of its own, as cheap hosts are."""

    root: Path
    origin: str = ""
    altered: dict[str, bytes | None] = field(default_factory=dict)
    """File name → what is sent in its place; None answers 404."""
    held: dict[str, threading.Event] = field(default_factory=dict)
    """File name → the answer waits until this is set: a slow network without a clock."""
    asked: list[str] = field(default_factory=list)
    """Paths asked for, in order."""

    def url(self, path: str = "", prefix: str = PREFIX) -> str:
        return f"{self.origin}/{prefix.replace(' ', '%20')}/{path}"

    @property
    def lesson(self) -> str:
        return self.url(f"lessons/{LESSON}.html")

    @property
    def folder(self) -> Path:
        """The site on disk."""
        return self.root / PREFIX

    @contextlib.contextmanager
    def holding(self, name: str) -> Iterator[None]:
        """Hold back a file while the block runs."""
        self.held[name] = threading.Event()
        try:
            yield
        finally:
            self.held[name].set()

    def names(self, folder: str, pattern: str = "*") -> list[str]:
        return sorted(path.name for path in (self.folder / folder).glob(pattern))


class _Files(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, *args: Any, host: Host, **options: Any) -> None:
        self.host = host
        super().__init__(*args, directory=str(host.root), **options)

    def do_GET(self) -> None:
        self.host.asked.append(self.path)
        name = self.path.split("?")[0].rsplit("/", 1)[-1]
        if name in self.host.held:
            self.host.held[name].wait(LONGEST_HOLD)
        if name not in self.host.altered:
            super().do_GET()
            return
        body = self.host.altered[name]
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", self.guess_type(name))
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def end_headers(self) -> None:
        # A browser asks again each time, so that a file which a test alters is never taken from its cache.
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """A test's output is its own."""


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that is closed while it loads breaks its connections; that is nobody's error."""


@contextlib.contextmanager
def serving(root: Path) -> Iterator[Host]:
    """Serve a folder while the block runs."""
    host = Host(root)
    server = _Server(("127.0.0.1", 0), functools.partial(_Files, host=host))
    host.origin = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield host
    finally:
        for held in host.held.values():
            held.set()
        server.shutdown()
        server.server_close()
        thread.join()

"""A plain static host for the benchmarks: what a folder on the web looks like, on this machine."""

from __future__ import annotations

import contextlib
import functools
import http.server
import threading
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Host(http.server.SimpleHTTPRequestHandler):
    """HTTP/1.1 with connections kept open, ten minutes of cache, no compression, nothing logged."""

    protocol_version = "HTTP/1.1"
    extensions_map: ClassVar[dict[str, str]] = {
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".css": "text/css",
        ".json": "application/json",
        ".wasm": "application/wasm",
        ".woff2": "font/woff2",
        "": "application/octet-stream",
    }

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: a benchmark's output is its result."""


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a folder while the block runs; gives its address, ending in a slash."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Host, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()

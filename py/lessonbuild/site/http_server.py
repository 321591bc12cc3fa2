"""A server for one folder on this machine, with the media types that WebAssembly and modules need."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, BinaryIO, Final

from lessonbuild.site.errors import SiteError
from lessonbuild.site.live_reload import EVENTS, WAITING_PAGE, Broadcaster, inject

HOST: Final = "127.0.0.1"
TYPES: Final = {
    "": "application/octet-stream",
    ".css": "text/css; charset=utf-8",
    ".gz": "application/gzip",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".whl": "application/zip",
    ".woff2": "font/woff2",
    ".zip": "application/zip",
}
_HASHED: Final = re.compile(r"-[0-9a-f]{10}\.(?:data\.)?\w+$")


class SiteServer(ThreadingHTTPServer):
    """Serves a folder; one thread per request, all of which end with the program."""

    daemon_threads = True
    allow_reuse_address = os.name != "nt"  # on Windows it would let two servers share a port

    def __init__(self, folder: Path, port: int, broadcaster: Broadcaster, script: bytes) -> None:
        handler = partial(_Handler, folder=folder, broadcaster=broadcaster, script=script)
        try:
            super().__init__((HOST, port), handler)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
            why = "is in use by another program" if error.errno == errno.EADDRINUSE else "is not allowed"
            raise SiteError(
                f"Port {port} on {HOST} {why}. Choose another one: "
                f"`python build.py serve --port {port + 1}`, or `PORT={port + 1} npm start`."
            ) from None

    @property
    def address(self) -> str:
        """Where the site is."""
        return f"http://{HOST}:{self.server_address[1]}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A reader who leaves in the middle of an answer is no error."""


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    extensions_map = TYPES

    def __init__(self, *args: Any, folder: Path, broadcaster: Broadcaster, script: bytes) -> None:
        self._folder = folder
        self._script = script
        self._broadcaster = broadcaster
        super().__init__(*args, directory=str(folder))

    def do_GET(self) -> None:
        if self.path == EVENTS:
            self._send_events()
        else:
            super().do_GET()

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        path = Path(self.translate_path(self.path))
        if path.is_dir() and self.path.partition("?")[0].endswith("/"):
            path /= "index.html"
        if path.suffix == ".html" and (path.is_file() or not self._folder.is_dir()):
            return self._send_page(path.read_bytes() if path.is_file() else WAITING_PAGE)
        return super().send_head()

    def list_directory(self, path: str | os.PathLike[str]) -> None:
        """No listings: a folder without a page is not an address of the site."""
        self.send_error(HTTPStatus.NOT_FOUND, "There is no page at this address")

    def end_headers(self) -> None:
        hashed = _HASHED.search(self.path.partition("?")[0])
        self.send_header("Cache-Control", "max-age=31536000, immutable" if hashed else "no-cache")
        super().end_headers()

    def log_message(self, *_: Any) -> None:
        """Requests are not news; the terminal is for the build."""

    def _send_page(self, page: bytes) -> io.BytesIO:
        body = inject(page, self._script, self._broadcaster.state.version)
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", TYPES[".html"])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return io.BytesIO(body)

    def _send_events(self) -> None:
        self.close_connection = True
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        with contextlib.suppress(OSError):
            for event in self._broadcaster.events():
                self.wfile.write(event)
                self.wfile.flush()

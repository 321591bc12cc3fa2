"""The author's server: right types, live pages, plain errors, and an end when asked."""

from __future__ import annotations

import http.client
import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from site_project import write

from lessonbuild.site.errors import SiteError
from lessonbuild.site.http_server import SiteServer
from lessonbuild.site.live_reload import EVENTS, Broadcaster, State
from lessonbuild.site.rebuild import Outcome, rebuild, site_version
from lessonbuild.site.serve import is_source, run_build

ROOT = Path(__file__).parents[3]
SCRIPT = b"/* live */"
PAGE = "<!doctype html><title>x</title><body><p>text</p></body></html>"


@contextmanager
def serving(folder: Path, broadcaster: Broadcaster) -> Iterator[SiteServer]:
    """A running server on a free port."""
    with SiteServer(folder, 0, broadcaster, SCRIPT) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            broadcaster.close()
            server.shutdown()
            thread.join()


@pytest.fixture
def broadcaster() -> Broadcaster:
    return Broadcaster()


@pytest.fixture
def server(tmp_path: Path, broadcaster: Broadcaster) -> Iterator[SiteServer]:
    write(tmp_path, "site/index.html", PAGE)
    write(tmp_path, "site/lessons/a.html", PAGE)
    for name in ("a.mjs", "a.wasm", "a.whl", "a.woff2", "a.svg", "a.json", "page-0123456789.js", "a.gz"):
        write(tmp_path, f"site/assets/{name}", "content")
    with serving(tmp_path / "site", broadcaster) as running:
        yield running


def get(server: SiteServer, path: str) -> tuple[int, http.client.HTTPMessage, bytes]:
    """Status, headers and body of one request."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    result = answer.status, answer.headers, answer.read()
    connection.close()
    return result


TYPES = {
    "/": "text/html; charset=utf-8",
    "/lessons/a.html?x=1": "text/html; charset=utf-8",
    "/assets/a.mjs": "text/javascript; charset=utf-8",
    "/assets/a.wasm": "application/wasm",
    "/assets/a.whl": "application/zip",
    "/assets/a.woff2": "font/woff2",
    "/assets/a.svg": "image/svg+xml",
    "/assets/a.json": "application/json",
    "/assets/a.gz": "application/gzip",
}


@pytest.mark.parametrize(("path", "kind"), TYPES.items())
def test_media_types(server: SiteServer, path: str, kind: str) -> None:
    status, headers, _ = get(server, path)
    assert (status, headers["Content-Type"]) == (200, kind)
    assert "Content-Encoding" not in headers, "packed files are unpacked by the page"


def test_only_hashed_names_are_kept_for_ever(server: SiteServer) -> None:
    assert "immutable" in get(server, "/assets/page-0123456789.js")[1]["Cache-Control"]
    assert get(server, "/assets/a.mjs")[1]["Cache-Control"] == "no-cache"
    assert get(server, "/index.html")[1]["Cache-Control"] == "no-cache"


def test_pages_get_the_script_and_files_stay_as_they_are(
    server: SiteServer, broadcaster: Broadcaster, tmp_path: Path
) -> None:
    broadcaster.publish(State("abc"))
    body = get(server, "/")[2].decode()
    tag = f'<script data-version="abc" data-events="{EVENTS}">\n/* live */</script>\n</body></html>'
    assert body == PAGE.replace("</body></html>", tag)
    assert (tmp_path / "site/index.html").read_text() == PAGE


@pytest.mark.parametrize("path", ["/nothing.html", "/assets/", "/lessons/../../conftest.py", "/%2e%2e/x"])
def test_other_addresses_are_not_found(server: SiteServer, path: str) -> None:
    assert get(server, path)[0] == 404


def test_before_the_first_good_build_a_page_waits(tmp_path: Path, broadcaster: Broadcaster) -> None:
    with serving(tmp_path / "none", broadcaster) as server:
        status, _, body = get(server, "/index.html")
    assert status == 200
    assert b"no finished site yet" in body
    assert SCRIPT in body


def events(server: SiteServer, received: queue.Queue[dict[str, Any]]) -> None:
    """Read server-sent events until the server ends the connection."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=20)
    connection.request("GET", EVENTS)
    for line in connection.getresponse():
        if line.startswith(b"data: "):
            received.put(json.loads(line.removeprefix(b"data: ")))
    received.put({})
    connection.close()


def test_open_pages_hear_the_state_and_every_change(server: SiteServer, broadcaster: Broadcaster) -> None:
    received: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=events, args=(server, received), daemon=True).start()
    assert received.get(timeout=10) == {"version": "", "problem": None}
    broadcaster.publish(State("two"))
    assert received.get(timeout=10) == {"version": "two", "problem": None}
    broadcaster.publish(State("two", "lesson.md:4: error"))
    assert received.get(timeout=10) == {"version": "two", "problem": "lesson.md:4: error"}
    broadcaster.close()
    assert received.get(timeout=10) == {}


def test_a_busy_port_is_told_plainly(server: SiteServer, tmp_path: Path) -> None:
    port = server.server_address[1]
    with pytest.raises(SiteError, match=rf"Port {port} on 127.0.0.1 is in use.*PORT={port + 1} npm start"):
        SiteServer(tmp_path, port, Broadcaster(), SCRIPT)


def test_a_failed_build_is_shown_and_the_last_good_site_kept(
    tmp_path: Path, broadcaster: Broadcaster, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "dist/site-files.json", "{}")
    run_build(tmp_path, tmp_path / "dist", broadcaster, lambda *_: Outcome(False, "a.md:3: error: typed [x]"))
    assert broadcaster.state == State(site_version(tmp_path / "dist"), "a.md:3: error: typed [x]")
    said = capsys.readouterr().out
    assert "a.md:3: error: typed [x]" in said
    assert "the last good site is still served" in said
    run_build(tmp_path, tmp_path / "dist", broadcaster, lambda *_: Outcome(True, "fine"))
    assert broadcaster.state.problem is None


def test_a_build_runs_in_a_process_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, "build.py", "import sys\nprint(sys.argv[1:])\nsys.exit('no: ' + sys.argv[3])\n")
    outcome = rebuild(tmp_path, tmp_path / "dist")
    assert not outcome.ok
    assert outcome.said.endswith(f"no: {tmp_path / 'dist'}")


SOURCES = {
    "lesson-data/lessons/a/lesson.md": True,
    "lesson-data/course.toml": True,
    "lesson-data/schema/lesson.schema.json": True,
    "py/policygrad/surrogate.py": True,
    "site/css/base.css": True,
    "site/templates/lesson.html": True,
    "lesson-data/index.json": False,
    "lesson-data/publications/x.md": False,
    "lesson-data/.pending/1": False,
    "py/policygrad/__pycache__/a.py": False,
    "site/js/.main.js.swp": False,
    "lesson-data/lessons/a/.lesson.md": False,
}


@pytest.mark.parametrize(("path", "counts"), SOURCES.items())
def test_what_the_build_writes_does_not_start_a_build(path: str, counts: bool) -> None:
    assert is_source(ROOT, ROOT / path) is counts


FAKE_BUILD = """
import pathlib, sys
out = pathlib.Path(sys.argv[3])
text = pathlib.Path("lesson-data/lessons/a/lesson.md").read_text()
if "WRONG" in text:
    sys.exit("lesson-data/lessons/a/lesson.md:1: error: wrong")
out.mkdir(exist_ok=True)
(out / "index.html").write_text(f"<body>{text}</body>")
listed = '{"madeBy": "policygrad lessonbuild", "sha256": {"index.html": "%s"}}'
(out / "site-files.json").write_text(listed % text)
"""


def test_the_whole_of_it_change_refresh_error_and_end(tmp_path: Path) -> None:
    write(tmp_path, "build.py", FAKE_BUILD)
    write(tmp_path, "site/js/serve/live-reload.js", "/* live */")
    source = write(tmp_path, "lesson-data/lessons/a/lesson.md", "one")
    program = (
        "import pathlib, sys; from lessonbuild.site.serve import serve; serve(pathlib.Path(sys.argv[1]), 0)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "py")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        port = next(
            int(found[1]) for line in process.stdout if (found := re.search(r"127\.0\.0\.1:(\d+)", line))
        )
        received: queue.Queue[dict[str, Any]] = queue.Queue()

        def listen() -> None:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("GET", EVENTS)
            for line in connection.getresponse():
                if line.startswith(b"data: "):
                    received.put(json.loads(line.removeprefix(b"data: ")))
            received.put({})

        threading.Thread(target=listen, daemon=True).start()
        first = received.get(timeout=20)
        source.write_text("two")
        second = received.get(timeout=20)
        assert second["version"] not in ("", first["version"])
        source.write_text("WRONG")
        third = received.get(timeout=20)
        assert third == {
            "version": second["version"],
            "problem": "lesson-data/lessons/a/lesson.md:1: error: wrong",
        }
        assert (tmp_path / "dist/index.html").read_text() == "<body>two</body>"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 0
        assert received.get(timeout=10) == {}
    finally:
        process.kill()
        process.wait()
        process.stdout.close()

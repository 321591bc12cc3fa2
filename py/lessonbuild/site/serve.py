"""`build.py serve`: the site on this machine, built again whenever a source changes.

A build that fails changes nothing: its words appear in the terminal and on the open pages, over the last good
site.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Final

import watchfiles

from lessonbuild.site.http_server import SiteServer
from lessonbuild.site.live_reload import Broadcaster, State
from lessonbuild.site.output import check_target
from lessonbuild.site.rebuild import Outcome, rebuild, site_version

SCRIPT: Final = Path("site/js/serve/live-reload.js")
WATCHED: Final = ("lesson-data", "py", "site", "tools/runtime")
SOURCES: Final = frozenset(
    {".md", ".toml", ".py", ".html", ".css", ".js", ".mjs", ".json", ".svg", ".txt", ".pyi"}
)


def serve(root: Path, port: int, out: Path | None = None) -> None:
    """Serve until Ctrl-C. Raises SiteError when the port or the output folder cannot be used."""
    out = (out or root / "dist").absolute()
    check_target(out)
    broadcaster = Broadcaster()
    broadcaster.publish(State(site_version(out)))
    script = (root / SCRIPT).read_bytes()
    with SiteServer(out, port, broadcaster, script) as server, _interrupted_by_terminate():
        listening = threading.Thread(target=server.serve_forever, daemon=True)
        listening.start()
        try:
            watch(root, lambda: run_build(root, out, broadcaster), lambda: _greet(server))
        except KeyboardInterrupt:
            print("\nStopped.", flush=True)
        finally:
            broadcaster.close()
            server.shutdown()
            listening.join()


def run_build(
    root: Path,
    out: Path,
    broadcaster: Broadcaster,
    build: Callable[[Path, Path], Outcome] = rebuild,
) -> None:
    """Build once, say in the terminal what came of it, and let open pages know."""
    outcome = build(root, out)
    print(outcome.said, flush=True)
    if not outcome.ok:
        good = "the last good site is still served" if site_version(out) else "there is no site to serve yet"
        print(f"The build failed; {good}. It is repeated when a source changes.", flush=True)
    broadcaster.publish(State(site_version(out), None if outcome.ok else outcome.said))


def watch(root: Path, build: Callable[[], None], ready: Callable[[], None]) -> None:
    """Build now and after every change of a source, until interrupted."""
    folders = [root / name for name in WATCHED if (root / name).is_dir()]
    # The watch begins before the first build, so that an edit during it is not missed.
    changes = watchfiles.watch(
        *folders,
        watch_filter=lambda _, path: is_source(root, Path(path)),
        yield_on_timeout=True,
        rust_timeout=200,
        debounce=400,
    )
    next(changes)
    build()
    ready()
    for changed in changes:
        if changed:
            names = sorted({Path(path).relative_to(root).as_posix() for _, path in changed})
            print(f"\nchanged: {', '.join(names[:3])}{' …' if len(names) > 3 else ''}", flush=True)
            build()


def is_source(root: Path, path: Path) -> bool:
    """Whether a change of this file can change the site. What the build itself writes does not count."""
    parts = path.relative_to(root).parts
    if any(part.startswith((".", "__pycache__")) for part in parts) or path.suffix not in SOURCES:
        return False
    if parts[0] == "lesson-data":
        return path.suffix == ".toml" or parts[1] in ("lessons", "schema", "studies")
    return True


def _greet(server: SiteServer) -> None:
    print(f"\nThe site is at {server.address} and follows your changes. Ctrl-C stops.", flush=True)


@contextlib.contextmanager
def _interrupted_by_terminate() -> Iterator[None]:
    """Treat a polite kill like Ctrl-C, so that `npm start` can end us in order."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)

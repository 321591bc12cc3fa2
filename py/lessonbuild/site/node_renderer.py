"""Formulas and static pictures, made by one long-lived Node process that speaks one JSON object a line.

KaTeX and the figure code are JavaScript, and the page uses the same files. The process is started at the
first request, so a run in which nothing has to be drawn starts none. It reads its requests from our pipe and
ends when the pipe closes, so it dies with us however we die.
"""

from __future__ import annotations

import contextlib
import json
import queue
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final

from lessonbuild.errors import MathError
from lessonbuild.site.errors import SiteError

SCRIPT: Final = Path("site/js/build/render.mjs")
PATIENCE: Final = 60.0
"""Seconds to wait for one answer: a formula takes milliseconds, so this is a hang."""


class PictureError(SiteError):
    """A first frame that the figure code cannot draw."""


class NodeRenderer:
    """Implements `MathRenderer` and draws pictures; use as a context manager, or call `close`."""

    def __init__(
        self, root: Path, *, command: Sequence[str] | None = None, patience: float = PATIENCE
    ) -> None:
        self._root = root
        self._command = command
        self._patience = patience
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._complaints: IO[bytes] | None = None
        self._formulas: dict[tuple[str, bool], str] = {}
        self._last_id = 0
        self._lock = threading.Lock()

    @property
    def started(self) -> bool:
        """Whether Node has been needed so far."""
        return self._last_id > 0

    def render(self, tex: str, display: bool) -> str:
        """Typeset a formula as HTML with MathML. Raises MathError with KaTeX's words about a mistake."""
        key = (tex, display)
        if key not in self._formulas:
            answer = self._ask({"op": "math", "tex": tex, "display": display})
            if not answer["ok"]:
                raise MathError(str(answer["message"]))
            self._formulas[key] = str(answer["html"])
        return self._formulas[key]

    def picture(self, frame: Mapping[str, Any], size: str, label: str) -> str:
        """Draw a view model's figure as SVG, `size` being "wide" or "narrow". Raises PictureError."""
        answer = self._ask({"op": "picture", "frame": frame, "size": size, "label": label})
        if not answer["ok"]:
            raise PictureError(f"The picture of {label} cannot be drawn: {answer['message']}")
        return str(answer["svg"])

    def close(self) -> None:
        """End the process. Another request would start a new one."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            assert process.stdin is not None
            process.stdin.close()
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()
        if self._complaints is not None:
            self._complaints.close()

    def __enter__(self) -> NodeRenderer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            process = self._process or self._start()
            self._last_id += 1
            line = json.dumps({"id": self._last_id, **request}, ensure_ascii=False)
            try:
                assert process.stdin is not None
                process.stdin.write(line + "\n")
                process.stdin.flush()
                text = self._answers.get(timeout=self._patience)
            except queue.Empty:
                raise self._lost(f"gave no answer for {self._patience:.0f} seconds") from None
            except OSError:
                raise self._lost("stopped") from None
            try:
                answer = json.loads(text)
                if answer["id"] != self._last_id or answer["ok"] not in (True, False):
                    raise ValueError
            except (ValueError, KeyError, TypeError):
                said = f"answered {text[:200].rstrip()!r}" if text else "stopped"
                raise self._lost(said) from None
            return dict(answer)

    def _start(self) -> subprocess.Popen[str]:
        command = list(self._command or (self._node(), str(self._script())))
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._answers = queue.SimpleQueue()
        try:
            self._process = subprocess.Popen(
                command,
                cwd=self._root,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                encoding="utf-8",
            )
        except OSError as error:
            raise SiteError(f"{command[0]} could not be started: {error}") from None
        reader = threading.Thread(target=_pass_on, args=(self._process.stdout, self._answers), daemon=True)
        reader.start()
        return self._process

    def _lost(self, what: str) -> SiteError:
        complaints = self._complaints
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        said = ""
        if complaints is not None:
            complaints.seek(0)
            said = complaints.read().decode(errors="replace").strip()
        self.close()
        return SiteError(
            f"The Node process that draws formulas and figures ({SCRIPT.as_posix()}) {what}."
            + (f" It said:\n{said}" if said else "")
        )

    def _script(self) -> Path:
        script = self._root / SCRIPT
        if not script.is_file():
            raise SiteError(f"{SCRIPT.as_posix()} is missing: the copy of the project is not complete.")
        if not (self._root / "node_modules" / "katex").is_dir():
            raise SiteError("The node modules are not installed. `npm start` installs them, or run `npm ci`.")
        return script

    @staticmethod
    def _node() -> str:
        node = shutil.which("node")
        if node is None:
            raise SiteError(
                "Node is not on the PATH. Install Node 20 or newer: it draws formulas and figures."
            )
        return node


def _pass_on(source: IO[str] | None, answers: queue.SimpleQueue[str]) -> None:
    """Move lines to the queue; an empty text says that the process has closed its side."""
    assert source is not None
    with contextlib.suppress(ValueError, OSError):
        for line in source:
            answers.put(line)
    answers.put("")

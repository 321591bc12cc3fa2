"""The long-lived Node process: started late, told plainly when it fails, never left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from sample_widget import sample_frame

from lessonbuild.errors import MathError
from lessonbuild.site.errors import SiteError
from lessonbuild.site.node_renderer import NodeRenderer, PictureError

PY = Path(__file__).parents[3] / "py"


def test_nothing_is_started_before_the_first_request(root: Path) -> None:
    (root / "site/js/build/render.mjs").write_text("syntax error")
    with NodeRenderer(root) as renderer:
        assert not renderer.started


def test_formulas_and_pictures(root: Path) -> None:
    with NodeRenderer(root) as renderer:
        assert "r &lt; 1" in renderer.render("r < 1", False)
        assert "displayed" in renderer.render("r < 1", True)
        assert 'viewBox="0 0 328 310"' in renderer.picture(sample_frame(), "narrow", "ppo-clip-narrow")


def test_a_mistake_in_a_formula_is_a_math_error_and_the_process_goes_on(root: Path) -> None:
    with NodeRenderer(root) as renderer:
        with pytest.raises(MathError, match="no such command"):
            renderer.render("BROKEN", False)
        assert renderer.render("x", False)


def test_a_picture_that_cannot_be_drawn_names_its_widget(root: Path) -> None:
    with (
        NodeRenderer(root) as renderer,
        pytest.raises(PictureError, match="picture of kl-wide cannot be drawn: no figure"),
    ):
        renderer.picture({}, "wide", "kl-wide")


def test_a_process_that_dies_is_reported_with_its_last_words_and_replaced(root: Path) -> None:
    with NodeRenderer(root) as renderer:
        with pytest.raises(SiteError, match=r"(?s)render\.mjs\) stopped\. It said:\nthe reason"):
            renderer.render("DIE", False)
        assert renderer.render("x", False)


def test_a_process_that_falls_silent_is_ended(root: Path) -> None:
    with (
        NodeRenderer(root, patience=0.5) as renderer,
        pytest.raises(SiteError, match="gave no answer"),
    ):
        renderer.render("HANG", False)


def test_an_answer_that_is_none_is_shown(root: Path) -> None:
    with NodeRenderer(root) as renderer, pytest.raises(SiteError, match="answered 'not json'"):
        renderer.render("BABBLE", False)


def test_missing_node_and_missing_modules_say_what_to_do(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with NodeRenderer(root) as renderer, monkeypatch.context() as patch:
        patch.setenv("PATH", "")
        with pytest.raises(SiteError, match="Install Node 20 or newer"):
            renderer.render("x", False)
    (root / "node_modules").unlink()
    with NodeRenderer(root) as renderer, pytest.raises(SiteError, match="npm ci"):
        renderer.render("x", False)


def test_the_process_ends_when_its_owner_is_killed(root: Path) -> None:
    program = textwrap.dedent(
        f"""
        import os, pathlib, sys
        from lessonbuild.site.node_renderer import NodeRenderer
        renderer = NodeRenderer(pathlib.Path({str(root)!r}))
        renderer.render("x", False)
        print(renderer._process.pid, flush=True)
        os.kill(os.getpid(), 9)
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(PY)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    child = int(done.stdout)
    deadline = time.monotonic() + 10
    while _alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _alive(child)


def _alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]
    except FileNotFoundError:
        return False

"""`build.py study` killed without warning: what was finished stays, and the next start goes on from it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import ROOT

PROGRAM = """
import sys
sys.path[:0] = [{py!r}, {here!r}]
from pathlib import Path
import lessonbuild.study.registry as registry
from conftest import short
registry.STUDIES["cartpole"] = short("cartpole")
if {slow}:
    import lessonbuild.study.execute as module
    real = module.results
    def slowly(*args, **keywords):
        import time
        for number, result in enumerate(real(*args, **keywords)):
            if number == 2:
                time.sleep(60)
            yield result
    module.results = slowly
from lessonbuild.study.command import study
study(["cartpole", "--seeds", "4"], obj=Path({root!r}), prog_name="study")
"""


def program(root: Path, *, slow: bool) -> subprocess.Popen[str]:
    here = str(Path(__file__).parent)
    text = PROGRAM.format(py=str(ROOT / "py"), here=here, slow=slow, root=str(root))
    return subprocess.Popen(
        [sys.executable, "-c", text],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    )


def seeds(root: Path) -> list[str]:
    return sorted(path.name for path in (root / ".cache/studies").rglob("seed-*.json"))


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_what_was_finished_stays(root: Path, end: signal.Signals) -> None:
    first = program(root, slow=True)
    until = time.monotonic() + 60
    while len(seeds(root)) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    first.send_signal(end)
    _, said = first.communicate(timeout=60)
    assert first.returncode != 0
    assert seeds(root) == ["seed-0.json", "seed-1.json"]
    assert not list((root / "lesson-data").glob("studies/*"))
    if end == signal.SIGINT:
        assert "interrupted: 2 of 4 seeds are finished and kept; the same command goes on from there" in said
    second = program(root, slow=False)
    out, said = second.communicate(timeout=60)
    assert second.returncode == 0, said
    assert "4 seeds, 2 from an earlier run" in out
    assert len(list((root / "lesson-data").glob("studies/cartpole-smoke-*.json"))) == 1

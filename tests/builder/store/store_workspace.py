"""A copy of the project in which tests may break things, and ways to run `build.py` there."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from lessonbuild.report import Report

ROOT = Path(__file__).parents[3]
COPIED = ("py", "lesson-data", "site/js/build", "site/js/figures", "site/js/lib")
LINKED = (".venv", "node_modules")


def workspace(folder: Path, *, lessons: bool = True) -> Path:
    """Copy what a build of lessons needs to `folder`/project; without `lessons`, none of ours."""
    root = folder / "project"
    root.mkdir()
    shutil.copy2(ROOT / "build.py", root)
    shutil.copy2(ROOT / "package.json", root)
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name)  # with __pycache__, so that nothing is compiled again
    for name in LINKED:
        (root / name).symlink_to(ROOT / name)
    if not lessons:
        data = root / "lesson-data"
        for path in [*data.glob("*.json"), *data.glob("publications/*")]:
            path.unlink()
        shutil.rmtree(data / "lessons")
        course = data / "course.toml"
        course.write_text(course.read_text().replace('["policy-gradient-kl-control"]', "[]"))
    return root


def start(root: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """Start `python build.py …` in the copy."""
    return subprocess.Popen(
        [str(root / ".venv" / "bin" / "python"), str(root / "build.py"), *arguments],
        cwd=root,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(root: Path, *arguments: str, **environment: str) -> tuple[int, str, str]:
    """Run `python build.py …` in the copy; exit code, standard output and error output."""
    process = start(root, *arguments, **environment)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def built(root: Path) -> str:
    """Build the lessons and return the summary line; any error fails the test."""
    code, out, err = run(root, "lessons")
    assert code == 0, out + err
    return out.splitlines()[-1]


def here(command: Callable[[Path, Report], object], root: Path) -> tuple[Report, str]:
    """Run a command's own function in this process; its report, and everything that it said."""
    said = io.StringIO()
    report = Report(out=said, err=said)
    command(root, report)
    return report, said.getvalue()


def generated(root: Path) -> dict[str, bytes]:
    """Every generated file by its path below lesson-data/."""
    data = root / "lesson-data"
    files = [*data.glob("*.json"), *data.glob("publications/*")]
    return {path.relative_to(data).as_posix(): path.read_bytes() for path in files}


@contextlib.contextmanager
def kept(root: Path) -> Iterator[Path]:
    """Put every source, generated file and cache entry back as it was, when the block ends."""
    folders = [root / name for name in ("py", "lesson-data", ".cache")]
    before = {path: path.read_bytes() for path in _files(folders)}
    yield root
    for path in _files(folders):
        if path not in before:
            path.unlink()
    for path, data in before.items():
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)


def _files(folders: list[Path]) -> list[Path]:
    found = [path for folder in folders for path in folder.rglob("*")]
    return [path for path in found if path.is_file() and path.suffix != ".pyc"]


def edit(path: Path, old: str, new: str) -> None:
    """Replace the first occurrence of a text that must be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{old!r} is not in {path}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")

"""The commands, their help and their exit codes: 0 fine, 1 errors or stale files, 2 wrong usage."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from store_workspace import ROOT, edit, run, workspace

from lessonbuild import cli as cli_module
from lessonbuild.cli import cli
from lessonbuild.errors import AuthorError
from lessonbuild.report import Report
from lessonbuild.site.errors import SiteError

COMMANDS = ["lessons", "check", "site", "serve", "new", "study"]


def test_help_lists_every_command_with_a_whole_sentence() -> None:
    result = CliRunner().invoke(cli, ["--help"])
    assert result.exit_code == 0
    for command in COMMANDS:
        (line,) = [line for line in result.output.splitlines() if line.startswith(f"  {command} ")]
        assert line.endswith("."), "not cut off"
        assert not line.endswith("..."), "not cut off"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_every_command_has_help(command: str, option: str) -> None:
    result = CliRunner().invoke(cli, [command, option])
    assert result.exit_code == 0
    assert len(result.output.splitlines()) > 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lesons"], "No such command 'lesons'. Did you mean 'lessons'?"),
        (["lessons", "--fast"], "No such option '--fast'"),
        (["lessons", "more"], "unexpected extra argument (more)"),
        (["serve", "--port", "many"], "'many' is not a valid integer"),
        (["serve", "--port", "70000"], "70000 is not in the range 0<=x<=65535"),
        (["new"], "Missing argument 'ID'"),
        (["site", "--out", __file__], "is a file"),
        (["study", "cartpol"], 'there is no study "cartpol"; did you mean "cartpole"?'),
        (["study", "cartpole", "--seeds", "0"], "0 is too few; it must be 1 or more"),
        (["study", "cartpole", "--jobs", "0"], "0 is too few; it must be 1 or more"),
        (["study", "cartpole", "--profile", "long"], "'long' is not one of 'smoke', 'full'"),
        (["study", "cartpole", "--backend", "dask"], "--backend dask needs --scheduler ADDRESS"),
        (["study", "cartpole", "--scheduler", "tcp://10.0.0.5:8786"], "--scheduler is for --backend dask"),
    ],
)
def test_wrong_usage_exits_with_two_and_says_what_is_wrong(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(cli, arguments, obj=ROOT)
    assert result.exit_code == 2
    assert message in result.output


def test_exit_codes_of_a_whole_round(tmp_path: Path) -> None:
    root = workspace(tmp_path)
    assert run(root, "check")[0] == 0
    (source,) = root.glob("lesson-data/lessons/*/lesson.md")
    edit(source, "that is the whole story", "that would be the whole story")
    assert run(root, "check")[0] == 1
    assert run(root, "lessons")[0] == 0
    assert run(root, "check")[0] == 0
    edit(source, "that would be the whole story", "those are 2 stories")
    code, out, err = run(root, "lessons")
    assert code == 1
    assert "[number-typed]" in err
    assert out.endswith("1 error\n")
    assert run(root, "nothing")[0] == 2


def test_mistakes_around_the_lessons_end_every_command_plainly(tmp_path: Path) -> None:
    root = workspace(tmp_path)
    course = root / "lesson-data/course.toml"
    line = course.read_text().split("order = [")[0].count("\n") + 1
    edit(course, "order = [", "order = ")
    for command in (["lessons"], ["check"], ["site"], ["new", "more"]):
        code, _, err = run(root, *command)
        assert code == 1, command
        assert f"lesson-data/course.toml:{line}: error: not valid TOML: " in err, command
        assert "Traceback" not in err


def test_faults_outside_the_sources_are_sentences_and_not_tracebacks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["build.py", "lessons"])
    for fault, message in [
        (SiteError("Node is missing."), "error: Node is missing.\n"),
        (
            OSError(28, "No space left on device", "lesson-data/x"),
            "error: lesson-data/x: No space left on device\n",
        ),
        (
            SyntaxError("invalid syntax", ("py/policygrad/x.py", 3, 1, "")),
            "py/policygrad/x.py:3: error: invalid syntax\n",
        ),
    ]:

        def broken(*_: object, fault: BaseException = fault) -> None:
            raise fault

        monkeypatch.setattr(cli_module, "build_lessons", broken)
        assert cli_module.run(ROOT) == 1
        assert capsys.readouterr().err == message


def test_outside_the_environment_it_starts_again_inside(tmp_path: Path) -> None:
    root = workspace(tmp_path)
    python = os.path.realpath(root / ".venv/bin/python")  # the interpreter without the environment
    done = subprocess.run(
        [python, str(root / "build.py"), "check"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_without_an_environment_it_says_how_to_set_it_up(tmp_path: Path) -> None:
    shutil.copy(ROOT / "build.py", tmp_path)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "build.py"), "lessons"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == (
        "error: the Python environment in .venv has not been set up.\n"
        "Run `npm start` once; it sets up everything and then serves the site.\n"
    )


def test_the_report_counts_and_owns_the_exit_code() -> None:
    out, err = io.StringIO(), io.StringIO()
    report = Report(out=out, err=err)
    report.rendered, report.cached = 1, 99
    report.wrote("gae", "lesson-data/gae-0123456789abcdef.json", 41_234)
    report.wrote("index", "lesson-data/index.json", 912)
    report.removed_file("gae", "lesson-data/gae-aaaaaaaaaaaaaaaa.json")
    report.unchecked.append("gae: ratio: names the ratio")
    assert report.exit_code == 0
    report.summary()
    report.author_errors([AuthorError("a.md", 3, "wrong", "rule")])
    report.problem("the disk is full")
    assert report.exit_code == 1
    assert report.errors == 2
    assert out.getvalue() == (
        "wrote    gae  lesson-data/gae-0123456789abcdef.json  41 KB\n"
        "wrote    index  lesson-data/index.json  0.9 KB\n"
        "removed  gae  lesson-data/gae-aaaaaaaaaaaaaaaa.json\n"
        "not checked against the core, with the author's reason:\n"
        "  gae: ratio: names the ratio\n"
        "1 lesson rendered, 99 from cache, 2 files written, 0 unchanged, 1 removed, 0 errors\n"
    )
    assert err.getvalue() == "a.md:3: error: wrong [rule]\nerror: the disk is full\n"

"""The commands of `build.py`. Each is a few lines; what it does stands in the module that it imports.

Exit codes: 0 all is well; 1 errors in sources, or files that are not what the sources give; 2 wrong usage.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from lessonbuild.lessons import Built, build_lessons
from lessonbuild.outputs import OutputError
from lessonbuild.project import ProjectError
from lessonbuild.report import Report
from lessonbuild.site.errors import SiteError
from lessonbuild.study.command import study


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, commands=[study])
def cli() -> None:
    """Turn the lesson sources in lesson-data/lessons/ into lesson data and a static site."""


@cli.command()
@click.pass_context
def lessons(context: click.Context) -> None:
    """Build lesson data from the sources.

    Writes artifacts, records, Markdown exports and the index, all of them or none. Only lessons whose
    source, or whose part of the core, has changed are built. With an error in any source nothing is
    written, and every error is listed with its file and line.
    """
    report = Report()
    _lessons(context.obj, report)
    sys.exit(report.exit_code)


@cli.command()
@click.pass_context
def check(context: click.Context) -> None:
    """Compare committed files with the sources.

    Builds everything again in memory, without the cache, and compares every byte. Exit code 1 when a file
    is stale, altered, missing or stray.
    """
    from lessonbuild.check import check as run_check  # noqa: PLC0415 - brings in NumPy

    report = Report()
    run_check(context.obj, report)
    sys.exit(report.exit_code)


@cli.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the finished site.  [default: dist]",
)
@click.pass_context
def site(context: click.Context, out: Path | None) -> None:
    """Build lesson data and the static site."""
    from lessonbuild.site.build import build_site  # noqa: PLC0415 - brings in Jinja

    report = Report()
    built = _lessons(context.obj, report)
    if built:
        build_site(built.project, built.index, out or context.obj / "dist", report)
    sys.exit(report.exit_code)


@cli.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    envvar="PORT",
    show_default=True,
    show_envvar=True,
    help="Port on 127.0.0.1.",
)
@click.pass_context
def serve(context: click.Context, port: int) -> None:
    """Serve the site and rebuild on change.

    Open pages refresh after each rebuild and keep the positions of their controls. While a source has an
    error, the last good site is served, with the error shown over it.
    """
    from lessonbuild.site.serve import serve as run_server  # noqa: PLC0415 - brings in a server

    run_server(context.obj, port)


@cli.command()
@click.argument("lesson_id", metavar="ID")
@click.pass_context
def new(context: click.Context, lesson_id: str) -> None:
    """Start a lesson that builds.

    Writes a small working source that has every part of a lesson. ID is lower-case words joined by hyphens;
    it names the lesson's page and files for good.
    """
    from lessonbuild.new import NewLessonError, new_lesson  # noqa: PLC0415 - rarely used

    try:
        written = new_lesson(context.obj, lesson_id)
    except NewLessonError as error:
        raise click.UsageError(str(error)) from None
    except ProjectError as error:
        click.echo(str(error), err=True)
        sys.exit(1)
    click.echo(f"wrote    {lesson_id}  {written.relative_to(context.obj).as_posix()}")
    click.echo("Write in it, then run `python build.py serve` and open the lesson's page.")


def _lessons(root: Path, report: Report) -> Built | None:
    built = build_lessons(root, report)
    report.summary()
    return built


def run(root: Path) -> int:
    """Run the command line for the project at `root` and return the exit code."""
    try:
        cli(prog_name="python build.py", obj=root, standalone_mode=True)
    except (SiteError, OutputError) as error:
        click.echo(f"error: {error}", err=True)
    except OSError as error:
        click.echo(f"error: {error.filename or 'a file'}: {error.strerror or error}", err=True)
    except SyntaxError as error:
        click.echo(f"{error.filename}:{error.lineno}: error: {error.msg}", err=True)
    return 1

"""The command `build.py study`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import click

from lessonbuild.errors import did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

    from lessonbuild.study.execute import Outcome, Plan

NAMES: Final = ("cartpole", "sequence", "group-estimators")
ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def _known(_context: click.Context, _parameter: click.Parameter, name: str) -> str:
    if name not in NAMES:
        raise click.BadParameter(f'there is no study "{name}"{did_you_mean(name, NAMES)}')
    return name


def _some(_context: click.Context, _parameter: click.Parameter, number: int) -> int:
    if number < 1:
        raise click.BadParameter(f"{number} is too few; it must be 1 or more")
    return number


@click.command()
@click.argument("name", metavar="|".join(NAMES), callback=_known)
@click.option(
    "--profile",
    type=click.Choice(["smoke", "full"]),
    default="smoke",
    show_default=True,
    help="A short run, or the whole one.",
)
@click.option("--seeds", type=int, default=5, show_default=True, callback=_some, help="Seeds 0, 1, … to run.")
@click.option(
    "--jobs", type=int, default=1, show_default=True, callback=_some, help="Processes side by side."
)
@click.option(
    "--backend",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="Processes here, or the workers of a Dask cluster.",
)
@click.option("--scheduler", metavar="ADDRESS", help="The cluster's scheduler, such as tcp://10.0.0.5:8786.")
@click.pass_context
def study(  # noqa: PLR0917 - click passes every option by its name
    context: click.Context,
    name: str,
    profile: str,
    seeds: int,
    jobs: int,
    backend: str,
    scheduler: str | None,
) -> None:
    """Run the core with many seeds.

    Writes one file in lesson-data/studies/ with settings, versions, the curve of every seed and statistics
    over the seeds. Every finished seed is kept: a study that was stopped goes on where it was, and more seeds
    are added to those that are there.
    """
    if backend == "dask" and not scheduler:
        raise click.UsageError("--backend dask needs --scheduler ADDRESS, as `dask scheduler` prints it.")
    if scheduler and backend != "dask":
        raise click.UsageError("--scheduler is for --backend dask; without a cluster leave it out.")
    for variable in ONE_THREAD:  # before NumPy is imported, here and in the processes started from here
        os.environ.setdefault(variable, "1")
    try:
        from lessonbuild.study.execute import Plan  # noqa: PLC0415 - brings in NumPy
        from lessonbuild.study.registry import STUDIES  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        raise click.ClickException(
            f"the Python environment lacks the package {missing.name!r}; run `npm start` once"
        ) from None
    sys.exit(_run(context.obj, Plan(STUDIES[name], profile, seeds, jobs, scheduler)))


def _run(root: Path, plan: Plan) -> int:
    from lessonbuild.study.backends import StudyError  # noqa: PLC0415 - brings in NumPy
    from lessonbuild.study.execute import execute  # noqa: PLC0415

    finished = 0
    label = f"{plan.study.name} {plan.profile}"
    try:
        with click.progressbar(length=plan.num_seeds, label=label, show_pos=True) as bar:

            def progress(count: int, _of: int) -> None:
                nonlocal finished
                bar.update(count - finished)
                finished = count

            outcome = execute(root, plan, progress)
    except StudyError as error:
        click.echo(f"error: {error}", err=True)
        return 1
    except KeyboardInterrupt:
        click.echo(
            f"interrupted: {finished} of {plan.num_seeds} seeds are finished and kept; "
            "the same command goes on from there",
            err=True,
        )
        return 1
    _report(root, outcome)
    return 0


def _report(root: Path, outcome: Outcome) -> None:
    count = len(outcome.document["seeds"])
    seeds = "1 seed" if count == 1 else f"{count} seeds"
    click.echo(f"{seeds}, {outcome.reused} from an earlier run")
    for found in outcome.document["statistics"]:
        interval = found["bootstrap"]
        sure = f"  95 % {_short(interval['low'])} to {_short(interval['high'])}" if interval else ""
        exact = f"  exact {_short(found['exact'])}" if "exact" in found else ""
        middle = f"mean {_short(found['mean'])}" if exact else f"median {_short(found['median'])}"
        iqm = f"IQM {_short(found['interquartileMean'])}"
        click.echo(f"  {found['measure']}: {middle}{exact}  {iqm}{sure}")
    path = outcome.path.relative_to(root).as_posix()
    click.echo(f"wrote    {path}  {outcome.size / 1000:.1f} KB")


def _short(value: float) -> str:
    return f"{value:.6g}".replace("-", "−")

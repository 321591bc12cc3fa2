"""The author's command line: `python build.py lessons|check|site|serve|new|study`, each with `--help`.

This file only finds the project's own Python environment; the commands are in py/lessonbuild/cli.py.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / ".venv"
MARK = "LESSONBUILD_ENVIRONMENT"


def main() -> int:
    """Run the command inside .venv, starting again there when this Python is another one."""
    if Path(sys.prefix).resolve() != ENVIRONMENT.resolve():
        return enter_environment()
    os.environ.pop(MARK, None)  # it would mislead a build.py that this one starts
    sys.path.insert(0, str(ROOT / "py"))
    try:
        from lessonbuild.cli import run  # noqa: PLC0415 - only inside the environment is it there
    except ModuleNotFoundError as missing:
        return explain(f"the Python environment in .venv lacks the package {missing.name!r}")
    return run(ROOT)


def enter_environment() -> int:
    """Replace this process by the same command inside .venv."""
    python = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        return explain("the Python environment in .venv has not been set up")
    if os.environ.get(MARK) == str(ENVIRONMENT):
        return explain("the Python environment in .venv is damaged: its Python starts outside it")
    os.environ[MARK] = str(ENVIRONMENT)
    command = [str(python), str(ROOT / "build.py"), *sys.argv[1:]]
    if os.name == "nt":  # there, exec would return to the shell before the command has ended
        return subprocess.run(command, check=False).returncode
    return os.execv(command[0], command)


def explain(what: str) -> int:
    """Say what is missing and the one command that mends it."""
    print(
        f"error: {what}.\nRun `npm start` once; it sets up everything and then serves the site.",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())

"""The licences page: every work that is shipped, its version, its licence, and the text that came with it."""

from __future__ import annotations

import json
import re
import tomllib
import zipfile
from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lessonbuild.site.errors import SiteError

LIST: Final = Path("site/licences/components.toml")
RUNTIME_LOCK: Final = Path("site/runtime.lock.json")


@dataclass(frozen=True, slots=True)
class LicenceText:
    """One text of a component."""

    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Component:
    """One work on the licences page."""

    id: str
    name: str
    version: str
    licence: str
    purpose: str
    note: str
    texts: tuple[LicenceText, ...]


def components(root: Path, runtime: Path, bundled: Set[str]) -> list[Component]:
    """Everything shipped.

    `runtime` is the folder with the page's Python, `bundled` are the npm packages inside our scripts.
    Raises SiteError for a bundled package that the list does not name, and for a text that is not there.
    """
    entries = tomllib.loads((root / LIST).read_text(encoding="utf-8"))["component"]
    unknown = sorted(bundled - {entry.get("package") for entry in entries})
    if unknown:
        raise SiteError(
            f'The npm package "{unknown[0]}" is inside our scripts, but {LIST.as_posix()} does not name it. '
            "Add it with its licence."
        )
    return [_component(root, runtime, entry) for entry in entries]


def _component(root: Path, runtime: Path, entry: Mapping[str, Any]) -> Component:
    package = _package(root, entry["package"]) if "package" in entry else {}
    return Component(
        id=re.sub(r"[^a-z0-9]+", "-", entry["name"].lower()).strip("-"),
        name=entry["name"],
        version=package.get("version") or _version(root, entry["version"]),
        licence=package.get("license") or entry["licence"],
        purpose=entry["purpose"],
        note=entry["note"],
        texts=tuple(_text(root, runtime, text) for text in entry["texts"]),
    )


def _text(root: Path, runtime: Path, entry: Mapping[str, Any]) -> LicenceText:
    """A text as it is, but for spaces at the ends of lines."""
    body = _wheel_texts(runtime) if entry.get("wheel") else _read(root, entry["from"])
    return LicenceText(entry["title"], "\n".join(line.rstrip() for line in body.splitlines()) + "\n")


def _version(root: Path, of: str) -> str:
    """The version of a part that is no npm package of its own."""
    lock = json.loads(_read(root, RUNTIME_LOCK.as_posix()))
    if of == "python":
        return str(lock["pyodide"]["python"])
    if of == "numpy":
        return str(lock["numpy"]["version"])
    if of == "project":
        return str(json.loads(_read(root, "package.json"))["version"])
    return str(_package(root, of)["version"])


def _wheel_texts(runtime: Path) -> str:
    """All licence texts inside the wheel, the wheel's own first, each of the others under its path."""
    (wheel,) = runtime.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = sorted(name for name in archive.namelist() if ".dist-info/licenses/" in name)
        texts = {
            name.split(".dist-info/licenses/", 1)[1]: archive.read(name).decode("utf-8", "replace").strip()
            for name in names
        }
    main = texts.pop("LICENSE.txt")
    return "\n\n".join([main, *(f"---- {name} ----\n\n{text}" for name, text in texts.items())]) + "\n"


def _package(root: Path, name: str) -> dict[str, str]:
    content = json.loads(_read(root, f"node_modules/{name}/package.json"))
    return {"version": content["version"], "license": content["license"]}


def _read(root: Path, file: str) -> str:
    try:
        return (root / file).read_text(encoding="utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        raise SiteError(f"{file} is missing. `npm start` installs packages, or run `npm ci`.") from None

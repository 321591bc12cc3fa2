"""A small project around the sample lesson: our templates and styles; fake renderer, scripts and runtime."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

from lessonbuild.hashing import artifact_bytes, artifact_name, json_bytes
from lessonbuild.project import Course, Project

ROOT = Path(__file__).parents[3]

FAKES = Path(__file__).parent / "fakes"
SCRIPTS = {
    "site/js/lesson/early.js": 'document.documentElement.classList.add("js");\n',
    "site/js/lesson/main.js": "console.log(globalThis.lessonData);\n",
    "site/js/atlas/main.js": 'console.log("atlas");\n',
    "site/js/runtime/worker.js": "self.onmessage = () => {};\n",
    "site/js/build/render.mjs": (FAKES / "render.mjs").read_text(),
    "tools/runtime/prepare.mjs": (FAKES / "prepare.mjs").read_text(),
}
TOPICS = {"model-lifecycle-posttraining": "Model lifecycle: post-training"}
SHARED = ("site/templates", "site/css", "site/images", "site/licences")


def write(root: Path, name: str, text: str) -> Path:
    """Write a file below `root`, making its folders."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def make_root(root: Path) -> Path:
    """Everything that a site is built with, except lessons."""
    for name in SHARED:
        shutil.copytree(ROOT / name, root / name)
    for name in ("LICENSE", "package.json", "site/runtime.lock.json"):
        shutil.copy(ROOT / name, root / name)
    (root / "node_modules").symlink_to(ROOT / "node_modules")
    for name, text in SCRIPTS.items():
        write(root, name, text)
    write(root, "runtime-ready/manifest.json", json.dumps({"files": {"pyodide.mjs": {}, "numpy.whl": {}}}))
    write(root, "runtime-ready/pyodide.mjs", "export {};\n")
    write(root, "runtime-ready/not-listed.tmp", "left over")
    with zipfile.ZipFile(root / "runtime-ready/numpy.whl", "w") as wheel:
        for name, text in (
            ("LICENSE.txt", "NUMPY LICENCE TEXT"),
            ("numpy/fft/LICENSE.md", "FFT LICENCE TEXT"),
        ):
            wheel.writestr(zipfile.ZipInfo(f"numpy-2.dist-info/licenses/{name}"), text)
    return root


def add_lessons(root: Path, *artifacts: dict[str, Any]) -> dict[str, Any]:
    """Write generated files as the store would, and return the index."""
    entries = []
    for artifact in artifacts:
        data = artifact_bytes(artifact)
        record = f"publications/atlas-lesson-{artifact['id']}"
        names = {
            "artifact": artifact_name(artifact["id"], data),
            "record": f"{record}.json",
            "markdown": f"{record}.md",
        }
        write(root, f"lesson-data/{names['artifact']}", data.decode())
        write(root, f"lesson-data/{names['record']}", "{}\n")
        write(root, f"lesson-data/{names['markdown']}", "# Sample\n")
        shown = ("id", "title", "description", "objective", "topic", "foundations", "related")
        files = {kind: {"path": name} for kind, name in names.items()}
        shown_fields = {name: artifact[name] for name in shown}
        entries.append(shown_fields | {"topicTitle": TOPICS[artifact["topic"]], "files": files})
    index = {"lessons": entries}
    write(root, "lesson-data/index.json", json_bytes(index, indent=1).decode())
    return index


def make_project(root: Path) -> Project:
    """A project whose course has a title with characters that need care."""
    about = ("Course & title", "What it is <about>.", "https://example.org/")
    course = Course(*about, ("sample-lesson",), {}, TOPICS)
    return Project(root, course, {}, {}, {"sample-lesson": "A sample"})

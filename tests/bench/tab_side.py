"""One side of a comparison: a script's `reach(seed)` in a worker of a tab, the page's Python."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from compare_side import HERE, NODE, ROOT
from playwright.sync_api import Page, sync_playwright
from static_server import serving

RUNTIME = "import { prepareRuntime } from './tools/runtime/prepare.mjs'; console.log(await prepareRuntime())"

PAGE = """<!doctype html><html lang="en"><title>Benchmark</title><link rel="icon" href="data:,"><script>
let worker, waiting;
globalThis.start = () => new Promise((resolve) => {
  worker?.terminate();
  worker = new Worker("worker.mjs", { type: "module" });
  worker.onmessage = ({ data }) => waiting(data);
  waiting = resolve;
});
globalThis.reach = (seed) => new Promise((resolve) => { waiting = resolve; worker.postMessage(seed); });
</script></html>"""
WORKER = """import { loadPyodide } from "./runtime/pyodide.mjs";
const base = new URL("./runtime/", import.meta.url).href;
const python = await loadPyodide({ indexURL: base, packageBaseUrl: base });
await python.loadPackage("numpy", { messageCallback() {} });
const core = await (await fetch("runtime/policygrad.tar.gz")).arrayBuffer();
python.unpackArchive(core, "gztar");
python.runPython(await (await fetch("ours.py")).text());
onmessage = ({ data }) => postMessage(python.runPython(`json.dumps(reach(${data}))`));
postMessage("ready");
"""


@contextmanager
def tab(script: str) -> Iterator[Page]:
    """A page that starts a worker with Python, NumPy, the core and a script of this folder."""
    runtime = subprocess.run(
        [NODE, "--input-type=module", "-e", RUNTIME], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(runtime.stdout.strip(), folder / "runtime")
        (folder / "index.html").write_text(PAGE)
        (folder / "worker.mjs").write_text(WORKER)
        shutil.copy(HERE / script, folder / "ours.py")
        with serving(folder) as base, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=os.environ["CHROMIUM"],
                args=["--no-sandbox", "--disable-background-networking"],
            )
            page = browser.new_page()
            page.set_default_timeout(300_000)
            page.goto(base)
            yield page
            browser.close()


def run_in(page: Page, seed: int) -> dict[str, Any]:
    """One run in a new worker, which is ready before the clock starts."""
    page.evaluate("() => start()")
    result: dict[str, Any] = json.loads(page.evaluate("(seed) => reach(seed)", seed))
    return result

/**
 * `.venv-compare`: PyTorch and the libraries that the core is compared with. They are large and nobody needs them to
 * build, read or test the lessons, so they have an environment of their own.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { withLock } from "./lock.mjs";
import { inside } from "./paths.mjs";
import { findPython } from "./python.mjs";
import { run } from "./run.mjs";
import { sha256 } from "./runtime/hash.mjs";
import { SetUpError, say, since } from "./say.mjs";
import { readStamp, writeStamp } from "./stamp.mjs";

const folder = inside(".venv-compare");
const list = inside("requirements", "compare.txt");
const stampFile = path.join(folder, "set-up.json");

/** The environment's Python. */
export const comparePython =
  process.platform === "win32"
    ? path.join(folder, "Scripts", "python.exe")
    : path.join(folder, "bin", "python");

/** @param {string} what @param {string} command @param {string[]} args @param {string} [remedy] */
async function succeed(what, command, args, remedy) {
  const { code, output } = await run(command, args);
  if (code !== 0) throw new SetUpError(`${what}:\n${output.trim()}`, remedy);
}

/** Makes the environment when it is not there or its list has changed. A second run does nothing. */
export function setUpComparison() {
  return withLock(inside(".cache", "set-up-compare.lock"), async () => {
    const wanted = { compare: sha256(readFileSync(list, "utf8")) };
    if (existsSync(comparePython) && readStamp(stampFile).compare === wanted.compare) return;
    const from = performance.now();
    const { command, version } = await findPython();
    say("python", `making .venv-compare with ${command} (Python ${version.join(".")})`);
    rmSync(folder, { recursive: true, force: true });
    await succeed("The environment for comparisons could not be made", command, ["-m", "venv", folder]);
    say("python", "installing requirements/compare.txt; PyTorch makes this a matter of minutes");
    await succeed(
      "The packages for comparisons could not be installed",
      comparePython,
      ["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "-q", "-r", list],
      "This needs the Python package index. Run the command again when it can be reached.",
    );
    writeStamp(stampFile, wanted);
    say("python", `ready for comparisons in ${since(from)}`);
  });
}

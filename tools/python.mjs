/** `.venv`: a virtual environment of a Python that is new enough, with the locked packages. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { inside, onPath, venvPython } from "./paths.mjs";
import { run } from "./run.mjs";
import { sha256 } from "./runtime/hash.mjs";
import { SetUpError, say, since } from "./say.mjs";
import { readStamp, writeStamp } from "./stamp.mjs";

const OLDEST = [3, 11];
const NAMES = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"];
const stampFile = inside(".venv", "set-up.json");

/** @typedef {{ command: string, version: number[], canMakeVenv: boolean }} Found */

const PROBE = `
import sys
try:
    import ensurepip, venv
    whole = 1
except ImportError:
    whole = 0
print(*sys.version_info[:3], whole)
`;

/** @param {string | undefined} command @returns {Promise<Found | undefined>} */
async function probe(command) {
  if (!command) return undefined;
  const { code, output } = await run(command, ["-c", PROBE]);
  const words = output.trim().split(" ").map(Number);
  if (code !== 0 || words.length !== 4 || words.some(Number.isNaN)) return undefined;
  return { command, version: words.slice(0, 3), canMakeVenv: words[3] === 1 };
}

/** @param {Found} found */
const isNewEnough = ({ version: [major, minor] }) =>
  major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);

/** @returns {Promise<Found>} the first Python on this machine that can make the environment */
export async function findPython() {
  const wanted = process.env.PYTHON;
  const commands = wanted ? [onPath(wanted) ?? wanted] : NAMES.map(onPath);
  /** @type {Found[]} */
  const found = [];
  for (const command of commands) {
    const python = await probe(command);
    if (python && isNewEnough(python) && python.canMakeVenv) return python;
    if (python) found.push(python);
  }
  const tooBare = found.find(isNewEnough);
  if (tooBare) {
    const [major, minor] = tooBare.version;
    throw new SetUpError(
      `${tooBare.command} (Python ${tooBare.version.join(".")}) cannot make a virtual environment: its venv module is not complete.`,
      `On Debian or Ubuntu: apt-get install python3-venv  (or python${major}.${minor}-venv)`,
    );
  }
  const seen = found.map(({ command, version }) => `${command} is Python ${version.join(".")}`).join("; ");
  throw new SetUpError(
    `Python 3.11 or newer is needed, and was not found${seen ? ` (${seen})` : ""}.`,
    "Install it from python.org or with the system's packages (on Debian: apt-get install python3 python3-venv),\nor name one: PYTHON=/path/to/python3 npm start",
  );
}

/** @returns {Promise<boolean>} */
async function isUsable() {
  if (!existsSync(venvPython)) return false;
  const python = await probe(venvPython);
  return (
    python !== undefined &&
    isNewEnough(python) &&
    (await run(venvPython, ["-m", "pip", "--version"])).code === 0
  );
}

async function makeVenv() {
  const { command, version } = await findPython();
  say("python", `making .venv with Python ${version.join(".")}`);
  rmSync(inside(".venv"), { recursive: true, force: true });
  const { code, output } = await run(command, ["-m", "venv", inside(".venv")]);
  if (code !== 0) throw new SetUpError(`The virtual environment could not be made:\n${output.trim()}`);
}

/** @param {"build" | "test"} which */
const lockText = (which) => readFileSync(inside("requirements", `${which}.txt`), "utf8");

/**
 * @param {"build" | "test"} which the locked list to install; the one for tests includes the one for building
 * @returns {Promise<void>}
 */
export async function setUpPython(which) {
  /** @type {Record<string, string>} */
  const wanted = { build: sha256(lockText("build")) };
  if (which === "test") wanted.test = sha256(lockText("test"));
  const stamp = readStamp(stampFile);
  const isCurrent = Object.entries(wanted).every(([name, hash]) => stamp[name] === hash);
  if (isCurrent && existsSync(venvPython)) return;
  if (!(await isUsable())) await makeVenv();
  const from = performance.now();
  say("python", `installing requirements/${which}.txt`);
  const list = inside("requirements", `${which}.txt`);
  const flags = ["--require-hashes", "--disable-pip-version-check", "--no-input", "-q"];
  const { code, output } = await run(venvPython, ["-m", "pip", "install", ...flags, "-r", list]);
  if (code !== 0) {
    throw new SetUpError(
      `The Python packages could not be installed:\n${output.trim()}`,
      "The first set-up needs the Python package index. Run the command again when it can be reached.",
    );
  }
  writeStamp(stampFile, { ...(which === "build" ? {} : stamp), ...wanted });
  say("python", `ready in ${since(from)}`);
}

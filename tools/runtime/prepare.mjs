/**
 * Makes the runtime folder that a site ships, and prints its path: `node tools/runtime/prepare.mjs`.
 *
 * The folder's name is a hash of everything that goes into it, this code included, so a folder that is there is right.
 * Same inputs, same bytes: archives carry no times, the memory image is recorded in a still world.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { FILE } from "../../site/js/runtime/manifest.js";
import { withLock } from "../lock.mjs";
import { inside, root } from "../paths.mjs";
import { run } from "../run.mjs";
import { runMain, SetUpError, say, since } from "../say.mjs";
import { hashEntries, listFiles, readFiles } from "./hash.mjs";
import { checkAgainstPyodide, readLock } from "./lock-file.mjs";
import { writeRuntime } from "./manifest.mjs";
import { keepNewest } from "./prune.mjs";
import { pyodideFile, readCore, readNumpy, SITE_PACKAGES } from "./python-in-node.mjs";
import { writeTar } from "./tar.mjs";
import { findWheel } from "./wheel.mjs";

const FROM_PYODIDE = [FILE.loader, FILE.engine, FILE.python, FILE.library];
const core = inside("py", "policygrad");

/** Hash of what a memory image depends on. */
function imageKey() {
  const own = ["record.mjs", "still.mjs", "python-in-node.mjs", "zip.mjs"].map(
    (name) => `tools/runtime/${name}`,
  );
  return hashEntries([
    ...readFiles(root, ["site/runtime.lock.json", "site/js/runtime/image.js", ...own]),
    ...readCore(core),
    ...FROM_PYODIDE.map((name) => /** @type {[string, Uint8Array]} */ ([name, pyodideFile(name)])),
  ]);
}

/** Hash of what the whole folder depends on. @param {string} image */
function runtimeKey(image) {
  const tools = listFiles(inside("tools", "runtime"), (name) => name.endsWith(".mjs"));
  return hashEntries([
    ["image", image],
    ...readFiles(root, ["site/js/runtime/manifest.js", ...tools.map((name) => `tools/runtime/${name}`)]),
  ]);
}

/** Runs one of the sibling programs with nothing of the machine's environment in it. @param {string} program @param {string[]} args */
async function step(program, args) {
  const file = inside("tools", "runtime", program);
  const { code, output } = await run(process.execPath, [file, ...args], {
    env: { TZ: "UTC", NODE_OPTIONS: "" },
  });
  if (code !== 0) throw new SetUpError(`${program} failed:\n${output.trim()}`);
}

/** @param {string} key @param {string} wheel @returns {Promise<string>} folder with image.bin and image.json */
async function findImage(key, wheel) {
  const folder = inside(".cache", "runtime-image", key.slice(0, 16));
  if (existsSync(folder)) return folder;
  const from = performance.now();
  mkdirSync(path.dirname(folder), { recursive: true });
  const partial = mkdtempSync(`${folder}.partial-`);
  await step("record.mjs", [wheel, core, partial]);
  renameSync(partial, folder);
  say("runtime", `memory image with NumPy and the core recorded in ${since(from)}`);
  return folder;
}

/** @returns {string} the core's version, from its package */
function coreVersion() {
  const text = readFileSync(path.join(core, "__init__.py"), "utf8");
  const found = /^__version__(?:: [^=]*)? = "([^"]+)"/m.exec(text);
  if (!found) throw new SetUpError("py/policygrad/__init__.py names no __version__.");
  return found[1];
}

/** @param {string} folder the finished folder @param {string} image key of the memory image */
async function make(folder, image) {
  const from = performance.now();
  const lock = readLock();
  const own = checkAgainstPyodide(lock);
  const wheel = await findWheel(lock.numpy);
  const { sources, libraries } = readNumpy(wheel);
  const imageFolder = await findImage(image, wheel);
  const partial = mkdtempSync(`${folder}.partial-`);
  try {
    /** @type {Map<string, Uint8Array>} */
    const files = new Map(FROM_PYODIDE.map((name) => [name, pyodideFile(name)]));
    files.set(FILE.packages, Buffer.from(JSON.stringify({ info: own.info, packages: { numpy: own.numpy } })));
    files.set(FILE.image, readFileSync(path.join(imageFolder, "image.bin")));
    files.set(FILE.numpyCode, writeTar(libraries));
    files.set(FILE.numpySources, writeTar(sources));
    files.set(FILE.core, writeTar(readCore(core)));
    files.set(lock.numpy.file, readFileSync(wheel));
    writeRuntime(partial, files, {
      versions: {
        pyodide: lock.pyodide.version,
        python: lock.pyodide.python,
        numpy: lock.numpy.version,
        core: coreVersion(),
      },
      wheel: lock.numpy.file,
      libraries: libraries.map(([name]) => SITE_PACKAGES + name),
      image: JSON.parse(readFileSync(path.join(imageFolder, "image.json"), "utf8")),
    });
    chmodSync(partial, 0o755);
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  say("runtime", `made in ${since(from)}`);
}

/** @returns {Promise<string>} the folder to ship */
export async function prepareRuntime() {
  checkAgainstPyodide(readLock());
  const image = imageKey();
  const folder = inside(".cache", "runtime", runtimeKey(image).slice(0, 16));
  if (existsSync(folder)) return folder;
  mkdirSync(path.dirname(folder), { recursive: true });
  await withLock(inside(".cache", "runtime.lock"), async () => {
    if (!existsSync(folder)) await make(folder, image);
    keepNewest(path.dirname(folder), path.basename(folder));
    keepNewest(inside(".cache", "runtime-image"), image.slice(0, 16));
  });
  return folder;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await runMain(async () => {
    process.stdout.write(`${await prepareRuntime()}\n`);
  });
}

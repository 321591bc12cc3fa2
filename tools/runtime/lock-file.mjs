/** `site/runtime.lock.json`: which Pyodide and which NumPy the page runs, checked against what npm installed. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { inside } from "../paths.mjs";
import { SetUpError } from "../say.mjs";

/** @typedef {{ kind: "cdn", url: string } | { kind: "pip", package: string, member: string }} Source */
/** @typedef {{ version: string, file: string, size: number, sha256: string, sources: Source[] }} WheelLock */
/** @typedef {{ schemaVersion: 1, pyodide: { version: string, python: string }, numpy: WheelLock }} RuntimeLock */

export const lockPath = inside("site", "runtime.lock.json");
export const pyodideFolder = inside("node_modules", "pyodide");

/** @returns {RuntimeLock} */
export function readLock() {
  return JSON.parse(readFileSync(lockPath, "utf8"));
}

/** @param {string} name @returns {any} */
function readPyodideJson(name) {
  return JSON.parse(readFileSync(path.join(pyodideFolder, name), "utf8"));
}

/**
 * The two lists that name NumPy's wheel, ours and Pyodide's own, must agree; otherwise one of them was changed alone.
 * @param {RuntimeLock} lock
 * @returns {{ info: Record<string, string>, numpy: Record<string, unknown> }} Pyodide's own entries
 */
export function checkAgainstPyodide(lock) {
  if (!existsSync(path.join(pyodideFolder, "package.json"))) {
    throw new SetUpError("Pyodide is not installed in node_modules.", "Run: npm start");
  }
  const version = readPyodideJson("package.json").version;
  if (version !== lock.pyodide.version) {
    throw new SetUpError(
      `node_modules has Pyodide ${version}; site/runtime.lock.json names ${lock.pyodide.version}.`,
    );
  }
  const { info, packages } = readPyodideJson("pyodide-lock.json");
  const { file_name: file, sha256, version: numpy } = packages.numpy;
  if (file !== lock.numpy.file || sha256 !== lock.numpy.sha256 || numpy !== lock.numpy.version) {
    throw new SetUpError(
      `site/runtime.lock.json and Pyodide's own pyodide-lock.json name different NumPy wheels.`,
      `Pyodide ${version} needs ${file} with SHA-256 ${sha256}`,
    );
  }
  return { info, numpy: packages.numpy };
}

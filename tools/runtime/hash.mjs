/** SHA-256, as lower-case hexadecimal. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** @param {Uint8Array | string} bytes @returns {string} */
export function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * One hash for named contents: it changes when a name, a byte or the order of names changes.
 * @param {Iterable<[string, Uint8Array | string]>} entries @returns {string}
 */
export function hashEntries(entries) {
  const hash = createHash("sha256");
  for (const [name, bytes] of entries) hash.update(`${name}\n${sha256(bytes)}\n`);
  return hash.digest("hex");
}

/**
 * All files below a folder, sorted, with forward slashes; the file system's own order never reaches a result.
 * @param {string} folder @param {(name: string) => boolean} [keep] @returns {string[]} names relative to the folder
 */
export function listFiles(folder, keep = () => true) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path
        .relative(folder, path.join(entry.parentPath ?? entry.path, entry.name))
        .split(path.sep)
        .join("/"),
    )
    .filter(keep)
    .sort();
}

/** @param {string} folder @param {string[]} names @returns {[string, Uint8Array][]} */
export function readFiles(folder, names) {
  return names.map((name) => [name, readFileSync(path.join(folder, name))]);
}

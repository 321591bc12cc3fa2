/** The folder that is shipped, and `manifest.json`, which lists every file of it with size and SHA-256. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { constants, gzipSync } from "node:zlib";
import { sha256 } from "./hash.mjs";

/** @typedef {import("../../site/js/runtime/manifest.js").Manifest} Manifest */
/** @typedef {import("../../site/js/runtime/manifest.js").FileEntry} FileEntry */

/** @param {Uint8Array} bytes */
const pack = (bytes) => gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION });

/**
 * @param {string} folder an empty folder
 * @param {Map<string, Uint8Array>} files as they are used; names ending in `.gz` are packed here
 * @param {Omit<Manifest, "schemaVersion" | "files">} rest
 */
export function writeRuntime(folder, files, rest) {
  mkdirSync(folder, { recursive: true });
  /** @type {Record<string, FileEntry>} */
  const entries = {};
  for (const [name, bytes] of files) {
    const shipped = name.endsWith(".gz") ? pack(bytes) : bytes;
    entries[name] = { size: shipped.length, sha256: sha256(shipped) };
    if (shipped !== bytes) entries[name].unpacked = { size: bytes.length, sha256: sha256(bytes) };
    writeFileSync(path.join(folder, name), shipped);
  }
  /** @type {Manifest} */
  const manifest = { schemaVersion: 1, ...rest, files: entries };
  writeFileSync(path.join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 1)}\n`);
}

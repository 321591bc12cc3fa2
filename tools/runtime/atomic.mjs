/** Files that are whole or not there at all. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** @param {string} file @param {Uint8Array | string} bytes */
export function writeWhole(file, bytes) {
  mkdirSync(path.dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}.partial`;
  try {
    writeFileSync(partial, bytes);
    renameSync(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
}

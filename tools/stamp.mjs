/**
 * Stamps: a small file that says from which inputs something was made, written only after it was made whole. Same
 * inputs next time: nothing to do. An interrupted set-up leaves no stamp, so it is done again.
 */
import { readFileSync, rmSync } from "node:fs";
import { writeWhole } from "./runtime/atomic.mjs";

/** @param {string} file @returns {Record<string, string>} */
export function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

/** @param {string} file @param {Record<string, string>} stamp */
export function writeStamp(file, stamp) {
  writeWhole(file, `${JSON.stringify(stamp, null, 1)}\n`);
}

/** @param {string} file */
export function removeStamp(file) {
  rmSync(file, { force: true });
}

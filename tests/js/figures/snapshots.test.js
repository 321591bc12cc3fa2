/**
 * The figures of the four kinds of widget as normalised JSON. A difference fails and leaves `<name>-changed.snap` beside the
 * snapshot; whoever meant it looks at the picture and renames the file. Nothing here repairs itself.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { draw } from "./helpers.js";
import { SAMPLES } from "./samples.js";

const LONG = 12;

/** Numbers to four digits, long lists by their ends and their sum. @param {unknown} value @returns {unknown} */
function normalised(value) {
  if (typeof value === "number") return Number(value.toPrecision(4));
  if (Array.isArray(value) && value.length > LONG && value.every((item) => typeof item === "number")) {
    const sum = value.reduce((total, item) => total + item, 0);
    return `${value.length} numbers from ${normalised(value[0])} to ${normalised(value.at(-1))}, sum ${normalised(sum)}`;
  }
  if (Array.isArray(value)) return value.map(normalised);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, normalised(part)]));
  }
  return value;
}

for (const [name, model] of Object.entries(SAMPLES)) {
  test(`the figure of ${name} is the one that was looked at`, () => {
    const file = (/** @type {string} */ suffix) =>
      new URL(`snapshots/${name}${suffix}.snap`, import.meta.url);
    const now = `${JSON.stringify({ wide: normalised(draw(model)), narrow: normalised(draw(model, "narrow").data) }, null, 1)}\n`;
    const kept = existsSync(file("")) ? readFileSync(file(""), "utf8") : "";
    if (now === kept) return rmSync(file("-changed"), { force: true });
    writeFileSync(file("-changed"), now);
    assert.equal(now, kept, `look at the picture; if it is meant, rename ${name}-changed.snap`);
  });
}

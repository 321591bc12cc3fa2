import assert from "node:assert/strict";
import { test } from "node:test";
import { copyPages, PAGE } from "../../../site/js/runtime/image.js";
import { readTar } from "../../../site/js/runtime/tar.js";
import { writeTar } from "../../../tools/runtime/tar.mjs";

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

test("what the tools write into a tar file, the page reads", () => {
  /** @type {[string, Uint8Array][]} */
  const entries = [
    ["policygrad/__init__.py", bytes("ε = 0.2\n")],
    ["empty.py", bytes("")],
    ["numpy/exactly-one-block.bin", new Uint8Array(512).fill(7)],
    ["größe.txt", bytes("x".repeat(1000))],
  ];
  const read = readTar(writeTar(entries)).map(([name, content]) => [name, [...content]]);
  assert.deepEqual(
    read,
    entries.map(([name, content]) => [name, [...content]]),
  );
});

test("the same contents give the same tar bytes, with no time in them", () => {
  const make = () => writeTar([["a.py", bytes("a")]]);
  assert.deepEqual(make(), make());
  assert.throws(() => writeTar([["d/".repeat(60), bytes("")]]), /too long a name/);
});

test("a damaged tar file is refused", () => {
  const tar = writeTar([["a.py", bytes("x".repeat(900))]]);
  assert.throws(() => readTar(tar.subarray(0, 1024)), { message: "the tar file ends too early" });
  const noise = new Uint8Array(1024).fill(65);
  assert.throws(() => readTar(noise), { message: "not a tar file" });
});

/** @param {[number, number][]} runs first page and number of pages @param {number} fill */
function image(runs, fill) {
  const pages = runs.reduce((sum, [, count]) => sum + count, 0);
  const made = new Uint8Array(4 + 8 * runs.length + pages * PAGE).fill(fill);
  const view = new DataView(made.buffer);
  view.setUint32(0, runs.length, true);
  runs.forEach(([page, count], i) => {
    view.setUint32(4 + 8 * i, page, true);
    view.setUint32(8 + 8 * i, count, true);
  });
  return made;
}

test("an image changes its own pages and no others", () => {
  const memory = new Uint8Array(6 * PAGE).fill(1);
  const runs = /** @type {[number, number][]} */ ([
    [1, 1],
    [3, 2],
  ]);
  copyPages(image(runs, 9), memory);
  const seen = Array.from(
    { length: 6 },
    (_, page) => new Set(memory.subarray(page * PAGE, (page + 1) * PAGE)),
  );
  assert.deepEqual(
    seen.map((values) => [...values]),
    [[1], [9], [1], [9], [9], [1]],
  );
});

test("an image that is cut short or does not fit is refused", () => {
  const memory = new Uint8Array(2 * PAGE);
  const whole = image([[0, 1]], 5);
  assert.throws(() => copyPages(whole.subarray(0, PAGE), memory), {
    message: "the memory image has the wrong length",
  });
  assert.throws(() => copyPages(image([[2, 1]], 5), memory), RangeError);
});

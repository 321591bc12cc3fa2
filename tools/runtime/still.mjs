/**
 * A still world: imported first, it stops the clock and takes the chance out of random bytes, so that a memory image
 * recorded in this process is the same bytes every time. Only the recorder imports it, in a process of its own.
 */
import { createRequire } from "node:module";

process.env.TZ = "UTC";
let instant = Date.UTC(2024, 0, 1);

class StillDate extends Date {
  /** @param {number | string} [when] */
  constructor(when = instant) {
    super(when);
  }
  static now() {
    return instant;
  }
}
globalThis.Date = /** @type {DateConstructor} */ (/** @type {unknown} */ (StillDate));
performance.now = () => instant % 1000;

let state = 1;
/** @template {ArrayBufferView} T @param {T} view @returns {T} */
function fill(view) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let i = 0; i < bytes.length; i += 1) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    bytes[i] = state >> 16;
  }
  return view;
}
// `require` gives the object that Pyodide's own code holds; the names of an `import` are copies.
createRequire(import.meta.url)("node:crypto").randomFillSync = fill;
globalThis.crypto.getRandomValues = /** @type {Crypto["getRandomValues"]} */ (fill);

/** Goes on to another instant, where the world stands still again. */
export function moveOn() {
  instant += 86_400_123;
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { debounced, eachFrame } from "../../../site/js/lib/timing.js";

test("debounced acts once, after the last request has rested", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let acted = 0;
  const action = debounced(() => {
    acted += 1;
  }, 400);
  for (let i = 0; i < 100; i += 1) {
    action.later();
    t.mock.timers.tick(5);
  }
  assert.equal(acted, 0);
  t.mock.timers.tick(400);
  assert.equal(acted, 1);
  action.now();
  assert.equal(acted, 1, "nothing waits");
  action.later();
  action.now();
  t.mock.timers.tick(1000);
  assert.equal(acted, 2, "what was done at once is not done again");
});

test("eachFrame draws only the newest value, and at once in a hidden page", () => {
  /** @type {(() => void)[]} */
  const frames = [];
  const page = { hidden: false };
  Object.assign(globalThis, {
    document: page,
    requestAnimationFrame: (/** @type {() => void} */ run) => frames.push(run),
  });
  /** @type {number[]} */
  const drawn = [];
  const frame = eachFrame((/** @type {number} */ value) => drawn.push(value));
  for (const value of [1, 2, 3]) frame.put(value);
  assert.equal(frames.length, 1);
  frames[0]();
  assert.deepEqual(drawn, [3]);
  frame.put(4);
  page.hidden = true;
  frame.put(5);
  frames[1]();
  assert.deepEqual(drawn, [3, 5]);
});

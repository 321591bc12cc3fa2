import assert from "node:assert/strict";
import { test } from "node:test";
import { agree } from "../../../site/js/lib/agree.js";

test("numbers agree within a tolerance that is relative above one and absolute below", () => {
  assert.ok(agree(1e6 + 0.0005, 1e6, 1e-9));
  assert.ok(!agree(1e6 + 0.002, 1e6, 1e-9));
  assert.ok(agree(1e-12, 0, 1e-9));
  assert.ok(!agree(2e-9, 0, 1e-9));
  assert.ok(!agree(Number.NaN, 1, 1e-9));
});

test("lists and objects agree when all of their parts do", () => {
  assert.ok(agree([1, [2, 3]], [1, [2, 3 + 1e-12]], 1e-9));
  assert.ok(!agree([1, 2], [1, 2, 3], 1e-9));
  assert.ok(agree({ a: 1, b: [0.5] }, { b: [0.5], a: 1 }, 1e-9));
  assert.ok(!agree({ a: 1 }, { a: 1, b: 2 }, 1e-9));
});

test("infinities arrive as text, and text, truth and nothing must be equal", () => {
  assert.ok(agree("Infinity", "Infinity", 1e-9));
  assert.ok(!agree("Infinity", "-Infinity", 1e-9));
  assert.ok(!agree(1, true, 1e-9));
  assert.ok(agree(null, null, 1e-9));
  assert.ok(!agree(0, null, 1e-9));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestStep, onGrid, sameValues, settle } from "../../../site/js/widgets/control-values.js";
import { ADVANTAGE, RATIO } from "./fixtures.js";

test("the grid has decimal places, not binary ones", () => {
  // 0.1 + 0.2 in binary is 0.30000000000000004; a range input says 0.3.
  assert.equal(nearestStep({ ...RATIO, step: 0.1 }, 0.1 + 0.2), 0.3);
  assert.equal(nearestStep(ADVANTAGE, -2.8), -2.8);
  for (let i = 0; i <= 200; i += 1) assert.equal(nearestStep(RATIO, i / 100), i / 100);
});

test("a range that is no whole number of steps ends at its last step", () => {
  const control = { ...RATIO, min: 0, max: 1, step: 0.3 };
  assert.equal(nearestStep(control, 1), 0.9);
  assert.equal(nearestStep({ ...RATIO, min: 0.05, max: 0.5, step: 0.05 }, 0.5), 0.5);
});

test("a value in range and on the grid is taken without a word", () => {
  assert.deepEqual(settle(RATIO, "1.4", 1), { value: 1.4, notice: "" });
  assert.deepEqual(settle(RATIO, " 0,85 ", 1), { value: 0.85, notice: "" });
  assert.deepEqual(settle(ADVANTAGE, "−2", 1), { value: -2, notice: "" });
});

test("a value out of range is clamped, and the notice says what was asked, the range and what is used", () => {
  assert.deepEqual(settle(RATIO, "1e9", 1), {
    value: 2,
    notice: "Probability ratio 1e9 is above its range (0.00 to 2.00): 2.00 is used.",
  });
  assert.deepEqual(settle(ADVANTAGE, "-7", 1), {
    value: -3,
    notice: "Advantage −7 is below its range (−3.0 to 3.0): −3.0 is used.",
  });
  assert.equal(settle(RATIO, "∞", 1).value, 2);
});

test("a value between two steps goes to the nearer one and says so", () => {
  assert.deepEqual(settle(RATIO, "1.4567", 1), {
    value: 1.46,
    notice: "Probability ratio moves in steps of 0.01: 1.46 is used.",
  });
});

test("what is no number leaves the control where it is", () => {
  for (const text of ["-", "abc", "1,2,3"]) {
    assert.deepEqual(settle(RATIO, text, 1.4), {
      value: 1.4,
      notice: `“${text}” is not a number: Probability ratio stays at 1.40.`,
    });
  }
  assert.equal(
    settle(RATIO, "", 1.4).notice,
    "An empty field is not a number: Probability ratio stays at 1.40.",
  );
});

test("only known controls and real numbers are taken from outside", () => {
  const wanted = { ratio: 7, advantage: "2", clip: 1, toString: 3 };
  assert.deepEqual(onGrid([RATIO, ADVANTAGE], wanted), { ratio: 2 });
  assert.deepEqual(onGrid([RATIO], { ratio: Number.NaN }), {});
});

test("positions are the same when every control is", () => {
  assert.ok(sameValues({ a: 0.1 + 0.2 }, { a: 0.3 }));
  assert.ok(!sameValues({ a: 1 }, { a: 1, b: 2 }));
});

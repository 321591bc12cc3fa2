import assert from "node:assert/strict";
import { test } from "node:test";
import { textWidth, wrapText } from "../../../site/js/figures/text-size.js";
import { axisTitle, decimalsFor, niceTicks, ticksOf } from "../../../site/js/figures/ticks.js";

test("ticks are round numbers inside the range, its ends included", () => {
  assert.deepEqual(niceTicks([0, 1]), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(niceTicks([-0.5, 1.5]), [-0.5, 0, 0.5, 1, 1.5]);
  assert.deepEqual(niceTicks([0, 0.3]), [0, 0.1, 0.2, 0.3]);
  assert.deepEqual(niceTicks([-6.6, 6.6]), [-5, 0, 5]);
});

test("one axis has one number of decimals", () => {
  assert.equal(decimalsFor([0, 1, 2]), 0);
  assert.equal(decimalsFor([0, 0.25, 0.5]), 2);
  assert.equal(decimalsFor([0.1 + 0.2]), 1);
  assert.equal(decimalsFor([Math.PI]), 6);
});

test("ticks that a view asks for are kept", () => {
  const axis = { label: "ε", range: [0, 1], ticks: [0.1, 0.25] };
  assert.deepEqual(ticksOf(axis), { values: [0.1, 0.25], texts: ["0.10", "0.25"] });
});

test("titles carry units", () => {
  assert.equal(axisTitle({ label: "KL", unit: "nats" }), "KL (nats)");
  assert.equal(axisTitle({ label: "ratio", unit: "" }), "ratio");
});

test("text is broken at spaces only, and every line but a too long word fits", () => {
  const lines = wrapText("the ratio of every sample of the batch", 100, 12);
  assert.ok(lines.length > 1);
  assert.ok(lines.every((line) => textWidth(line, 12) <= 100));
  assert.equal(lines.join(" "), "the ratio of every sample of the batch");
  assert.deepEqual(wrapText("incompressibility", 10, 12), ["incompressibility"]);
  assert.deepEqual(wrapText("", 100, 12), []);
});

test("wide letters are wider than narrow ones, and bold wider than plain", () => {
  assert.ok(textWidth("mmm", 12) > 2 * textWidth("iii", 12));
  assert.ok(textWidth("mmm", 12, true) > textWidth("mmm", 12));
});

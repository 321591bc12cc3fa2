import assert from "node:assert/strict";
import { test } from "node:test";
import { widgetState } from "../../../site/js/widgets/state.js";

/** @typedef {import("../../../site/js/widgets/state.js").Situation} Situation */

const untouched = { runtime: /** @type {const} */ ("static"), moved: false, live: false, problem: "" };

/** @param {Partial<Situation>} change */
function stateOf(change) {
  return widgetState({ ...untouched, ...change }).state;
}

test("before Python is ready a widget shows its first frame, or waits once it was moved", () => {
  assert.equal(stateOf({}), "first-frame");
  assert.equal(stateOf({ moved: true }), "waiting");
  assert.equal(stateOf({ runtime: "starting" }), "first-frame");
  assert.equal(stateOf({ runtime: "starting", moved: true }), "waiting");
});

test("once Python has answered it is live, and stays so while it is dragged", () => {
  assert.equal(stateOf({ runtime: "ready" }), "waiting");
  assert.equal(stateOf({ runtime: "ready", live: true }), "live");
  assert.equal(stateOf({ runtime: "ready", live: true, moved: true }), "live");
  assert.equal(stateOf({ runtime: "starting", live: true }), "waiting");
});

test("without Python only a figure that no longer matches its controls is an error", () => {
  assert.equal(stateOf({ runtime: "failed" }), "first-frame");
  assert.equal(stateOf({ runtime: "failed", live: true }), "live");
  assert.equal(stateOf({ runtime: "failed", moved: true }), "error");
});

test("an error of the core is told in its words", () => {
  const { state, words } = widgetState({
    ...untouched,
    runtime: "ready",
    live: true,
    problem: "p sums to 2.",
  });
  assert.equal(state, "error");
  assert.match(words, /^This position could not be computed: p sums to 2\./);
});

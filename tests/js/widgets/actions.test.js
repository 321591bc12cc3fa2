import assert from "node:assert/strict";
import { test } from "node:test";
import { afterAction } from "../../../site/js/widgets/actions.js";
import { createPlayer } from "../../../site/js/widgets/player.js";
import { STEP } from "./fixtures.js";

/** @typedef {import("../../../site/js/widgets/types.js").Action} Action */

/** @param {Partial<Action>} action @param {number} value */
function after(action, value) {
  return afterAction({ control: "step", label: "", kind: "add", by: 1, ...action }, STEP, value);
}

test("add stops at the end of the range, or starts again when it wraps", () => {
  assert.equal(after({}, 0), 1);
  assert.equal(after({}, 40), 40);
  assert.equal(after({ wrap: true }, 40), 0);
  assert.equal(after({ by: -1, wrap: true }, 0), 40);
});

test("set goes to its value, and stays in range", () => {
  assert.equal(after({ kind: "set", to: 0 }, 17), 0);
  assert.equal(after({ kind: "set", to: 99 }, 17), 40);
});

/** A player on a control of five steps, with the world around it. @param {{ answers?: boolean }} [options] */
function player({ answers = true } = {}) {
  Object.assign(globalThis, { document: { hidden: false }, matchMedia: () => ({ matches: false }) });
  /** @type {{ value: number, moves: number[], playing: boolean[] }} */
  const world = { value: 0, moves: [], playing: [] };
  const { toggle, stop } = createPlayer({
    value: () => world.value,
    next: (value) => Math.min(value + 1, 4),
    first: 0,
    async move(value) {
      world.value = value;
      world.moves.push(value);
      return answers;
    },
    onChange: (playing) => world.playing.push(playing),
  });
  return { world, toggle, stop };
}

/** Let promises settle between two ticks of the clock. @param {import("node:test").TestContext} t @param {number} ticks */
async function pass(t, ticks) {
  for (let i = 0; i < ticks; i += 1) {
    t.mock.timers.tick(120);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("play goes through every value to the end and stops by itself; again starts from the beginning", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { world, toggle } = player();
  toggle();
  await pass(t, 6);
  assert.deepEqual(world.moves, [1, 2, 3, 4]);
  assert.deepEqual(world.playing, [true, false]);
  toggle();
  await pass(t, 1);
  assert.deepEqual(world.moves.slice(4), [0, 1]);
});

test("pause ends the run where it is, and play goes on from there", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { world, toggle } = player();
  toggle();
  await pass(t, 1);
  toggle();
  await pass(t, 5);
  assert.deepEqual(world.moves, [1, 2]);
  toggle();
  await pass(t, 5);
  assert.deepEqual(world.moves, [1, 2, 3, 4]);
});

test("pause and play in one breath leave one run, not two", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { world, toggle } = player();
  toggle();
  toggle();
  toggle();
  await pass(t, 6);
  assert.deepEqual(world.moves, [1, 2, 3, 4]);
});

test("another hand on the control, or an answer that does not come, ends the run", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const moved = player();
  moved.toggle();
  moved.world.value = 3;
  await pass(t, 3);
  assert.deepEqual(moved.world.moves, [1]);
  assert.deepEqual(moved.world.playing, [true, false]);

  const failing = player({ answers: false });
  failing.toggle();
  await pass(t, 3);
  assert.deepEqual(failing.world.moves, [1]);
});

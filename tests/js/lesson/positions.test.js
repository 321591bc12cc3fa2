import assert from "node:assert/strict";
import { test } from "node:test";
import { createPositions } from "../../../site/js/lesson/positions.js";
import { createProgress } from "../../../site/js/lesson/progress.js";
import { createStore } from "../../../site/js/lib/storage.js";
import { memoryArea } from "../lib/memory-area.js";
import { WIDGETS } from "../widgets/fixtures.js";

/** A page opened at an address, by a reader who left the ratio at 0.5. @param {string} search */
function visit(search) {
  const page = { search, pathname: "/l.html", hash: "#step", written: "" };
  Object.assign(globalThis, {
    location: page,
    history: {
      state: null,
      replaceState(/** @type {unknown} */ _state, /** @type {string} */ _title, /** @type {string} */ url) {
        page.written = url;
      },
    },
    addEventListener() {},
  });
  const progress = createProgress(createStore(memoryArea(), "p:"));
  progress.saveControls("ppo", new Map([["ppo-clip", { ratio: 0.5, advantage: 2 }]]));
  return { page, progress, positions: createPositions(WIDGETS, progress, "ppo") };
}

test("without a link the controls stand where they were left, with a word about it", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { page, positions } = visit("?utm=1");
  const { values, notices } = positions.start("ppo-clip");
  assert.deepEqual(values, { ratio: 0.5, advantage: 2 });
  assert.match(notices[0], /where you left them/);
  assert.deepEqual(positions.start("kl"), { values: {}, notices: [] });
  t.mock.timers.tick(1000);
  assert.equal(page.written, "/l.html?utm=1&ppo-clip.ratio=0.5#step", "the address says what is shown");
});

test("a link says all of what it shows, and looking at it changes nothing that is remembered", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { progress, positions } = visit("?kl.p_1=0.2");
  assert.deepEqual(positions.start("ppo-clip"), { values: {}, notices: [] });
  assert.deepEqual(positions.start("kl").values, { p_1: 0.2 });
  t.mock.timers.tick(1000);
  assert.deepEqual([...progress.read("ppo").controls.keys()], ["ppo-clip"]);
});

test("two hundred moves a second are written once, when the controls rest", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { page, progress, positions } = visit("");
  for (let i = 0; i < 200; i += 1) {
    positions.put("kl", { p_1: i / 200 });
    t.mock.timers.tick(5);
    assert.equal(page.written, "");
  }
  t.mock.timers.tick(1000);
  assert.equal(page.written, "/l.html?kl.p_1=0.995#step");
  assert.deepEqual(progress.read("ppo").controls.get("kl")?.values, { p_1: 0.995 });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createProgress } from "../../../site/js/lesson/progress.js";
import { createStore } from "../../../site/js/lib/storage.js";
import { memoryArea } from "../lib/memory-area.js";

const ANSWER = { answer: { option: 1, text: "b" }, status: /** @type {const} */ ("tried"), hash: "00ff" };

/** Two tabs over one store. @param {() => number} [clock] */
function tabs(clock = () => 1000) {
  const area = memoryArea();
  const open = () => createProgress(createStore(area, "policygrad:/site/:"), clock);
  return { area, one: open(), two: open() };
}

test("an answer is there again in another tab, with status, hash and time", () => {
  const { one, two } = tabs();
  assert.equal(one.saveExercise("ppo", "clip", ANSWER), true);
  assert.deepEqual(two.read("ppo").exercises.get("clip"), { ...ANSWER, solved: false, updated: 1000 });
});

test("tabs change their own exercise only", () => {
  const { one, two } = tabs();
  one.saveExercise("ppo", "a", ANSWER);
  two.saveExercise("ppo", "b", ANSWER);
  one.saveControls("ppo", new Map([["ppo-clip", { ratio: 1 }]]));
  two.saveExercise("ppo", "a", { ...ANSWER, status: "correct" });
  const { exercises, controls } = one.read("ppo");
  assert.deepEqual([...exercises.keys()].sort(), ["a", "b"]);
  assert.equal(exercises.get("a")?.status, "correct");
  assert.deepEqual(controls.get("ppo-clip")?.values, { ratio: 1 });
});

test("times of one exercise grow even when the clock is set back", () => {
  let now = 5000;
  const { one } = tabs(() => now);
  one.saveExercise("ppo", "a", ANSWER);
  now = 10;
  one.saveExercise("ppo", "a", ANSWER);
  assert.equal(one.read("ppo").exercises.get("a")?.updated, 5001);
});

test("what was solved once stays solved while wrong answers are explored", () => {
  const { one } = tabs();
  one.saveExercise("ppo", "a", { ...ANSWER, status: "correct" });
  one.saveExercise("ppo", "a", ANSWER);
  const entry = one.read("ppo").exercises.get("a");
  assert.deepEqual([entry?.status, entry?.solved], ["tried", true]);
});

test("damaged texts count as empty, entry by entry where possible", () => {
  const { area, one } = tabs();
  for (const text of ["", "{", "null", "[]", '"x"', '{"exercises":[]}', '{"exercises":{"a":null}}']) {
    area.setItem("policygrad:/site/:lesson:ppo", text);
    assert.equal(one.read("ppo").exercises.size, 0, text);
  }
  area.setItem(
    "policygrad:/site/:lesson:ppo",
    JSON.stringify({ exercises: { good: { ...ANSWER, updated: 1 }, bad: { ...ANSWER, updated: -1 } } }),
  );
  assert.deepEqual([...one.read("ppo").exercises.keys()], ["good"]);
});

test("clearing removes the lessons of this site and nothing else", () => {
  const { area, one } = tabs();
  one.saveExercise("ppo", "a", ANSWER);
  area.setItem("policygrad:/site/:theme", "dark");
  area.setItem("policygrad:/other/:lesson:ppo", "{}");
  one.clear();
  assert.deepEqual([...area.entries.keys()], ["policygrad:/site/:theme", "policygrad:/other/:lesson:ppo"]);
});

test("keys of the browser's store are ours when they hold a lesson of this site", () => {
  const { one } = tabs();
  assert.ok(one.owns(null));
  assert.ok(one.owns("policygrad:/site/:lesson:ppo"));
  assert.ok(!one.owns("policygrad:/site/:theme"));
  assert.ok(!one.owns("policygrad:/other/:lesson:ppo"));
});

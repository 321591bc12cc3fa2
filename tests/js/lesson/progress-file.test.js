import assert from "node:assert/strict";
import { test } from "node:test";
import { createProgress } from "../../../site/js/lesson/progress.js";
import {
  exportText,
  FORMAT,
  importWords,
  LARGEST,
  readExport,
  VERSION,
} from "../../../site/js/lesson/progress-file.js";
import { createStore } from "../../../site/js/lib/storage.js";
import { memoryArea } from "../lib/memory-area.js";

const ANSWER = { answer: { option: 0, text: "a" }, status: /** @type {const} */ ("tried"), hash: "00ff" };

/** @param {() => number} clock */
function browser(clock = () => 1000) {
  return createProgress(createStore(memoryArea(), "p:"), clock);
}

/** @param {unknown} lessons @param {Record<string, unknown>} [change] */
function file(lessons, change = {}) {
  return JSON.stringify({ format: FORMAT, version: VERSION, lessons, ...change });
}

test("what one browser exports, another one takes over completely", () => {
  const one = browser();
  one.saveExercise("ppo", "a", { ...ANSWER, status: "correct" });
  one.saveControls("ppo", new Map([["kl", { p_1: 0.2 }]]));
  one.saveExercise("gae", "b", ANSWER);
  const text = exportText(one.lessons(), "Course");
  assert.match(text, /^\{\n {2}"format": "policygrad-progress",\n {2}"version": 1,\n/);
  const { lessons, problems, refused } = readExport(text);
  assert.deepEqual([problems, refused], [[], ""]);
  const two = browser();
  assert.deepEqual(two.mergeIn(lessons), { taken: 2, kept: 0, same: 0, lasting: true });
  assert.deepEqual(two.lessons(), one.lessons());
});

test("an import never replaces newer work, and says what it did", () => {
  const here = browser(() => 2000);
  here.saveExercise("ppo", "newer-here", { ...ANSWER, status: "revealed" });
  here.saveExercise("ppo", "same", ANSWER);
  const there = {
    ppo: {
      exercises: {
        "newer-here": { ...ANSWER, status: "correct", updated: 1999 },
        same: { ...ANSWER, updated: 2000 },
        "newer-there": { ...ANSWER, updated: 9 },
      },
    },
  };
  const sum = here.mergeIn(readExport(file(there)).lessons);
  assert.deepEqual(sum, { taken: 1, kept: 1, same: 1, lasting: true });
  const kept = here.read("ppo").exercises.get("newer-here");
  assert.deepEqual([kept?.status, kept?.solved], ["revealed", true], "solved there counts as solved");
  assert.equal(
    importWords(sum, []),
    "1 answer taken from the file. 1 answer here is newer and stayed. 1 answer was here already.",
  );
});

test("files that are no progress files are refused with the reason", () => {
  const cases = [
    ["", /not JSON/],
    ["PK\u0003\u0004", /not JSON/],
    ['{"format":"policygrad-progress","version":1,"lessons":{"ppo":', /cut off/],
    ["null", /does not say that it is a progress file/],
    ["[]", /does not say that it is a progress file/],
    ['{"format":"other"}', /“format” should be “policygrad-progress”/],
    [file({}, { version: "1" }), /not a whole number/],
    [file({}, { version: 0 }), /not a whole number/],
    [file({}, { version: 2 }), /has version 2; this page reads up to version 1/],
    [file([]), /no “lessons”/],
    [" ".repeat(LARGEST + 1), /too large/],
    ["[".repeat(100_000), /not JSON/],
  ];
  for (const [text, reason] of cases) {
    const { lessons, refused } = readExport(String(text));
    assert.match(refused, /** @type {RegExp} */ (reason));
    assert.equal(lessons.size, 0);
  }
});

test("entries that cannot be trusted are left out one by one, each with its reason", () => {
  const good = { ...ANSWER, updated: 1 };
  const { lessons, problems } = readExport(
    file({
      "../evil": {},
      ppo: {
        exercises: {
          good,
          status: { ...good, status: "<img src=x onerror=alert(1)>" },
          hash: { ...good, hash: "not hex" },
          time: { ...good, updated: 1e300 },
          fraction: { ...good, updated: 0.5 },
          answer: { ...good, answer: undefined },
          long: { ...good, answer: "x".repeat(30_000) },
          list: [],
          "<b>": good,
        },
        controls: { kl: { values: { p_1: "0.5" }, updated: 1 }, clip: { values: { ratio: 1 }, updated: 1 } },
      },
      gae: "text",
    }),
  );
  assert.deepEqual([...(lessons.get("ppo")?.exercises.keys() ?? [])], ["good"]);
  assert.deepEqual([...(lessons.get("ppo")?.controls.keys() ?? [])], ["clip"]);
  assert.equal(problems.length, 11);
  assert.equal(
    problems[1],
    "“status” in lesson “ppo” was left out: its status is none of tried, correct, revealed.",
  );
  assert.match(
    importWords({ taken: 1, kept: 0, same: 0, lasting: true }, problems),
    /6 more entries were left out\.$/,
  );
});

test("a file cannot reach the prototypes of objects", () => {
  const text = `{"format":"${FORMAT}","version":1,"lessons":{"__proto__":{"exercises":{}},"ppo":{"exercises":{"__proto__":{"polluted":1}},"controls":{"kl":{"values":{"__proto__":1},"updated":1}}}}}`;
  const { lessons, problems } = readExport(text);
  assert.equal(problems.length, 3);
  browser().mergeIn(lessons);
  assert.equal(/** @type {any} */ ({}).polluted, undefined);
});

test("a browser that keeps nothing says so after an import", () => {
  const progress = createProgress(createStore(null, "p:"));
  const sum = progress.mergeIn(
    readExport(file({ ppo: { exercises: { a: { ...ANSWER, updated: 1 } } } })).lessons,
  );
  assert.match(importWords(sum, []), /does not keep data for this page/);
});

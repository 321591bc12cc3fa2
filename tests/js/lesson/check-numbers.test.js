import assert from "node:assert/strict";
import { test } from "node:test";
import { differences, resultWords } from "../../../site/js/lesson/check-numbers.js";

/** @param {string} id @param {unknown} value */
function fixture(id, value) {
  return { id, call: id, args: {}, value, tolerance: 1e-9, display: `shown ${id}` };
}

const FIXTURES = [fixture("a", 0.0822830427), fixture("b", [1, 2]), fixture("c", "Infinity")];

test("each fixture is computed once, in order, and those that differ are found", async () => {
  /** @type {string[]} */
  const asked = [];
  const different = await differences(FIXTURES, async (call) => {
    asked.push(call);
    return { a: 0.08228304268, b: [1, 2.5], c: "Infinity" }[call];
  });
  assert.deepEqual(asked, ["a", "b", "c"]);
  assert.deepEqual(different, [{ fixture: FIXTURES[1], found: "[1,2.5]" }]);
});

test("the words count what agrees and name what does not", () => {
  assert.equal(resultWords(19, []), "19 of 19 agree with Python in this tab.");
  assert.equal(
    resultWords(3, [{ fixture: FIXTURES[1], found: "[1,2.5]" }]),
    "2 of 3 agree with Python in this tab. 1 number differs: b: the page says shown b, Python [1,2.5].",
  );
});

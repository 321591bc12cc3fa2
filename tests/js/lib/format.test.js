import assert from "node:assert/strict";
import { test } from "node:test";
import { counted, fixed, fullPrecision, parseNumber } from "../../../site/js/lib/format.js";

test("data-value holds every digit; infinities and missing values have a text too", () => {
  assert.equal(fullPrecision(0.1 + 0.2), "0.30000000000000004");
  assert.equal(fullPrecision(Number.POSITIVE_INFINITY), "Infinity");
  assert.equal(fullPrecision("-Infinity"), "-Infinity");
  assert.equal(fullPrecision(-0), "0");
  assert.equal(fullPrecision(null), "");
});

test("shown numbers have fixed decimals, a true minus sign, and no sign on a zero", () => {
  assert.equal(fixed(-2.8, 2), "−2.80");
  assert.equal(fixed(-0.001, 2), "0.00");
  assert.equal(fixed(Number.NEGATIVE_INFINITY, 2), "−∞");
});

test("counted picks the singular for one", () => {
  assert.deepEqual(
    [counted(0, "answer"), counted(1, "answer"), counted(2, "answer")],
    ["0 answers", "1 answer", "2 answers"],
  );
});

test("numbers are read as people write them", () => {
  const cases = {
    1.4: 1.4,
    " −2 ": -2,
    "1,5": 1.5,
    "1.": 1,
    ".5": 0.5,
    "1e9": 1e9,
    "+3": 3,
    "∞": Infinity,
    "-inf": -Infinity,
  };
  for (const [text, value] of Object.entries(cases)) assert.equal(parseNumber(text), value, text);
});

test("what is no number is NaN, also what JavaScript would take for one", () => {
  for (const text of ["", " ", "-", "abc", "1,000,5", "1.2.3", "0x10", "1 2", "NaN", "--1", "1e", "null"]) {
    assert.ok(Number.isNaN(parseNumber(text)), text);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { sectionBeingRead } from "../../../site/js/lesson/contents.js";

test("the section whose beginning was seen last is the one being read", () => {
  assert.equal(sectionBeingRead([false, true, false], false), 1);
  assert.equal(sectionBeingRead([true, true, false], false), 1);
});

test("before the first section none is being read, after the last it is the last", () => {
  assert.equal(sectionBeingRead([false, false], true), -1);
  assert.equal(sectionBeingRead([false, false], false), 1);
  assert.equal(sectionBeingRead([], false), -1);
});

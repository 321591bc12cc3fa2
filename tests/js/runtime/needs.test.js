import assert from "node:assert/strict";
import { test } from "node:test";
import { checkNeeds } from "../../../site/js/runtime/needs.js";

test("what is missing in a browser is named, with what it is for", () => {
  assert.throws(
    () => checkNeeds({ DecompressionStream: class {} }),
    /no WebAssembly, in which Python runs\./,
  );
  assert.throws(() => checkNeeds({ WebAssembly: {} }), /no DecompressionStream, with which the page unpacks/);
});

test("a browser that has both is not stopped", () => {
  assert.doesNotThrow(() => checkNeeds());
});

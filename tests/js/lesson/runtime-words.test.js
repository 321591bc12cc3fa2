import assert from "node:assert/strict";
import { test } from "node:test";
import { runtimeWords } from "../../../site/js/lesson/runtime-words.js";

/** @typedef {import("../../../site/js/runtime/outcomes.js").RuntimeStatus} RuntimeStatus */

const AROUND = { online: true, saveData: false, file: false, slow: false };

/** @param {Partial<RuntimeStatus>} status @param {Partial<typeof AROUND>} [around] */
function words(status, around = {}) {
  return runtimeWords(
    { state: "static", stage: "", restarts: 0, failure: null, ...status },
    { ...AROUND, ...around },
  );
}

test("nothing is said before Python starts, unless the reader saves data", () => {
  assert.equal(words({}).line, "");
  assert.deepEqual([words({}, { saveData: true }).button], ["Start Python"]);
});

test("each stage of the start is told in the boot's own words", () => {
  assert.equal(words({ state: "starting" }).line, "Starting Python");
  assert.equal(words({ state: "starting", stage: "Loading NumPy" }).line, "Loading NumPy");
  assert.match(
    words({ state: "starting", stage: "Loading NumPy" }, { slow: true }).line,
    /longer than usual/,
  );
  assert.match(
    words({ state: "starting" }, { online: false }).line,
    /^Offline, using what this browser has kept/,
  );
  assert.match(words({ state: "starting", restarts: 2 }).line, /^Python stopped and starts again \(2\)/);
});

test("a failure says what happened, what still works and what to do, and offers a restart and the details", () => {
  const failure = {
    kind: /** @type {const} */ ("boot"),
    message: "A file has changed.",
    detail: "sha256",
    file: "numpy.tar.gz",
  };
  const failed = words({ state: "failed", failure });
  assert.equal(failed.line, "Python did not start. A file has changed. (numpy.tar.gz)");
  assert.match(failed.works, /^Still working: the text/);
  assert.match(failed.todo, /missing or altered/);
  assert.equal(failed.details, "numpy.tar.gz\nA file has changed.\nsha256");
  assert.equal(failed.button, "Restart Python");
  assert.match(words({ state: "failed", failure }, { online: false }).todo, /offline/);
});

test("a crash, a blocked worker and a page from a disk are told apart", () => {
  const failure = { message: "m", detail: "", file: "" };
  assert.match(words({ state: "failed", failure: { ...failure, kind: "crash" } }).line, /several times/);
  assert.match(
    words({ state: "failed", failure: { ...failure, kind: "blocked" } }).line,
    /did not let Python start/,
  );
  const onDisk = words({ state: "failed", failure: { ...failure, kind: "blocked" } }, { file: true });
  assert.match(onDisk.todo, /http\.server/);
  assert.equal(onDisk.button, "");
});

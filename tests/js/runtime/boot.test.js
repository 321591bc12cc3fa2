import assert from "node:assert/strict";
import { test } from "node:test";
import { answeringPyodide, ask } from "../../../site/js/runtime/boot.js";
import { FILE } from "../../../site/js/runtime/manifest.js";
import { sampleManifest } from "./sample-manifest.js";

const BASE = "http://host/any/runtime/";

/** @param {(file: string) => Promise<Uint8Array>} bytes */
function sourceOf(bytes) {
  const unused = () => Promise.reject(new Error("not asked for here"));
  return { base: BASE, manifest: sampleManifest(), bytes, wasm: unused, module: unused, verified: unused };
}

test("Pyodide's own requests are answered with the verified files, and fetch is itself again afterwards", async () => {
  const network = globalThis.fetch;
  const source = sourceOf(async (file) => new TextEncoder().encode(`bytes of ${file}`));
  const text = await answeringPyodide(source, async () => (await fetch(BASE + FILE.library)).text());
  assert.equal(text, `bytes of ${FILE.library}`);
  assert.equal(globalThis.fetch, network);
  await assert.rejects(
    answeringPyodide(source, () => Promise.reject(new Error("start failed"))),
    { message: "start failed" },
  );
  assert.equal(globalThis.fetch, network);
});

test("the large file is not fetched a second time, and other addresses go to the network", async () => {
  const asked = /** @type {string[]} */ ([]);
  const source = sourceOf(async (file) => {
    asked.push(file);
    return new Uint8Array();
  });
  await answeringPyodide(source, async () => {
    await fetch(BASE + FILE.python);
    assert.equal(await (await fetch("data:text/plain,elsewhere")).text(), "elsewhere");
    assert.equal(await (await fetch(new Request("data:text/plain,again"))).text(), "again");
  });
  assert.deepEqual(asked, []);
});

const MISSING =
  '{"id": 1, "ok": false, "error": {"type": "ModuleNotFoundError", "message": "No module named \'numpy.x\'"}}';

test("a request that needs a module still on its way is asked again when it is there", async () => {
  let isThere = false;
  const python = {
    answer: () => (isThere ? '{"id": 1, "ok": true, "result": 2}' : MISSING),
    complete: async () => {
      isThere = true;
    },
  };
  assert.equal(await ask(python, "{}"), '{"id": 1, "ok": true, "result": 2}');
});

test("a module that does not exist is an answer, and other mistakes wait for nothing", async () => {
  let completions = 0;
  const complete = async () => {
    completions += 1;
  };
  assert.equal(await ask({ answer: () => MISSING, complete }, "{}"), MISSING);
  assert.equal(completions, 1);
  const wrong = '{"id": 1, "ok": false, "error": {"type": "ValueError", "message": "p sums to 2"}}';
  assert.equal(await ask({ answer: () => wrong, complete }, "{}"), wrong);
  assert.equal(completions, 1);
});

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, beforeEach, test } from "node:test";
import { sha256 } from "../../../tools/runtime/hash.mjs";
import { findWheel } from "../../../tools/runtime/wheel.mjs";
import { SetUpError } from "../../../tools/say.mjs";
import { startHost } from "../runtime/odd-host.js";

const BYTES = new TextEncoder().encode("what a wheel holds does not matter here");
const FILE = "numpy-9-wasm32.whl";
const NOWHERE = "http://127.0.0.1:9/";

const earlierCache = process.env.XDG_CACHE_HOME;
const cache = mkdtempSync(path.join(tmpdir(), "policygrad-cache-"));
process.env.XDG_CACHE_HOME = cache;
after(() => {
  rmSync(cache, { recursive: true });
  if (earlierCache === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = earlierCache;
});
beforeEach(() => rmSync(path.join(cache, "policygrad-lessons"), { recursive: true, force: true }));

/** @param {...string} urls */
function wheelFrom(...urls) {
  const sources = urls.map((url) => /** @type {const} */ ({ kind: "cdn", url }));
  return { version: "9", file: FILE, size: BYTES.length, sha256: sha256(BYTES), sources };
}

/** @param {import("../runtime/odd-host.js").Manner} manner @param {(base: string, asked: string[]) => Promise<void>} body */
async function withHost(manner, body) {
  const host = await startHost(new Map([[FILE, BYTES]]), { [FILE]: manner });
  try {
    await body(host.base, host.asked);
  } finally {
    host.close();
  }
}

test("the first source that has the right bytes is taken, and never asked again", async () => {
  await withHost("plain", async (base, asked) => {
    const found = await findWheel(wheelFrom(NOWHERE, base));
    assert.equal(path.basename(found), FILE);
    assert.equal(await findWheel(wheelFrom(NOWHERE, base)), found);
    assert.deepEqual(asked, [FILE]);
  });
});

for (const manner of /** @type {const} */ (["altered", "cut", "dropped", "missing"])) {
  test(`a wheel that is ${manner} is not used and leaves nothing behind`, async () => {
    await withHost(manner, async (base) => {
      await assert.rejects(findWheel(wheelFrom(base)), (error) => {
        assert.ok(error instanceof SetUpError);
        assert.ok(error.message.includes(FILE) && error.message.includes(sha256(BYTES)), error.message);
        return true;
      });
      const left = readdirSync(cache, { recursive: true }).filter((name) => String(name).includes(FILE));
      assert.deepEqual(left, []);
    });
  });
}

test("a damaged file in the cache is replaced", async () => {
  const folder = path.join(cache, "policygrad-lessons", sha256(BYTES));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, FILE), "not the wheel");
  await withHost("plain", async (base) => {
    const found = await findWheel(wheelFrom(base));
    assert.equal(found, path.join(folder, FILE));
  });
});

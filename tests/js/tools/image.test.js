import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { helperAt } from "../../../site/js/runtime/image.js";
import { FILE } from "../../../site/js/runtime/manifest.js";
import { quickStart } from "../../../site/js/runtime/start.js";
import { inside } from "../../../tools/paths.mjs";
import { run } from "../../../tools/run.mjs";
import { FolderSource } from "../../../tools/runtime/folder-source.mjs";
import { sha256 } from "../../../tools/runtime/hash.mjs";
import { readLock } from "../../../tools/runtime/lock-file.mjs";
import { prepareRuntime } from "../../../tools/runtime/prepare.mjs";
import { findWheel } from "../../../tools/runtime/wheel.mjs";

/** @type {string} */
let runtime;
before(async () => {
  runtime = await prepareRuntime();
});
const scratch = mkdtempSync(path.join(tmpdir(), "policygrad-image-"));
after(() => rmSync(scratch, { recursive: true }));

/** A source whose engine shows its memory in the moment after the image was copied. */
class WatchedSource extends FolderSource {
  memory = "";

  /** @param {string} file @returns {Promise<any>} */
  async module(file) {
    const loaded = await super.module(file);
    if (file !== FILE.engine) return loaded;
    const look = (/** @type {any} */ module) => {
      const copy = module.HEAPU8.slice();
      copy.fill(0, 4 * helperAt(module), 4 * helperAt(module) + 4);
      this.memory = sha256(copy);
    };
    return {
      default: async (/** @type {unknown} */ settings) => {
        const module = await loaded.default(settings);
        let restore = module.API.restoreSnapshot;
        Object.defineProperty(module.API, "restoreSnapshot", {
          get:
            () =>
            (/** @type {unknown[]} */ ...args) => {
              const result = restore(...args);
              look(module);
              return result;
            },
          set: (value) => {
            restore = value;
          },
        });
        return module;
      },
    };
  }
}

test("what a page copies is the recorded memory, byte for byte", async () => {
  const source = new WatchedSource(runtime);
  await quickStart(source);
  assert.equal(source.memory, source.manifest.image.sha256);
});

test("an image that does not fit the engine is refused before anything is copied", async () => {
  const source = new WatchedSource(runtime);
  source.manifest.image.table += 1;
  await assert.rejects(quickStart(source), /the function table has \d+ entries, the memory image needs \d+/);
  const other = new WatchedSource(runtime);
  other.manifest.image.buildId = "of another build";
  await assert.rejects(quickStart(other), { message: "the memory image is of another Pyodide build" });
  assert.equal(source.memory + other.memory, "");
});

test("recorded again, the image is the same bytes", async () => {
  const wheel = await findWheel(readLock().numpy);
  const record = inside("tools", "runtime", "record.mjs");
  const { code, output } = await run(process.execPath, [record, wheel, inside("py", "policygrad"), scratch], {
    env: { TZ: "Pacific/Auckland" },
  });
  assert.equal(code, 0, output);
  const { manifest } = new FolderSource(runtime);
  const again = readFileSync(path.join(scratch, "image.bin"));
  assert.equal(sha256(again), manifest.files[FILE.image].unpacked?.sha256);
});

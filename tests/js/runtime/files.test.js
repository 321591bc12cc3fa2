import assert from "node:assert/strict";
import { after, test } from "node:test";
import { RuntimeFileError } from "../../../site/js/runtime/arrival.js";
import { fetchManifest, NetworkSource } from "../../../site/js/runtime/files.js";
import { FILE } from "../../../site/js/runtime/manifest.js";
import { pack, startHost } from "./odd-host.js";
import { hashOf, sampleManifest } from "./sample-manifest.js";

/** @typedef {import("./odd-host.js").Manner} Manner */

const PAGES = Uint8Array.from({ length: 200_000 }, (_, i) => (i * i) % 251);
const SHIPPED = pack(PAGES);
const EMPTY_CODE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0); // the shortest WebAssembly module

/** @type {(() => void)[]} */
const closers = [];
after(() => {
  for (const close of closers) close();
});

/** @param {Record<string, Manner>} manners */
async function host(manners) {
  const manifest = sampleManifest({
    [FILE.image]: {
      size: SHIPPED.length,
      sha256: hashOf(SHIPPED),
      unpacked: { size: PAGES.length, sha256: hashOf(PAGES) },
    },
    [FILE.library]: { size: PAGES.length, sha256: hashOf(PAGES) },
    [FILE.python]: { size: EMPTY_CODE.length, sha256: hashOf(EMPTY_CODE) },
  });
  const files = new Map([
    [FILE.image, SHIPPED],
    [FILE.library, PAGES],
    [FILE.python, EMPTY_CODE],
    [FILE.manifest, new TextEncoder().encode(JSON.stringify(manifest))],
  ]);
  const { base, asked, close } = await startHost(/** @type {Map<string, Uint8Array>} */ (files), manners);
  closers.push(close);
  return { base, asked, source: new NetworkSource(base, manifest) };
}

for (const manner of /** @type {Manner[]} */ (["plain", "encoded", "text", "stale-once"])) {
  test(`a packed file arrives unpacked from a host that sends it ${manner}`, async () => {
    const { source } = await host({ [FILE.image]: manner });
    assert.deepEqual(await source.bytes(FILE.image), PAGES);
  });
}

/** @type {[Manner, RegExp][]} */
const FAULTS = [
  ["missing", /is missing: the server answered 404$/],
  ["altered", /was altered: its SHA-256 is not the manifest’s$/],
  ["cut", /was altered: \d+ bytes instead of \d+$/],
  ["dropped", /is incomplete: the connection ended before the file did$/],
];
for (const [manner, words] of FAULTS) {
  for (const file of [FILE.image, FILE.library, FILE.python]) {
    test(`${file} that is ${manner} is named`, async () => {
      const { source } = await host({ [file]: manner });
      const wanted = file === FILE.python ? source.wasm(file) : source.bytes(file);
      await assert.rejects(wanted, (error) => {
        assert.ok(error instanceof RuntimeFileError);
        assert.equal(error.file, file);
        assert.ok(error.message.startsWith(`${file} `));
        assert.match(error.message, words);
        return true;
      });
    });
  }
}

test("code that was altered and still compiles is found by its check", async () => {
  // The middle byte of this module lies in a custom section that no engine reads.
  const note = [1, 120, ...new Array(20).fill(7)];
  const code = Uint8Array.from([...EMPTY_CODE, 0, note.length, ...note]);
  const { base, close } = await startHost(new Map([[FILE.python, code]]), { [FILE.python]: "altered" });
  closers.push(close);
  const manifest = sampleManifest({ [FILE.python]: { size: code.length, sha256: hashOf(code) } });
  const source = new NetworkSource(base, manifest);
  assert.ok((await source.wasm(FILE.python)) instanceof WebAssembly.Module);
  await assert.rejects(source.verified(), {
    message: `${FILE.python} was altered: its SHA-256 is not the manifest’s`,
  });
});

test("a host that is not there is named with the file", async () => {
  const source = new NetworkSource("http://127.0.0.1:9/", sampleManifest());
  await assert.rejects(source.bytes(FILE.core), {
    message: `${FILE.core} could not be fetched: the network or a blocker refused it`,
  });
});

test("WebAssembly code is compiled whatever the host calls it, and each file is asked for once", async () => {
  const { source, asked } = await host({ [FILE.python]: "text" });
  const [one, other] = await Promise.all([source.wasm(FILE.python), source.wasm(FILE.python)]);
  assert.ok(one instanceof WebAssembly.Module);
  assert.equal(one, other);
  assert.deepEqual(asked, [FILE.python]);
});

test("the manifest is read, and one that is missing or damaged is named", async () => {
  const good = await host({});
  assert.equal((await fetchManifest(good.base)).schemaVersion, 1);
  for (const manner of /** @type {Manner[]} */ (["missing", "cut", "dropped"])) {
    const { base } = await host({ [FILE.manifest]: manner });
    await assert.rejects(fetchManifest(base), (error) => {
      assert.ok(error instanceof RuntimeFileError);
      assert.equal(error.file, FILE.manifest);
      return true;
    });
  }
});

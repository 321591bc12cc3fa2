import assert from "node:assert/strict";
import { test } from "node:test";
import { checkManifest, FILE } from "../../../site/js/runtime/manifest.js";
import { QUICK_FILES, sizeInWords, stageInWords } from "../../../site/js/runtime/stages.js";
import { sampleManifest, WHEEL } from "./sample-manifest.js";

test("sizes are read as people say them", () => {
  assert.equal(sizeInWords(9_596_462), "9.6 MB");
  assert.equal(sizeInWords(74_019), "74 KB");
  assert.equal(sizeInWords(1_000_000), "1.0 MB");
  assert.equal(sizeInWords(402), "1 KB");
});

test("a stage that loads says how much", () => {
  const manifest = sampleManifest();
  // seven files of 1.5 MB
  assert.equal(QUICK_FILES.length, 7);
  assert.equal(stageInWords("python", manifest), "Loading Python and NumPy, 10.5 MB");
  assert.equal(stageInWords("numpy", manifest), "Loading NumPy, 1.5 MB");
  assert.equal(stageInWords("plain", manifest), "Starting Python the slower way, 1.5 MB");
});

test("every stage has words, with and without a manifest", () => {
  for (const name of /** @type {const} */ (["runtime", "python", "start", "core", "plain", "numpy"])) {
    assert.match(stageInWords(name), /^[A-Z][^{}]+$/);
    assert.match(stageInWords(name, sampleManifest()), /^[A-Z][^{}]+$/);
  }
});

test("a manifest that does not describe a needed file is refused, and the file is named", () => {
  assert.doesNotThrow(() => checkManifest(sampleManifest()));
  for (const name of [FILE.image, FILE.python, WHEEL]) {
    const manifest = sampleManifest();
    delete manifest.files[name];
    assert.throws(() => checkManifest(manifest), { message: `it does not describe ${name}` });
  }
  const broken = sampleManifest();
  broken.files[FILE.core].sha256 = "short";
  assert.throws(() => checkManifest(broken), { message: `it does not describe ${FILE.core}` });
  assert.throws(() => checkManifest({ schemaVersion: 2 }), { message: "its schemaVersion is not 1" });
  assert.throws(() => checkManifest(null), { message: "its schemaVersion is not 1" });
  assert.throws(() => checkManifest({ schemaVersion: 1, versions: {} }), { message: 'it has no "image"' });
});

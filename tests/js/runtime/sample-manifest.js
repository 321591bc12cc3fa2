import { createHash } from "node:crypto";
import { FILE } from "../../../site/js/runtime/manifest.js";

/** @param {Uint8Array} bytes */
export const hashOf = (bytes) => createHash("sha256").update(bytes).digest("hex");

export const WHEEL = "numpy-1-wasm32.whl";

/**
 * A manifest that is right in form; sizes in words are easy to check by hand.
 * @param {Record<string, import("../../../site/js/runtime/manifest.js").FileEntry>} [files] real entries for some files
 * @returns {import("../../../site/js/runtime/manifest.js").Manifest}
 */
export function sampleManifest(files = {}) {
  const names = [...Object.values(FILE).filter((name) => name !== FILE.manifest), WHEEL];
  const entries = Object.fromEntries(
    names.map((name) => [name, { size: 1_500_000, sha256: "0".repeat(64) }]),
  );
  return {
    schemaVersion: 1,
    versions: { pyodide: "1", python: "3", numpy: "2", core: "1" },
    wheel: WHEEL,
    libraries: [],
    image: {
      buildId: "b",
      heap: 4096,
      table: 3,
      handles: [],
      references: { hiwireKeys: [], immortalKeys: [] },
      sha256: "0".repeat(64),
    },
    files: { ...entries, ...files },
  };
}

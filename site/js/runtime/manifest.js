/**
 * `runtime/manifest.json`: what lies in the runtime folder, written by `tools/runtime/prepare.mjs`.
 *
 * @typedef {object} FileEntry
 * @property {number} size bytes as shipped
 * @property {string} sha256 of the bytes as shipped
 * @property {{ size: number, sha256: string }} [unpacked] the same file after gunzip, for names ending in `.gz`
 *
 * @typedef {object} Manifest
 * @property {1} schemaVersion
 * @property {{ pyodide: string, python: string, numpy: string, core: string }} versions
 * @property {string} wheel name of NumPy's wheel, for the plain start
 * @property {string[]} libraries NumPy's compiled libraries in the order in which they must be loaded
 * @property {import("./image.js").ImageInfo & { sha256: string }} image
 * @property {Record<string, FileEntry>} files
 */

/** The fixed names in the folder. */
export const FILE = Object.freeze({
  manifest: "manifest.json",
  loader: "pyodide.mjs",
  engine: "pyodide.asm.mjs",
  python: "pyodide.asm.wasm",
  library: "python_stdlib.zip",
  packages: "pyodide-lock.json",
  image: "image.bin.gz",
  numpyCode: "numpy-libraries.tar.gz",
  numpySources: "numpy-sources.tar.gz",
  core: "policygrad.tar.gz",
});

/** @param {unknown} value @returns {value is Record<string, any>} */
function isRecord(value) {
  return typeof value === "object" && value !== null;
}

/**
 * @param {unknown} data parsed JSON
 * @returns {Manifest}
 * @throws {Error} when the text is not such a manifest
 */
export function checkManifest(data) {
  if (!isRecord(data) || data.schemaVersion !== 1) throw new Error("its schemaVersion is not 1");
  for (const key of ["versions", "image", "files"]) {
    if (!isRecord(data[key])) throw new Error(`it has no "${key}"`);
  }
  const names = [...Object.values(FILE).filter((name) => name !== FILE.manifest), data.wheel];
  for (const name of names) {
    const entry = data.files[name];
    if (!isRecord(entry) || !(entry.size > 0) || !/^[0-9a-f]{64}$/.test(entry.sha256)) {
      throw new Error(`it does not describe ${name}`);
    }
  }
  return /** @type {Manifest} */ (data);
}

/** @param {Manifest} manifest @param {string[]} names @returns {number} bytes as shipped */
export function totalSize(manifest, names) {
  return names.reduce((sum, name) => sum + manifest.files[name].size, 0);
}

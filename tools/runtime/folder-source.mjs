/** A prepared runtime folder as a start's source of files, for Node: the same code starts Python as in a page. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { verify } from "../../site/js/runtime/arrival.js";
import { checkManifest, FILE } from "../../site/js/runtime/manifest.js";

/** @typedef {import("../../site/js/runtime/start.js").Source} Source */

/** @implements {Source} */
export class FolderSource {
  /** @param {string} folder */
  constructor(folder) {
    this.folder = folder;
    this.base = folder.endsWith("/") ? folder : `${folder}/`;
    this.manifest = checkManifest(JSON.parse(readFileSync(path.join(folder, FILE.manifest), "utf8")));
  }

  /** @param {string} file @returns {Promise<Uint8Array>} */
  async bytes(file) {
    const entry = this.manifest.files[file];
    const shipped = new Uint8Array(readFileSync(path.join(this.folder, file)));
    await verify(file, shipped, entry);
    if (!entry.unpacked) return shipped;
    const unpacked = new Uint8Array(gunzipSync(shipped));
    await verify(file, unpacked, entry.unpacked);
    return unpacked;
  }

  /** @param {string} file @returns {Promise<WebAssembly.Module>} */
  async wasm(file) {
    return WebAssembly.compile(/** @type {BufferSource} */ (await this.bytes(file)));
  }

  /** @param {string} file @returns {Promise<any>} */
  module(file) {
    return import(pathToFileURL(path.join(this.folder, file)).href);
  }

  /** Here every file is checked before it is used. */
  async verified() {}
}

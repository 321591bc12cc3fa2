/**
 * The files of one runtime folder, fetched from any static host. The hash in each address keeps a browser's cache from
 * mixing two versions of the folder; a wrong media type stops neither WebAssembly code nor a module.
 */
import { RuntimeFileError, receive } from "./arrival.js";
import { checkManifest, FILE } from "./manifest.js";

/** @typedef {import("./manifest.js").Manifest} Manifest */
/** @typedef {import("./start.js").Source} Source */

/** @param {string} file @param {string} url @param {RequestCache} [cache] @returns {Promise<Response>} */
async function request(file, url, cache = "default") {
  let response;
  try {
    response = await fetch(url, { cache, credentials: "same-origin" });
  } catch (error) {
    throw new RuntimeFileError(file, "could not be fetched: the network or a blocker refused it", error);
  }
  if (!response.ok) throw new RuntimeFileError(file, `is missing: the server answered ${response.status}`);
  return response;
}

/** @param {string} base absolute URL of the folder @returns {Promise<Manifest>} */
export async function fetchManifest(base) {
  const url = new URL(FILE.manifest, base).href;
  // Always the newest: the manifest names the version of everything else. Offline, the stored one is right.
  const response = await request(FILE.manifest, url, "no-cache").catch((error) =>
    request(FILE.manifest, url, "force-cache").catch(() => Promise.reject(error)),
  );
  try {
    return checkManifest(await response.json());
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new RuntimeFileError(FILE.manifest, `cannot be used: ${why}`, error);
  }
}

/** Each file is fetched once and shared by both ways to start. @implements {Source} */
export class NetworkSource {
  /** @type {Map<string, Promise<any>>} */
  #known = new Map();

  /** @param {string} base absolute URL of the folder @param {Manifest} manifest */
  constructor(base, manifest) {
    this.base = base;
    this.manifest = manifest;
  }

  /** @template T @param {string} key @param {() => Promise<T>} make @returns {Promise<T>} */
  #once(key, make) {
    let value = this.#known.get(key);
    if (!value) {
      value = make();
      // Whoever awaits it hears of a failure; until then it must not count as unhandled.
      value.catch(() => {});
      this.#known.set(key, value);
    }
    return value;
  }

  /** @param {string} file @param {RequestCache} [cache] */
  #request(file, cache) {
    const { sha256 } = this.manifest.files[file];
    return request(file, new URL(`${file}?${sha256.slice(0, 16)}`, this.base).href, cache);
  }

  /** @param {string} file @param {Response} response @returns {Promise<Uint8Array>} */
  async #receive(file, response) {
    const entry = this.manifest.files[file];
    try {
      return await receive(file, response, entry);
    } catch {
      // A cache or a broken transfer may be at fault; the server itself gets one more chance to answer.
      return receive(file, await this.#request(file, "reload"), entry);
    }
  }

  /** @param {string} file @returns {Promise<Uint8Array>} */
  bytes(file) {
    return this.#once(file, async () => this.#receive(file, await this.#request(file)));
  }

  /**
   * Compiled while the bytes arrive. Compiling from the response lets the browser keep the machine code for the next
   * visit. The code may be used before its check has ended; `verified` tells how that went.
   * @param {string} file @returns {Promise<WebAssembly.Module>}
   */
  wasm(file) {
    return this.#once(`code ${file}`, async () => {
      const response = await this.#request(file);
      const copy = response.clone();
      const compiled = WebAssembly.compileStreaming(response).catch(() => undefined);
      const bytes = this.#once(file, () => this.#receive(file, copy));
      return (await compiled) ?? WebAssembly.compile(/** @type {BufferSource} */ (await bytes));
    });
  }

  /** Settles when everything that was asked for so far has arrived and is what the manifest says. @returns {Promise<unknown>} */
  verified() {
    return Promise.all(this.#known.values());
  }

  /**
   * Imported from the verified bytes: some hosts call `.mjs` files plain data, which a browser refuses to import.
   * @param {string} file @returns {Promise<any>}
   */
  module(file) {
    return this.#once(`module ${file}`, async () => {
      const blob = new Blob([/** @type {BlobPart} */ (await this.bytes(file))], { type: "text/javascript" });
      const url = URL.createObjectURL(blob);
      try {
        return await import(url);
      } finally {
        URL.revokeObjectURL(url);
      }
    });
  }
}

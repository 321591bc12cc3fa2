/**
 * Fetches the runtime's files from any static host and checks each against the manifest. A file that is missing,
 * incomplete, altered or blocked is named: that is what a reader can tell the host, and what the host can put right.
 *
 * Hosts differ. A `.gz` file arrives packed, or already unpacked when the host calls it an encoding; a wrong media type
 * must not stop a WebAssembly file or a module. So files are known by their bytes only. The hash in each address keeps
 * a browser's cache from mixing two versions of the folder.
 */
import { checkManifest, FILE } from "./manifest.js";

/** @typedef {import("./manifest.js").Manifest} Manifest */
/** @typedef {import("./manifest.js").FileEntry} FileEntry */

/** A runtime file that cannot be used; `file` is its name in the runtime folder. */
export class RuntimeFileError extends Error {
  /** @param {string} file @param {string} what @param {unknown} [cause] */
  constructor(file, what, cause) {
    super(`${file} ${what}`, { cause });
    this.name = "RuntimeFileError";
    this.file = file;
  }
}

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

/** @param {string} file @param {Response} response @returns {Promise<Uint8Array>} */
async function readBody(file, response) {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw new RuntimeFileError(file, "is incomplete: the connection ended before the file did", error);
  }
}

/** @param {BufferSource} bytes @returns {Promise<string | undefined>} undefined where the browser has no SHA-256 (plain http) */
export async function sha256(bytes) {
  if (!globalThis.crypto?.subtle) return undefined;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {string} file
 * @param {Uint8Array} bytes
 * @param {{ size: number, sha256: string }} expected
 * @returns {Promise<void>}
 */
export async function verify(file, bytes, expected) {
  if (bytes.length !== expected.size) {
    throw new RuntimeFileError(file, `was altered: ${bytes.length} bytes instead of ${expected.size}`);
  }
  const found = await sha256(/** @type {BufferSource} */ (bytes));
  if (found !== undefined && found !== expected.sha256) {
    throw new RuntimeFileError(file, "was altered: its SHA-256 is not the manifest's");
  }
}

/** @param {Uint8Array} bytes @returns {boolean} */
export function isGzip(bytes) {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** @param {Uint8Array} bytes @param {number} size @returns {Promise<Uint8Array>} */
async function gunzip(bytes, size) {
  const unpacked = new Uint8Array(size);
  const stream = new Blob([/** @type {BlobPart} */ (bytes)])
    .stream()
    .pipeThrough(new DecompressionStream("gzip"));
  const reader = stream.getReader();
  let at = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    unpacked.set(next.value, at);
    at += next.value.length;
  }
  if (at !== size) throw new Error(`${at} bytes instead of ${size}`);
  return unpacked;
}

/**
 * Checks what arrived, and unpacks it where the host did not.
 * @param {string} file @param {Uint8Array} bytes @param {FileEntry} entry @returns {Promise<Uint8Array>}
 */
export async function accept(file, bytes, entry) {
  if (!entry.unpacked) {
    await verify(file, bytes, entry);
    return bytes;
  }
  if (!isGzip(bytes)) {
    await verify(file, bytes, entry.unpacked);
    return bytes;
  }
  const { size } = entry.unpacked;
  const [, unpacked] = await Promise.all([
    verify(file, bytes, entry),
    gunzip(bytes, size).catch((error) => error),
  ]);
  if (unpacked instanceof Uint8Array) return unpacked;
  throw new RuntimeFileError(file, "was altered: it cannot be unpacked", unpacked);
}

/** @param {string} base @returns {Promise<Manifest>} */
export async function fetchManifest(base) {
  const url = new URL(FILE.manifest, base).href;
  // Always the newest: the manifest names the version of everything else. Offline, the stored one is right.
  const response = await request(FILE.manifest, url, "no-cache").catch((error) =>
    request(FILE.manifest, url, "force-cache").catch(() => Promise.reject(error)),
  );
  const bytes = await readBody(FILE.manifest, response);
  try {
    return checkManifest(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new RuntimeFileError(FILE.manifest, `cannot be used: ${why}`, error);
  }
}

/** The files of one runtime folder. */
export class RuntimeFiles {
  /** @param {string} base absolute URL of the folder @param {Manifest} manifest */
  constructor(base, manifest) {
    this.base = base;
    this.manifest = manifest;
  }

  /** @param {string} file @returns {string} its address, which changes with its contents */
  url(file) {
    return new URL(`${file}?${this.manifest.files[file].sha256.slice(0, 16)}`, this.base).href;
  }

  /** @param {string} file @returns {Promise<Uint8Array>} verified, unpacked */
  async bytes(file) {
    const entry = this.manifest.files[file];
    const response = await request(file, this.url(file));
    try {
      return await accept(file, await readBody(file, response), entry);
    } catch {
      // A cache or a broken transfer may be at fault; the server itself gets one more chance to answer.
      return accept(file, await readBody(file, await request(file, this.url(file), "reload")), entry);
    }
  }

  /**
   * Compiles while the bytes arrive, and checks them at the same time.
   * @param {string} file @returns {Promise<WebAssembly.Module>}
   */
  async wasm(file) {
    const response = await request(file, this.url(file));
    const copy = response.clone();
    const compiled = WebAssembly.compileStreaming(response).catch(() => undefined);
    const bytes = await readBody(file, copy)
      .then((whole) => accept(file, whole, this.manifest.files[file]))
      .catch(() => this.bytes(file));
    return (await compiled) ?? WebAssembly.compile(/** @type {BufferSource} */ (bytes));
  }
}

/**
 * What a runtime file goes through between the network and its use: reading, unpacking, checking. A file that is
 * missing, incomplete, altered or blocked is named: that is what a reader can tell the host, and the host can put right.
 *
 * Hosts differ. A `.gz` file arrives packed, or already unpacked when the host calls it an encoding, so a file is
 * judged by its bytes only.
 */

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

/** @param {BufferSource} bytes @returns {Promise<string | undefined>} undefined where the browser has no SHA-256 (plain http) */
async function sha256(bytes) {
  if (!globalThis.crypto?.subtle) return undefined;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {string} file
 * @param {Uint8Array} bytes
 * @param {{ size: number, sha256: string }} expected
 */
export async function verify(file, bytes, expected) {
  if (bytes.length !== expected.size) {
    throw new RuntimeFileError(file, `was altered: ${bytes.length} bytes instead of ${expected.size}`);
  }
  const found = await sha256(/** @type {BufferSource} */ (bytes));
  if (found !== undefined && found !== expected.sha256) {
    throw new RuntimeFileError(file, "was altered: its SHA-256 is not the manifest’s");
  }
}

/** @param {Uint8Array} bytes */
const isGzip = (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** @param {Uint8Array[]} parts @returns {Uint8Array} */
function join(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {ReadableStream<Uint8Array>} stream @param {number} size @returns {Promise<Uint8Array>} */
async function collect(stream, size) {
  const whole = new Uint8Array(size);
  let at = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    whole.set(next.value, at);
    at += next.value.length;
  }
  if (at !== size) throw new Error(`${at} bytes instead of ${size}`);
  return whole;
}

/** Unpacks what is written to it while the rest is still on its way. @param {number} size */
function startUnpacking(size) {
  const stream = new DecompressionStream("gzip");
  const writer = stream.writable.getWriter();
  const whole = collect(stream.readable, size).catch(
    (error) => new Error("it cannot be unpacked", { cause: error }),
  );
  return {
    /** @param {Uint8Array} part */
    write(part) {
      writer.write(/** @type {BufferSource} */ (part)).catch(() => {});
    },
    finish() {
      writer.close().catch(() => {});
      return whole;
    },
  };
}

/** @param {string} file @param {Response} response @param {(part: Uint8Array) => void} onPart */
async function readParts(file, response, onPart) {
  try {
    const reader = response.body?.getReader();
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) onPart(next.value);
  } catch (error) {
    throw new RuntimeFileError(file, "is incomplete: the connection ended before the file did", error);
  }
}

/**
 * Reads a file to its end, unpacked where it is packed, and checks it.
 * @param {string} file @param {Response} response @param {FileEntry} entry
 * @returns {Promise<Uint8Array>}
 * @throws {RuntimeFileError}
 */
export async function receive(file, response, entry) {
  /** @type {Uint8Array[]} */
  const parts = [];
  /** @type {ReturnType<typeof startUnpacking> | undefined} */
  let unpacker;
  await readParts(file, response, (part) => {
    if (parts.length === 0 && entry.unpacked && isGzip(part)) unpacker = startUnpacking(entry.unpacked.size);
    parts.push(part);
    unpacker?.write(part);
  });
  const bytes = join(parts);
  if (!unpacker) {
    await verify(file, bytes, entry.unpacked ?? entry);
    return bytes;
  }
  const [unpacked] = await Promise.all([unpacker.finish(), verify(file, bytes, entry)]);
  if (unpacked instanceof Error)
    throw new RuntimeFileError(file, "was altered: it cannot be unpacked", unpacked);
  return unpacked;
}

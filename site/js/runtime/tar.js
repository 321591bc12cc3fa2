/**
 * Reads the tar files that `tools/runtime/tar.mjs` writes: plain ustar, regular files only.
 */
const BLOCK = 512;
const latin1 = new TextDecoder("latin1");
const utf8 = new TextDecoder();

/** @param {Uint8Array} bytes @returns {string} the text before the first NUL */
function field(bytes) {
  const end = bytes.indexOf(0);
  return utf8.decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/**
 * @param {Uint8Array} tar
 * @returns {[string, Uint8Array][]} name and contents, in the file's order; the contents are views into `tar`
 */
export function readTar(tar) {
  /** @type {[string, Uint8Array][]} */
  const entries = [];
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    if (latin1.decode(tar.subarray(at + 257, at + 262)) !== "ustar") throw new Error("not a tar file");
    const size = Number.parseInt(latin1.decode(tar.subarray(at + 124, at + 135)), 8);
    const start = at + BLOCK;
    if (!(start + size <= tar.length)) throw new Error("the tar file ends too early");
    entries.push([field(tar.subarray(at, at + 100)), tar.subarray(start, start + size)]);
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return entries;
}

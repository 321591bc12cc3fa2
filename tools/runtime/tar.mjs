/**
 * Writes tar files that are the same bytes for the same contents: owner 0, mode 0644, time 0, in the order given.
 * Format: POSIX.1-1988 ustar, 512-byte blocks. `site/js/runtime/tar.js` reads them back in the page.
 */
const BLOCK = 512;

/** @param {Buffer} header @param {number} at @param {number} width @param {number} value */
function writeOctal(header, at, width, value) {
  header.write(`${value.toString(8).padStart(width - 1, "0")}\0`, at, width, "latin1");
}

/** @param {string} name @param {number} size */
function header(name, size) {
  const block = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > 99) throw new Error(`${name}: too long a name for a tar file`);
  block.write(name, 0, "utf8");
  writeOctal(block, 100, 8, 0o644);
  writeOctal(block, 108, 8, 0);
  writeOctal(block, 116, 8, 0);
  writeOctal(block, 124, 12, size);
  writeOctal(block, 136, 12, 0);
  block.write("        0", 148, "latin1");
  block.write("ustar\x0000", 257, "latin1");
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}

/** @param {Iterable<[string, Uint8Array]>} entries @returns {Buffer} */
export function writeTar(entries) {
  const parts = [];
  for (const [name, bytes] of entries) {
    parts.push(header(name, bytes.length), bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK));
  }
  parts.push(Buffer.alloc(2 * BLOCK));
  return Buffer.concat(parts);
}

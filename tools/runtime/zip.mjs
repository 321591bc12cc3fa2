/**
 * Reads zip files (wheels): the central directory, stored and deflated members, no encryption, no zip64.
 * Format: PKWARE's APPNOTE 6.3.10, sections 4.3.12 and 4.3.16.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { inflateRawSync } from "node:zlib";

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL_HEADER = 30;
const END_HEADER = 22;

/** @typedef {{ name: string, method: number, packed: number, size: number, at: number }} Member */

/** @param {number} file @param {number} at @param {number} length */
function readAt(file, at, length) {
  const bytes = Buffer.alloc(length);
  if (readSync(file, bytes, 0, length, at) !== length) throw new Error("the zip file ends too early");
  return bytes;
}

/** @param {number} file @param {number} size @returns {Member[]} */
function readDirectory(file, size) {
  const tailSize = Math.min(size, 65_557);
  const tail = readAt(file, size - tailSize, tailSize);
  let end = tail.length - END_HEADER;
  while (end >= 0 && tail.readUInt32LE(end) !== END) end -= 1;
  if (end < 0) throw new Error("not a zip file");
  const count = tail.readUInt16LE(end + 10);
  const directory = readAt(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const members = [];
  for (let at = 0, i = 0; i < count; i += 1) {
    if (directory.readUInt32LE(at) !== CENTRAL) throw new Error("the zip directory is damaged");
    const nameLength = directory.readUInt16LE(at + 28);
    members.push({
      name: directory.toString("utf8", at + 46, at + 46 + nameLength),
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      at: directory.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return members;
}

/** @param {number} file @param {Member} member @returns {Uint8Array} */
function readMember(file, member) {
  const header = readAt(file, member.at, LOCAL_HEADER);
  const start = member.at + LOCAL_HEADER + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = readAt(file, start, member.packed);
  if (member.method !== 0 && member.method !== 8) throw new Error(`${member.name}: unknown compression`);
  const bytes = member.method === 0 ? packed : inflateRawSync(packed);
  if (bytes.length !== member.size) throw new Error(`${member.name}: wrong length in the zip file`);
  return bytes;
}

/**
 * The members whose names pass `keep`, sorted by name; nothing else is read from the file.
 * @param {string} path @param {(name: string) => boolean} keep @returns {[string, Uint8Array][]}
 */
export function readZip(path, keep) {
  const file = openSync(path, "r");
  try {
    return readDirectory(file, statSync(path).size)
      .filter((member) => !member.name.endsWith("/") && keep(member.name))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((member) => [member.name, readMember(file, member)]);
  } finally {
    closeSync(file);
  }
}

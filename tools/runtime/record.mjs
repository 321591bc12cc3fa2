/**
 * Records the memory image: `node record.mjs <numpy wheel> <core> <folder>` writes `image.bin` and `image.json` there.
 * `site/js/runtime/image.js` says what an image is and why it fits. Runs in a process of its own, in a still world.
 */

import { writeFileSync } from "node:fs";
import path from "node:path";
import { helperAt, PAGE, placeBeforePython } from "../../site/js/runtime/image.js";
import { runMain } from "../say.mjs";
import { sha256 } from "./hash.mjs";
import { readCore, readNumpy, SITE_PACKAGES, startPython, writeFiles } from "./python-in-node.mjs";
import { moveOn } from "./still.mjs";

/** Bytes before the references in Pyodide's snapshot. */
const HEADER = 48;

/** @typedef {import("../../site/js/runtime/image.js").EmscriptenModule} EmscriptenModule */
/** @typedef {import("../../site/js/runtime/image.js").ImageInfo} ImageInfo */

/**
 * What the page finds imported: the standard library's modules that lesson code is likely to use, NumPy, and the core,
 * also the parts that it reads only when one of their names is used: no file of the core comes with the image.
 */
const IMPORTS = `
import sys
sys.dont_write_bytecode = True
import ast, collections.abc, contextlib, dataclasses, enum, functools, importlib, inspect, io, itertools, json, math
import operator, random, re, textwrap, traceback, types, typing
importlib.invalidate_caches()
import numpy, numpy.linalg, numpy.ma, numpy.random
import policygrad.bridge
for name in policygrad.__all__:
    getattr(policygrad, name)
del name
import gc
sys.dont_write_bytecode = False
importlib.invalidate_caches()
gc.collect()
`;

/** @param {[string, Uint8Array][]} libraries @returns {Promise<[string, WebAssembly.Module][]>} */
const compile = (libraries) =>
  Promise.all(
    libraries.map(async ([name, bytes]) => [
      SITE_PACKAGES + name,
      await WebAssembly.compile(/** @type {BufferSource} */ (bytes)),
    ]),
  );

/** @param {unknown} error */
const fail = (error) => {
  throw error;
};

/**
 * The memory of a module that is laid out and has run nothing of Python: what the page has just before it copies.
 * @param {[string, WebAssembly.Module][]} libraries
 */
async function freshMemory(libraries) {
  /** @type {Uint8Array | undefined} */
  let memory;
  const stop = new Error("only the memory was wanted");
  await startPython({ _loadSnapshot: new Uint8Array(16) }, async (create, settings) => {
    placeBeforePython(settings, Promise.resolve(libraries), fail);
    memory = (await create(settings)).HEAPU8.slice();
    throw stop;
  }).catch((error) => error === stop || fail(error));
  if (!memory) throw new Error("no fresh memory");
  return memory;
}

/**
 * Functions that joined the table after the libraries would be missing in the page. Python's own closures do join it
 * while ctypes is imported, and are gone again; anything that is still there is an error.
 * @param {EmscriptenModule} module @param {number} from
 */
function checkTable(module, from) {
  for (let at = from; at < module.wasmTable.length; at += 1) {
    if (module.wasmTable.get(at) !== null) throw new Error(`function ${at} joined the table after the start`);
  }
}

/**
 * Overwrites free memory with zeros, which pack to nothing: takes every free block, large ones first, as long as that
 * does not make the memory grow, and gives them all back.
 * @param {EmscriptenModule} module
 */
function clearFreeMemory(module) {
  const end = () => module.HEAP32[module._emscripten_get_sbrk_ptr() >>> 2];
  const taken = [];
  for (let size = 65_536; size >= 32; size /= 2) {
    for (let before = end(); ; ) {
      const block = module._malloc(size);
      taken.push(block);
      if (block === 0 || end() !== before) break;
      module.HEAPU8.fill(0, block, block + size);
    }
  }
  for (const block of taken) module._free(block);
}

/** @param {Uint8Array} fresh @param {Uint8Array} memory @returns {Uint8Array} the image */
function differences(fresh, memory) {
  const grown = new Uint8Array(memory.length);
  grown.set(fresh);
  const before = Buffer.from(grown.buffer);
  const after = Buffer.from(memory.buffer, memory.byteOffset, memory.byteLength);
  /** @type {{ page: number, count: number }[]} */
  const runs = [];
  for (let page = 0; page * PAGE < memory.length; page += 1) {
    const at = page * PAGE;
    if (before.compare(after, at, at + PAGE, at, at + PAGE) === 0) continue;
    const last = runs.at(-1);
    if (last && last.page + last.count === page) last.count += 1;
    else runs.push({ page, count: 1 });
  }
  const head = Buffer.alloc(4 + 8 * runs.length);
  head.writeUInt32LE(runs.length, 0);
  runs.forEach(({ page, count }, i) => {
    head.writeUInt32LE(page, 4 + 8 * i);
    head.writeUInt32LE(count, 8 + 8 * i);
  });
  return Buffer.concat([
    head,
    ...runs.map(({ page, count }) => after.subarray(page * PAGE, (page + count) * PAGE)),
  ]);
}

/** Pyodide's own snapshot: 16-byte words of header, its references as JSON, then the memory. @param {Uint8Array} snapshot */
function readSnapshot(snapshot) {
  const view = new DataView(snapshot.buffer, snapshot.byteOffset);
  const at = view.getUint32(4, true);
  const length = view.getUint32(8, true);
  const references = JSON.parse(new TextDecoder().decode(snapshot.subarray(HEADER, HEADER + length)));
  return { references, memory: snapshot.subarray(at) };
}

/** @param {string} wheel @param {string} core @param {string} folder */
async function record(wheel, core, folder) {
  const { sources, libraries } = readNumpy(wheel);
  const code = await compile(libraries);
  const fresh = await freshMemory(code);
  // What a start takes from the clock differs from now on, so that it counts as part of the image.
  moveOn();
  let table = 0;
  const python = await startPython({ _makeSnapshot: true }, async (create, settings) => {
    placeBeforePython(settings, Promise.resolve(code), fail);
    const module = await create(settings);
    table = module.wasmTable.length;
    // Empty files stand for the libraries: Python only looks whether they are there, and would read them into memory.
    const placeholders = libraries.map(
      ([name]) => /** @type {[string, Uint8Array]} */ ([name, new Uint8Array()]),
    );
    writeFiles(module.FS, SITE_PACKAGES, [...sources, ...readCore(core), ...placeholders]);
    return module;
  });
  python.runPython(IMPORTS);
  const module = python._module;
  checkTable(module, table);
  clearFreeMemory(module);
  const { references, memory } = readSnapshot(python.makeMemorySnapshot());
  memory.fill(0, 4 * helperAt(module), 4 * helperAt(module) + 4);
  /** @type {ImageInfo} */
  const info = {
    buildId: module.API.config.BUILD_ID,
    heap: memory.length,
    table,
    handles: Object.entries(module.LDSO.loadedLibsByHandle)
      .map(([handle, library]) => /** @type {[number, string]} */ ([Number(handle), library.name]))
      .filter(([handle]) => handle !== 0),

    references,
  };
  writeFileSync(path.join(folder, "image.bin"), differences(fresh, memory));
  writeFileSync(
    path.join(folder, "image.json"),
    `${JSON.stringify({ ...info, sha256: sha256(memory) }, null, 1)}\n`,
  );
}

const [wheel, core, folder] = process.argv.slice(2);
await runMain(() => record(wheel, core, folder));

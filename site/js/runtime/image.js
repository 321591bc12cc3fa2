/**
 * A memory image: Python's memory as it is right after `import numpy` and the core, so that a page copies it instead of running the
 * start-up again. This module is the half that the recorder (Node, when the site is built) and the page must share.
 *
 * Compiled libraries cannot be part of Python's memory: memory only holds numbers that point at their functions and
 * data. Those numbers stay right because both sides load the same libraries, in the same order, before Python runs,
 * when the function table and the data area still have the layout that the WebAssembly file alone determines. The
 * table's length is compared afterwards; if it differs the image is refused and the plain start is used.
 *
 * Only 4 KB pages that differ from the fresh memory of that moment are stored. File layout, little-endian uint32:
 * number of runs, then (first page, page count) for each run, then the pages.
 */

export const PAGE = 4096;

/**
 * What an image needs besides its pages.
 * @typedef {object} ImageInfo
 * @property {string} buildId Pyodide's own build id; an image fits exactly one build
 * @property {number} heap bytes of memory
 * @property {number} table length of the function table when the libraries are loaded
 * @property {[number, string][]} handles Python's handle of each library that it has opened, and the library's path
 * @property {{ hiwireKeys: unknown[], immortalKeys: string[] }} references Python's references to objects of the page
 */

/**
 * The internals of Pyodide's module that this needs.
 * @typedef {object} EmscriptenModule
 * @property {WebAssembly.Table} wasmTable
 * @property {Uint8Array} HEAPU8
 * @property {Int32Array} HEAP32
 * @property {number} __PyRuntime
 * @property {number} __PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET
 * @property {{ loadedLibsByName: Record<string, Library>, loadedLibsByHandle: Record<number, Library> }} LDSO
 * @property {(name: string, handle: number | undefined, exports: unknown) => Library} newDSO
 * @property {(code: WebAssembly.Module, flags: object, name: string, scope: object) => object} loadWebAssemblyModule
 * @property {(bytes: number) => void} growMemory
 * @property {(bytes: number) => number} _malloc
 * @property {(block: number) => void} _free
 * @property {() => number} _emscripten_get_sbrk_ptr
 * @property {(name: string) => void} addRunDependency
 * @property {(name: string) => void} removeRunDependency
 * @property {{ config: { BUILD_ID: string }, restoreSnapshot: (bytes: Uint8Array) => unknown }} API
 * @property {any} FS
 */
/** @typedef {{ name: string, global: boolean, exports: unknown }} Library */

/**
 * Where Python keeps the pointer to its call helper, as an index of HEAP32. Engines differ in it, so images hold 0 there.
 * @param {EmscriptenModule} module
 */
export function helperAt(module) {
  return (module.__PyRuntime + module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >>> 2]) >>> 2;
}

/**
 * Loads libraries before Python starts. An engine without WebAssembly GC (or iOS) has no call helper in the table; an
 * empty slot stands for it, so that the libraries' functions have the same numbers everywhere.
 * @param {EmscriptenModule} module
 * @param {[string, WebAssembly.Module][]} libraries path that Python will open, and code
 */
export function placeLibraries(module, libraries) {
  if (module.HEAP32[helperAt(module)] === 0) module.wasmTable.grow(1);
  for (const [path, code] of libraries) {
    const library = module.newDSO(path, undefined, "loading");
    library.global = false;
    library.exports = module.loadWebAssemblyModule(
      code,
      { loadAsync: false, nodelete: true, global: false },
      path,
      {},
    );
  }
}

/**
 * Places libraries at the right moment of a start: after the table is laid out, before any Python.
 * @param {{ preRun: ((module: EmscriptenModule) => void)[] }} settings of Emscripten
 * @param {Promise<[string, WebAssembly.Module][]>} libraries
 * @param {(error: unknown) => void} onError Emscripten has no way to report one from here
 */
export function placeBeforePython(settings, libraries, onError) {
  settings.preRun.push((module) => {
    module.addRunDependency("libraries");
    libraries
      .then((list) => placeLibraries(module, list))
      .then(() => module.removeRunDependency("libraries"))
      .catch(onError);
  });
}

/**
 * Makes a started, still empty module take its memory from the image when Pyodide asks for it.
 * @param {EmscriptenModule} module
 * @param {ImageInfo} info
 * @param {Uint8Array} image
 */
export function useImage(module, info, image) {
  if (module.API.config.BUILD_ID !== info.buildId)
    throw new Error("the memory image is of another Pyodide build");
  if (module.wasmTable.length !== info.table) {
    throw new Error(
      `the function table has ${module.wasmTable.length} entries, the memory image needs ${info.table}`,
    );
  }
  module.API.restoreSnapshot = () => {
    if (module.HEAPU8.length < info.heap) module.growMemory(info.heap);
    const helper = module.HEAP32[helperAt(module)];
    copyPages(image, module.HEAPU8);
    module.HEAP32[helperAt(module)] = helper;
    for (const [handle, path] of info.handles) {
      module.LDSO.loadedLibsByHandle[handle] = module.LDSO.loadedLibsByName[path];
    }
    return info.references;
  };
}

/** @param {Uint8Array} image @param {Uint8Array} memory */
export function copyPages(image, memory) {
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength);
  const runs = view.getUint32(0, true);
  let from = 4 + 8 * runs;
  for (let run = 0; run < runs; run += 1) {
    const at = view.getUint32(4 + 8 * run, true) * PAGE;
    const length = view.getUint32(8 + 8 * run, true) * PAGE;
    memory.set(image.subarray(from, from + length), at);
    from += length;
  }
  if (from !== image.length) throw new Error("the memory image has the wrong length");
}

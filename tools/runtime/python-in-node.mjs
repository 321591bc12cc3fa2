/** Pyodide in Node, from node_modules, as the recorder and the tests start it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { listFiles, readFiles } from "./hash.mjs";
import { pyodideFolder } from "./lock-file.mjs";
import { readZip } from "./zip.mjs";

/** @typedef {import("../../site/js/runtime/image.js").EmscriptenModule} EmscriptenModule */
/** @typedef {{ runPython: (code: string) => any, FS: any, globals: any, _module: EmscriptenModule, makeMemorySnapshot: () => Uint8Array }} Python */
/** @typedef {{ preRun: ((module: EmscriptenModule) => void)[] }} Settings */

export const SITE_PACKAGES = "/lib/python3.14/site-packages/";

/** @param {string} name */
const load = (name) => import(pathToFileURL(path.join(pyodideFolder, name)).href);

/** The environment of Python, written out: nothing of the machine reaches it. */
export const ENVIRONMENT = { HOME: "/home/pyodide", LANG: "C.UTF-8", TZ: "UTC", PYTHONHASHSEED: "0" };

/**
 * @param {object} options of `loadPyodide`
 * @param {(create: (settings: Settings) => Promise<EmscriptenModule>, settings: Settings) => Promise<EmscriptenModule>} [start]
 *   makes the module; by default it just does
 * @returns {Promise<Python>}
 */
export async function startPython(options = {}, start = (create, settings) => create(settings)) {
  const { loadPyodide } = await load("pyodide.mjs");
  const { default: create } = await load("pyodide.asm.mjs");
  return loadPyodide({
    indexURL: `${pyodideFolder}/`,
    env: { ...ENVIRONMENT },
    _sysExecutable: "./this.program",
    createPyodideModule: (/** @type {Settings} */ settings) => start(create, settings),
    ...options,
  });
}

/** Libraries that `import numpy, numpy.linalg, numpy.random` opens; NumPy's others are loaded when they are imported. */
const PLACED = /^numpy\/(_core|random)\/|^numpy\/linalg\/_umath_linalg/;

/** @param {string} name */
const isPackageFile = (name) => name.startsWith("numpy/") && !name.split("/").includes("tests");

/**
 * NumPy's files that Python needs: modules and compiled libraries. Type stubs, C headers and build files stay out.
 * @param {string} wheel
 * @returns {{ sources: [string, Uint8Array][], libraries: [string, Uint8Array][] }} `libraries`: those in the memory image;
 *   `sources`: all modules, and the other libraries
 */
export function readNumpy(wheel) {
  return {
    sources: readZip(
      wheel,
      (name) => isPackageFile(name) && (name.endsWith(".py") || (name.endsWith(".so") && !PLACED.test(name))),
    ),
    libraries: readZip(wheel, (name) => isPackageFile(name) && name.endsWith(".so") && PLACED.test(name)),
  };
}

/** @param {string} folder of the core's package @returns {[string, Uint8Array][]} its modules, named as Python's packages are */
export function readCore(folder) {
  const names = listFiles(folder, (name) => name.endsWith(".py"));
  return readFiles(folder, names).map(([name, bytes]) => [`${path.basename(folder)}/${name}`, bytes]);
}

/** @param {any} fileSystem of Emscripten @param {string} folder @param {[string, Uint8Array][]} files */
export function writeFiles(fileSystem, folder, files) {
  for (const [name, bytes] of files) {
    const target = folder + name;
    fileSystem.mkdirTree(path.posix.dirname(target));
    fileSystem.writeFile(target, bytes);
  }
}

/** @param {string} name of a file of Pyodide's npm package @returns {Uint8Array} */
export function pyodideFile(name) {
  return readFileSync(path.join(pyodideFolder, name));
}

/**
 * The two ways to a running Python with NumPy.
 *
 * quick  everything is fetched at once, NumPy's libraries are compiled meanwhile, and memory is copied from an image
 * plain  Pyodide's documented start, then its own NumPy wheel; the way back when the image does not fit this engine
 */
import { placeBeforePython, useImage } from "./image.js";
import { FILE } from "./manifest.js";
import { readTar } from "./tar.js";

/** @typedef {import("./image.js").EmscriptenModule} EmscriptenModule */
/** @typedef {import("./manifest.js").Manifest} Manifest */

/**
 * @typedef {object} Source where a start gets its files: the network in a page, the folder itself in a test
 * @property {Manifest} manifest
 * @property {string} base where Pyodide believes its files to be
 * @property {(file: string) => Promise<Uint8Array>} bytes verified, unpacked
 * @property {(file: string) => Promise<WebAssembly.Module>} wasm compiled; its check may still be under way
 * @property {(file: string) => Promise<any>} module verified, imported
 * @property {() => Promise<unknown>} verified settles when all files asked for are checked
 */

/**
 * @typedef {object} Python what is used of Pyodide
 * @property {(code: string) => any} runPython
 * @property {(names: string[], options: object) => Promise<unknown>} loadPackage
 * @property {any} FS
 */

/** @typedef {{ preRun: ((module: EmscriptenModule) => void)[], instantiateWasm: unknown }} Settings */

/** NumPy's modules and the core live where Python looks for packages. */
const SITE_PACKAGES = "/lib/python3.14/site-packages";

/**
 * Emscripten asks for the instance; Pyodide's own answer would swallow a failure, and the page would wait for ever.
 * @param {Settings} settings @param {Promise<WebAssembly.Module>} code @param {(error: unknown) => void} onError
 */
function instantiateFrom(settings, code, onError) {
  const marker = Symbol("error marker");
  settings.instantiateWasm = (
    /** @type {any} */ imports,
    /** @type {(instance: WebAssembly.Instance, code: WebAssembly.Module) => void} */ done,
  ) => {
    imports.env.Jsv_GetError_import = () => marker;
    imports.env.JsvError_Check = (/** @type {unknown} */ value) => value === marker;
    code.then(async (ready) => done(await WebAssembly.instantiate(ready, imports), ready)).catch(onError);
    return {};
  };
}

/**
 * @param {Source} source
 * @param {object} options
 * @param {(settings: Settings, onError: (error: unknown) => void) => void} prepare
 * @param {(module: EmscriptenModule) => Promise<void> | void} [begin] when memory and table are laid out
 * @returns {Promise<Python>}
 */
async function load(source, options, prepare, begin = () => {}) {
  const code = source.wasm(FILE.python);
  const [{ loadPyodide }, { default: create }, packages] = await Promise.all([
    source.module(FILE.loader),
    source.module(FILE.engine),
    source.bytes(FILE.packages),
  ]);
  return new Promise((resolve, reject) => {
    code.catch(reject);
    source.bytes(FILE.library).catch(reject);
    loadPyodide({
      indexURL: source.base,
      packageBaseUrl: source.base,
      lockFileContents: new TextDecoder().decode(packages),
      env: { HOME: "/home/pyodide" },
      createPyodideModule: async (/** @type {Settings} */ settings) => {
        instantiateFrom(settings, code, reject);
        prepare(settings, reject);
        const module = await create(settings);
        await begin(module);
        return module;
      },
      ...options,
    }).then(resolve, reject);
  });
}

/** @param {Source} source @returns {Promise<[string, WebAssembly.Module][]>} NumPy's libraries, compiled side by side */
async function compileLibraries(source) {
  const members = new Map(readTar(await source.bytes(FILE.numpyCode)));
  return Promise.all(
    source.manifest.libraries.map(async (path) => {
      const bytes = members.get(path.slice(SITE_PACKAGES.length + 1));
      if (!bytes) throw new Error(`${FILE.numpyCode} has no ${path}`);
      return /** @type {[string, WebAssembly.Module]} */ ([
        path,
        await WebAssembly.compile(/** @type {BufferSource} */ (bytes)),
      ]);
    }),
  );
}

/** What a copy of a recorded memory must not share with every other copy: its state of chance. */
const FRESH_CHANCE = "import random, numpy; random.seed(); numpy.random.seed()";

/** @param {Source} source @returns {Promise<Python>} */
export async function quickStart(source) {
  const image = source.bytes(FILE.image);
  const libraries = compileLibraries(source);
  libraries.catch(() => {}); // awaited later; until then a failure must not count as unhandled
  const python = await load(
    source,
    { _loadSnapshot: new Uint8Array(16) },
    (settings, onError) => placeBeforePython(settings, libraries, onError),
    async (module) => useImage(module, source.manifest.image, await image),
  );
  python.runPython(FRESH_CHANCE);
  return python;
}

/** @param {Source} source @param {() => void} onNumpy called when NumPy's turn comes @returns {Promise<Python>} */
export async function plainStart(source, onNumpy) {
  const python = await load(source, {}, () => {});
  onNumpy();
  await source.bytes(source.manifest.wheel);
  await python.loadPackage(["numpy"], { messageCallback: () => {}, checkIntegrity: false });
  python.runPython("import numpy");
  return python;
}

/** @param {Python} python @param {Uint8Array} tar */
export function unpack(python, tar) {
  const made = new Set();
  for (const [name, bytes] of readTar(tar)) {
    const path = `${SITE_PACKAGES}/${name}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(folder)) python.FS.mkdirTree(folder);
    made.add(folder);
    python.FS.writeFile(path, bytes);
  }
}

/**
 * The one function of the core that the page calls: text in, text out, so that no object crosses.
 * @param {Python} python @returns {(text: string) => string}
 */
export function openBridge(python) {
  return python.runPython(
    "import importlib; importlib.invalidate_caches()\nfrom policygrad.bridge import handle\nhandle",
  );
}

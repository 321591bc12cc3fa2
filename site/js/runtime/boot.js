/** Boots Python in a worker: the quick way, else the plain way, with every stage told and timed. */
import { fetchManifest, RuntimeFileError, RuntimeFiles } from "./files.js";
import { FILE } from "./manifest.js";
import { QUICK_FILES, stageInWords } from "./stages.js";
import { openBridge, plainStart, quickStart, unpack } from "./start.js";

/** @typedef {import("./manifest.js").Manifest} Manifest */
/** @typedef {import("./stages.js").StageName} StageName */
/** @typedef {import("./start.js").Python} Python */
/** @typedef {import("./start.js").Source} Source */
/** @typedef {Record<string, number>} Timings */

/**
 * @typedef {object} Booted
 * @property {(text: string) => string} answer one request of the bridge, JSON text both ways
 * @property {"quick" | "plain"} way
 * @property {Timings} timings
 * @property {() => Promise<void>} complete brings the sources that no answer waits for: the image holds what is imported
 */

/** The files of a folder on the network, each fetched once and shared by both ways. @implements {Source} */
export class NetworkSource {
  /** @param {RuntimeFiles} files */
  constructor(files) {
    this.files = files;
    this.manifest = files.manifest;
    this.base = files.base;
    /** @type {Map<string, Promise<any>>} */
    this.known = new Map();
  }

  /** @template T @param {string} key @param {() => Promise<T>} make @returns {Promise<T>} */
  once(key, make) {
    let value = this.known.get(key);
    if (!value) {
      value = make();
      value.catch(() => {});
      this.known.set(key, value);
    }
    return value;
  }

  /** @param {string} file */
  bytes(file) {
    return this.once(file, () => this.files.bytes(file));
  }

  /** @param {string} file */
  wasm(file) {
    return this.once(file, () => this.files.wasm(file));
  }

  /** Imported from the verified bytes: some hosts call `.mjs` files plain data. @param {string} file */
  module(file) {
    return this.once(`module ${file}`, async () => {
      const blob = new Blob([/** @type {BlobPart} */ (await this.bytes(file))], { type: "text/javascript" });
      const url = URL.createObjectURL(blob);
      try {
        return await import(/* @vite-ignore */ url);
      } finally {
        URL.revokeObjectURL(url);
      }
    });
  }
}

/**
 * Pyodide fetches its files by address. In this worker those requests are answered with what is already on its way.
 * @template T @param {NetworkSource} source @param {() => Promise<T>} body @returns {Promise<T>}
 */
export async function answeringPyodide(source, body) {
  const network = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    const file = url.startsWith(source.base) ? url.slice(source.base.length) : "";
    if (!Object.hasOwn(source.manifest.files, file)) return network(input, init);
    // The WebAssembly code is handed over compiled; this request of Pyodide's loader leads nowhere.
    if (file === FILE.python) return new Response();
    return new Response(/** @type {BodyInit} */ (await source.bytes(file)));
  };
  try {
    return await body();
  } finally {
    globalThis.fetch = network;
  }
}

/** @param {Source} source */
function fetchAll(source) {
  for (const file of QUICK_FILES) {
    if (file === FILE.python) source.wasm(file).catch(() => {});
    else if (file.endsWith(".mjs")) source.module(file).catch(() => {});
    else source.bytes(file).catch(() => {});
  }
}

/**
 * @param {string} base absolute URL of the runtime folder, ending in a slash
 * @param {(name: StageName, text: string) => void} onStage
 * @returns {Promise<Booted>}
 * @throws {RuntimeFileError} naming a runtime file that is missing, altered or blocked
 */
export async function boot(base, onStage) {
  /** @type {Timings} */
  const timings = {};
  const note = (/** @type {string} */ step) => {
    timings[step] = Math.round(performance.now() * 10) / 10;
  };
  note("begin");
  onStage("runtime", stageInWords("runtime"));
  const manifest = await fetchManifest(base);
  note("manifest");
  const stage = (/** @type {StageName} */ name) => onStage(name, stageInWords(name, manifest));
  const source = new NetworkSource(new RuntimeFiles(base, manifest));
  stage("python");
  fetchAll(source);
  source
    .wasm(FILE.python)
    .then(() => stage("start"))
    .catch(() => {});

  /** @type {Booted["way"]} */
  let way = "quick";
  const python = await answeringPyodide(source, () =>
    quickStart(source).catch((error) => {
      if (error instanceof RuntimeFileError) throw error;
      console.info("The quick start does not work here; the plain one follows.", error);
      way = "plain";
      stage("plain");
      return plainStart(source, () => stage("numpy"));
    }),
  );
  note("python");
  stage("core");
  if (way === "plain") unpack(python, await source.bytes(FILE.core));
  const answer = openBridge(python);
  note("core");
  const complete = async () => {
    if (way === "plain") return;
    for (const file of [FILE.core, FILE.numpySources]) unpack(python, await source.bytes(file));
    note("complete");
  };
  return { answer, way, timings, complete };
}

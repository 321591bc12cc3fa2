/** Boots Python in a worker: the quick way, else the plain way, with every stage told and timed. */
import { RuntimeFileError } from "./arrival.js";
import { fetchManifest, NetworkSource } from "./files.js";
import { FILE } from "./manifest.js";
import { checkNeeds } from "./needs.js";
import { QUICK_FILES, stageInWords } from "./stages.js";
import { openBridge, plainStart, quickStart, unpack } from "./start.js";

/** @typedef {import("./stages.js").StageName} StageName */
/** @typedef {import("./start.js").Python} Python */
/** @typedef {import("./start.js").Source} Source */
/** @typedef {import("./protocol.js").Timings} Timings */

/**
 * @typedef {object} Booted
 * @property {(text: string) => string} answer one request of the bridge, JSON text both ways
 * @property {"quick" | "plain"} way
 * @property {Timings} timings
 * @property {() => Promise<void>} complete brings the sources that the first answer does not wait for
 */

/**
 * Pyodide fetches its files by address. In this worker those requests are answered with what is already on its way.
 * @template T @param {Source} source @param {() => Promise<T>} body @returns {Promise<T>}
 */
export async function answeringPyodide(source, body) {
  const network = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    const file = url.startsWith(source.base) ? url.slice(source.base.length) : "";
    if (!Object.hasOwn(source.manifest.files, file)) return network(input, init);
    // The WebAssembly code is handed over compiled; this request of Pyodide's loader leads nowhere.
    if (file === FILE.python) return new Response();
    // Whoever started it hears of a file that cannot be used; Pyodide would only log it, and go on without.
    const bytes = await source.bytes(file).catch(() => new Promise(() => {}));
    return new Response(/** @type {BodyInit} */ (bytes));
  };
  try {
    return await body();
  } finally {
    globalThis.fetch = network;
  }
}

/** Asks for everything at once; who needs a file later finds it on its way. @param {Source} source */
function fetchAll(source) {
  for (const file of QUICK_FILES) {
    if (file === FILE.python) source.wasm(file);
    else if (file.endsWith(".mjs")) source.module(file);
    else source.bytes(file);
  }
}

/**
 * @param {Source} source
 * @param {(name: StageName) => void} stage
 * @returns {Promise<Pick<Booted, "answer" | "way"> & { python: Python }>}
 */
async function start(source, stage) {
  try {
    const python = await quickStart(source);
    stage("core");
    const answer = openBridge(python);
    await source.verified();
    return { python, way: "quick", answer };
  } catch (error) {
    // A file that cannot be used explains whatever went wrong after it.
    await source.verified();
    if (error instanceof RuntimeFileError) throw error;
    // The image rests on experimental interfaces, so the documented start stays as the way back.
    console.info("Python’s memory image does not fit this browser; starting the plain way.", error);
    stage("plain");
    const python = await plainStart(source, () => stage("numpy"));
    stage("core");
    unpack(python, await source.bytes(FILE.core));
    return { python, way: "plain", answer: openBridge(python) };
  }
}

/** What no answer has waited for: NumPy's other modules, and the lines that a traceback shows. @param {Source} source @param {Python} python */
async function unpackSources(source, python) {
  for (const file of [FILE.core, FILE.numpySources]) unpack(python, await source.bytes(file));
  python.runPython("import importlib; importlib.invalidate_caches()");
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
  checkNeeds();
  onStage("runtime", stageInWords("runtime"));
  const manifest = await fetchManifest(base);
  note("manifest");
  const stage = (/** @type {StageName} */ name) => {
    note(name);
    onStage(name, stageInWords(name, manifest));
  };
  const source = new NetworkSource(base, manifest);
  stage("python");
  fetchAll(source);
  source.wasm(FILE.python).then(
    () => stage("start"),
    () => {},
  );
  const { python, way, answer } = await answeringPyodide(source, () => start(source, stage));
  note("answering");
  /** @type {Promise<void> | undefined} */
  let completed;
  const complete = () => {
    completed ??= way === "plain" ? Promise.resolve() : unpackSources(source, python);
    return completed;
  };
  return { answer, way, timings, complete };
}

/** An answer that only says that a module is not there yet. */
const MODULE_MISSING = '"ok": false, "error": {"type": "ModuleNotFoundError"';

/**
 * The image holds what the core imports; what NumPy imports on first use may still be on its way.
 * @param {Pick<Booted, "answer" | "complete">} python @param {string} text @returns {Promise<string>}
 */
export async function ask(python, text) {
  const reply = python.answer(text);
  if (!reply.includes(MODULE_MISSING)) return reply;
  await python.complete();
  return python.answer(text);
}

/** The stages of Python's start, in the words that a reader sees. Sizes are what is fetched, from the manifest. */
import { FILE, totalSize } from "./manifest.js";

/** @typedef {import("./manifest.js").Manifest} Manifest */
/** @typedef {"runtime" | "python" | "start" | "core" | "plain" | "numpy"} StageName */

/** What each way fetches before the first answer. */
export const QUICK_FILES = [
  FILE.loader,
  FILE.engine,
  FILE.python,
  FILE.library,
  FILE.packages,
  FILE.image,
  FILE.numpyCode,
];

/** @param {number} bytes @returns {string} such as "9.6 MB" or "74 KB" */
export function sizeInWords(bytes) {
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1e3))} KB`;
}

/**
 * @param {StageName} name
 * @param {Manifest} [manifest] needed for the stages that name a size
 * @returns {string}
 */
export function stageInWords(name, manifest) {
  /** @param {string[]} files */
  const size = (files) => (manifest ? `, ${sizeInWords(totalSize(manifest, files))}` : "");
  switch (name) {
    case "runtime":
      return "Looking up the runtime files";
    case "python":
      return `Loading Python and NumPy${size(QUICK_FILES)}`;
    case "start":
      return "Starting Python";
    case "core":
      return "Reading the lesson’s functions";
    case "plain":
      return `Starting Python the slower way${size([FILE.python])}`;
    case "numpy":
      return `Loading NumPy${manifest ? size([manifest.wheel]) : ""}`;
  }
}

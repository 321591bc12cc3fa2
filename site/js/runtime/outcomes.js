/** What can become of Python and of a request to it. */

/** @typedef {"boot" | "crash" | "blocked"} FailureKind a file or step of the boot, a worker that kept dying, a browser that lets no worker start */
/** @typedef {{ kind: FailureKind, message: string, detail: string, file: string }} Failure */
/**
 * @typedef {object} RuntimeStatus
 * @property {"static" | "starting" | "ready" | "failed"} state
 * @property {string} stage what the boot is doing, in words
 * @property {number} restarts how often the worker was replaced without being asked
 * @property {Failure | null} failure
 */

/** Python answered, and the answer is an error of the request. */
export class PythonError extends Error {
  /** @param {string} type the Python exception @param {string} message */
  constructor(type, message) {
    super(message);
    this.name = type;
  }
}

/** Python did not answer and will not. */
export class PythonUnavailable extends Error {}

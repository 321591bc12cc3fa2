/**
 * Plain progress lines on standard error, so that standard output stays free for what a tool prints as its result.
 */

/** An error that a person can act on: shown without a stack. */
export class SetUpError extends Error {
  /** @param {string} what happened @param {string} [remedy] what to do now */
  constructor(what, remedy) {
    super(remedy ? `${what}\n  ${remedy.replaceAll("\n", "\n  ")}` : what);
    this.name = "SetUpError";
  }
}

/** @param {string} topic @param {string} text */
export function say(topic, text) {
  process.stderr.write(`${topic.padEnd(10)} ${text}\n`);
}

/** @param {number} bytes @returns {string} such as "9.6 MB" */
export function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** @param {number} from a `performance.now()` @returns {string} such as "3.2 s" */
export function since(from) {
  return `${((performance.now() - from) / 1000).toFixed(1)} s`;
}

/**
 * Runs a command's body; a `SetUpError` is told in words, anything else with its stack. The exit code is 1 for both.
 * @param {() => Promise<number | void>} body
 */
export async function runMain(body) {
  try {
    process.exitCode = (await body()) ?? 0;
  } catch (error) {
    const plain = error instanceof SetUpError ? error.message : error instanceof Error ? error.stack : error;
    process.stderr.write(`\nerror: ${plain}\n`);
    process.exitCode = 1;
  }
}

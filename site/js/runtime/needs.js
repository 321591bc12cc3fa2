/** What a browser must have for Python to start in it; said by name where it is missing. */

/** Each with what it is for. Anything else that is missing has a way round it. */
const NEEDS = {
  WebAssembly: "in which Python runs",
  DecompressionStream: "with which the page unpacks Python",
};

/** Its message is for the reader. */
export class MissingFeatureError extends Error {}

/** @param {Record<string, unknown>} [scope] the worker's globals @throws {MissingFeatureError} naming what is missing */
export function checkNeeds(scope = /** @type {any} */ (globalThis)) {
  for (const [name, purpose] of Object.entries(NEEDS)) {
    if (scope[name] === undefined) throw new MissingFeatureError(`This browser has no ${name}, ${purpose}.`);
  }
}

/**
 * Requests that wait for Python. A keyed request (a widget's position) waits alone: a newer one with the same key takes
 * its place in the line, and the older one is answered with SUPERSEDED. Requests without a key all get their turn.
 */

/** The answer to a request that a newer one replaced. @type {unique symbol} */
export const SUPERSEDED = Symbol("superseded");

/** @typedef {{ kind: "view", view: string, params: Record<string, number> } | { kind: "call", call: string, args: Record<string, unknown> }} BridgeRequest */
/**
 * @typedef {object} Waiting
 * @property {string | symbol} key
 * @property {BridgeRequest} request
 * @property {(result: any) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {number} strikes how often a worker died or fell silent over this request
 */

export function createRequestQueue() {
  /** In order of their turn: a Map keeps a key's place when its value is replaced. @type {Map<string | symbol, Waiting>} */
  let waiting = new Map();

  return {
    get size() {
      return waiting.size;
    },
    /** @param {Waiting} entry */
    add(entry) {
      waiting.get(entry.key)?.resolve(SUPERSEDED);
      waiting.set(entry.key, entry);
    },
    /** @returns {Waiting | undefined} */
    take() {
      const [first] = waiting.values();
      if (first) waiting.delete(first.key);
      return first;
    },
    /** Back to the head of the line, unless a newer one with its key waits already. @param {Waiting} entry */
    putBack(entry) {
      if (waiting.has(entry.key)) entry.resolve(SUPERSEDED);
      else waiting = new Map([[entry.key, entry], ...waiting]);
    },
    /** @param {Error} error */
    rejectAll(error) {
      const entries = [...waiting.values()];
      waiting.clear();
      for (const entry of entries) entry.reject(error);
    },
  };
}

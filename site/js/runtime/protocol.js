/**
 * What the page and its Python worker say to each other. Every message is a plain object, and the mathematics inside
 * travels as JSON text, so no object of one side ever lives on the other.
 *
 * page → worker   {type: "boot", config: {runtime}}        once, first
 *                 {type: "request", seq, text}             text is one request of `policygrad.bridge`
 * worker → page   {type: "stage", name, text}              the boot is here now, in words
 *                 {type: "ready", timings}                 once; requests are answered from here on
 *                 {type: "failed", message, detail, file?} instead of "ready", or after it when Python itself broke; nothing follows
 *                 {type: "reply", seq, text}               exactly one for each request after "ready"
 *
 * A request that arrives before "ready" waits inside the worker and is answered after it, in order. A request that
 * fails is still a reply (`{"id", "ok": false, "error"}`): only a worker that does not answer at all is replaced.
 */

/** @typedef {{ runtime: string }} BootConfig absolute URL of the runtime folder, ending in a slash */
/** @typedef {Record<string, number>} Timings milliseconds since the worker began, for each boot step that ended */

/** @typedef {{ type: "boot", config: BootConfig }} BootMessage */
/** @typedef {{ type: "request", seq: number, text: string }} RequestMessage */
/** @typedef {BootMessage | RequestMessage} PageMessage */

/** @typedef {{ type: "stage", name: string, text: string }} StageMessage */
/** @typedef {{ type: "ready", timings: Timings, way: "quick" | "plain" }} ReadyMessage */
/** @typedef {{ type: "failed", message: string, detail: string, file?: string }} FailedMessage */
/** @typedef {{ type: "reply", seq: number, text: string }} ReplyMessage */
/** @typedef {StageMessage | ReadyMessage | FailedMessage | ReplyMessage} WorkerMessage */

/** Message types, so that a typing slip is an `undefined` that the type check finds. */
export const TYPE = Object.freeze({
  boot: /** @type {const} */ ("boot"),
  request: /** @type {const} */ ("request"),
  stage: /** @type {const} */ ("stage"),
  ready: /** @type {const} */ ("ready"),
  failed: /** @type {const} */ ("failed"),
  reply: /** @type {const} */ ("reply"),
});

/** @param {BootConfig} config @returns {BootMessage} */
export function bootMessage(config) {
  return { type: TYPE.boot, config };
}

/** @param {number} seq @param {string} text @returns {RequestMessage} */
export function requestMessage(seq, text) {
  return { type: TYPE.request, seq, text };
}

/** @param {string} name @param {string} text @returns {StageMessage} */
export function stageMessage(name, text) {
  return { type: TYPE.stage, name, text };
}

/** @param {Timings} timings @param {"quick" | "plain"} way @returns {ReadyMessage} */
export function readyMessage(timings, way) {
  return { type: TYPE.ready, timings, way };
}

/**
 * @param {string} message what happened, for the reader
 * @param {string} detail for the `<details>`: the error as the engine gave it
 * @param {string} [file] the runtime file at fault, when there is one
 * @returns {FailedMessage}
 */
export function failedMessage(message, detail, file) {
  return file === undefined
    ? { type: TYPE.failed, message, detail }
    : { type: TYPE.failed, message, detail, file };
}

/** @param {number} seq @param {string} text @returns {ReplyMessage} */
export function replyMessage(seq, text) {
  return { type: TYPE.reply, seq, text };
}

/** @param {unknown} data @returns {data is Record<string, unknown>} */
function isRecord(data) {
  return typeof data === "object" && data !== null;
}

/**
 * True for a message that the page may act on; anything else that arrives (an extension's, a broken worker's) is ignored.
 * @param {unknown} data @returns {data is WorkerMessage}
 */
export function isWorkerMessage(data) {
  if (!isRecord(data)) return false;
  switch (data.type) {
    case TYPE.stage:
      return typeof data.name === "string" && typeof data.text === "string";
    case TYPE.ready:
      return isRecord(data.timings);
    case TYPE.failed:
      return typeof data.message === "string" && typeof data.detail === "string";
    case TYPE.reply:
      return typeof data.seq === "number" && typeof data.text === "string";
    default:
      return false;
  }
}

/** True for a message that the worker may act on. @param {unknown} data @returns {data is PageMessage} */
export function isPageMessage(data) {
  if (!isRecord(data)) return false;
  if (data.type === TYPE.boot) return isRecord(data.config) && typeof data.config.runtime === "string";
  return data.type === TYPE.request && typeof data.seq === "number" && typeof data.text === "string";
}

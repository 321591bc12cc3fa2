/** Workers that misbehave on demand, and a runtime that uses them. */

import { createRuntime } from "../../../site/js/runtime/client.js";
import { readyMessage, replyMessage, stageMessage } from "../../../site/js/runtime/protocol.js";

/** @typedef {import("../../../site/js/runtime/protocol.js").PageMessage} PageMessage */
/** @typedef {import("../../../site/js/runtime/outcomes.js").RuntimeStatus} RuntimeStatus */

export class FakeWorker {
  /** @type {PageMessage[]} */
  received = [];
  terminated = false;
  /** @type {((this: Worker, event: MessageEvent) => any) | null} */
  onmessage = null;
  /** @type {((this: AbstractWorker, event: ErrorEvent) => any) | null} */
  onerror = null;
  /** @type {((this: Worker, event: MessageEvent) => any) | null} */
  onmessageerror = null;

  /** @param {PageMessage} message */
  postMessage(message) {
    this.received.push(structuredClone(message));
  }

  terminate() {
    this.terminated = true;
  }

  /** The worker says something. @param {unknown} data */
  say(data) {
    this.onmessage?.call(/** @type {any} */ (this), /** @type {MessageEvent} */ ({ data }));
  }

  die(message = "out of memory") {
    this.onerror?.call(/** @type {any} */ (this), /** @type {ErrorEvent} */ ({ message }));
  }

  getReady() {
    this.say(stageMessage("python", "Starting Python"));
    this.say(readyMessage({}, "plain"));
  }

  get requests() {
    return this.received.flatMap((message) =>
      message.type === "request" ? [{ seq: message.seq, ...JSON.parse(message.text) }] : [],
    );
  }

  /** Answer the newest request, or an older one. @param {unknown} result @param {number} [seq] */
  reply(result, seq = this.requests.at(-1)?.seq) {
    this.say(replyMessage(seq, JSON.stringify({ id: seq, ok: true, result })));
  }
}

/** A runtime, every worker that it made, and every status that it reported. */
export function runtimeUnderTest() {
  /** @type {FakeWorker[]} */
  const workers = [];
  /** @type {RuntimeStatus[]} */
  const reports = [];
  class Recorded extends FakeWorker {
    constructor() {
      super();
      workers.push(this);
    }
  }
  const runtime = createRuntime({
    workerUrl: "worker.js",
    config: { runtime: "http://localhost/runtime/" },
    onStatus: (status) => reports.push(status),
    Worker: Recorded,
  });
  return { runtime, workers, reports, newest: () => /** @type {FakeWorker} */ (workers.at(-1)) };
}

/** @param {number} ratio @returns {import("../../../site/js/runtime/client.js").BridgeRequest} */
export function position(ratio) {
  return { kind: "view", view: "ppo-clip", params: { ratio } };
}

/**
 * The page's side of Python: one worker, one request in it at a time. All others wait here, where a newer one can
 * replace them, so nothing ever queues up behind a fast hand. A worker that dies or falls silent is replaced a few
 * times by itself; every promise settles.
 */

import { PythonError, PythonUnavailable } from "./outcomes.js";
import { bootMessage, isWorkerMessage, requestMessage, TYPE } from "./protocol.js";
import { createRequestQueue, SUPERSEDED } from "./request-queue.js";

export { SUPERSEDED };

/** @typedef {import("./request-queue.js").BridgeRequest} BridgeRequest */
/** @typedef {import("./request-queue.js").Waiting} Waiting */
/** @typedef {import("./outcomes.js").Failure} Failure */
/** @typedef {import("./outcomes.js").RuntimeStatus} RuntimeStatus */
/** The part of Worker that is used; tests bring their own. @typedef {Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror" | "onmessageerror">} WorkerLike */
/** @typedef {ReturnType<typeof createRuntime>} Runtime */

// Eight ticks of a second instead of one wait of eight: a sleeping laptop or a page in the back/forward cache stops the
// clock of worker and page together, and then costs one tick, not the worker.
const TICK = 1000;
const PATIENCE = 8;
const MOST_RESTARTS = 3;
const CALM_AFTER = 50; // answers in a row after which earlier crashes are forgotten
const MOST_STRIKES = 2; // a request that two workers did not survive is given up

/**
 * @param {object} options
 * @param {string} options.workerUrl
 * @param {import("./protocol.js").BootConfig} options.config
 * @param {(status: RuntimeStatus) => void} [options.onStatus]
 * @param {new (url: string, options: WorkerOptions) => WorkerLike} [options.Worker]
 */
export function createRuntime({ workerUrl, config, onStatus = () => {}, Worker = globalThis.Worker }) {
  const queue = createRequestQueue();
  /** @type {RuntimeStatus} */
  let status = { state: "static", stage: "", restarts: 0, failure: null };
  /** @type {WorkerLike | null} */
  let worker = null;
  /** @type {(Waiting & { seq: number }) | null} */
  let running = null;
  let lastSeq = 0;
  let answersInRow = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let watch;

  /** @param {Partial<RuntimeStatus>} change */
  function report(change) {
    status = { ...status, ...change };
    onStatus(status);
  }

  function boot() {
    report({ state: "starting", stage: "", failure: null });
    try {
      const mine = new Worker(workerUrl, { type: "module" });
      worker = mine;
      // A replaced worker may still speak; only the present one is heard.
      mine.onmessage = (event) => mine === worker && hear(event.data);
      mine.onerror = (event) => {
        event.preventDefault?.();
        if (mine === worker) lose(event.message || "The worker stopped without a message.");
      };
      mine.onmessageerror = () => mine === worker && lose("A message of the worker could not be read.");
      mine.postMessage(bootMessage(config));
    } catch (error) {
      fail({
        kind: "blocked",
        message: "The browser did not let Python start.",
        detail: String(error),
        file: "",
      });
    }
  }

  /** @param {unknown} message */
  function hear(message) {
    if (!isWorkerMessage(message)) return;
    if (message.type === TYPE.stage) {
      if (status.state === "starting") report({ stage: message.text });
    } else if (message.type === TYPE.ready) {
      if (status.state !== "starting") return;
      report({ state: "ready", stage: "" });
      sendNext();
    } else if (message.type === TYPE.failed) {
      if (status.state === "ready") lose(`${message.message}\n${message.detail}`);
      else fail({ kind: "boot", message: message.message, detail: message.detail, file: message.file ?? "" });
    } else if (running && message.seq === running.seq) {
      answer(running, message.text);
    }
  }

  /** @param {Waiting} entry @param {string} text */
  function answer(entry, text) {
    clearTimeout(watch);
    running = null;
    answersInRow += 1;
    if (answersInRow >= CALM_AFTER && status.restarts > 0) report({ restarts: 0 });
    try {
      const reply = JSON.parse(text);
      if (reply.ok === true) entry.resolve(reply.result);
      else entry.reject(new PythonError(String(reply.error.type), String(reply.error.message)));
    } catch {
      entry.reject(new PythonError("ReplyError", "Python's answer could not be read."));
    }
    sendNext();
  }

  function sendNext() {
    while (status.state === "ready" && worker && !running) {
      const entry = queue.take();
      if (!entry) return;
      lastSeq += 1;
      try {
        worker.postMessage(requestMessage(lastSeq, JSON.stringify({ id: lastSeq, ...entry.request })));
      } catch (error) {
        entry.reject(error instanceof Error ? error : new Error(String(error)));
        continue;
      }
      running = { ...entry, seq: lastSeq };
      watchFor(PATIENCE);
    }
  }

  /** @param {number} ticks */
  function watchFor(ticks) {
    if (ticks === 0) lose(`Python did not answer within ${PATIENCE} seconds.`);
    else watch = setTimeout(watchFor, TICK, ticks - 1);
  }

  /** End the worker; what it was working on goes back into the line. */
  function endWorker() {
    clearTimeout(watch);
    worker?.terminate();
    worker = null;
    answersInRow = 0;
    const lost = running;
    running = null;
    return lost;
  }

  /** The worker died, fell silent or gave up. @param {string} detail */
  function lose(detail) {
    const wasReady = status.state === "ready";
    const lost = endWorker();
    if (lost) {
      if (lost.strikes + 1 < MOST_STRIKES) queue.putBack({ ...lost, strikes: lost.strikes + 1 });
      else lost.reject(new PythonUnavailable("Python stopped twice over this request."));
    }
    if (wasReady && status.restarts < MOST_RESTARTS) {
      report({ restarts: status.restarts + 1 });
      boot();
      return;
    }
    const message = wasReady ? "Python stopped several times." : "Python stopped while it was starting.";
    fail({ kind: wasReady ? "crash" : "boot", message, detail, file: "" });
  }

  /** @param {Failure} failure */
  function fail(failure) {
    endWorker()?.reject(new PythonUnavailable(failure.message));
    report({ state: "failed", stage: "", failure });
    queue.rejectAll(new PythonUnavailable(failure.message));
  }

  /** @param {string | symbol} key @param {BridgeRequest} request @returns {Promise<any>} */
  function ask(key, request) {
    if (status.failure) return Promise.reject(new PythonUnavailable(status.failure.message));
    return new Promise((resolve, reject) => {
      queue.add({ key, request, resolve, reject, strikes: 0 });
      sendNext();
    });
  }

  return {
    get status() {
      return status;
    },
    /** Begin to load Python; again and again does no harm. */
    start() {
      if (status.state === "static") boot();
    },
    /** Newest wins: a request that a newer one with this key replaced is answered with SUPERSEDED. @param {string} key @param {BridgeRequest} request */
    latest: (key, request) => ask(key, request),
    /** Answered in its turn, whatever else is asked. @param {BridgeRequest} request */
    call: (request) => ask(Symbol("call"), request),
    /** A fresh worker, because the reader asked for one. */
    restart() {
      const lost = endWorker();
      if (lost) queue.putBack(lost);
      report({ restarts: 0 });
      boot();
    },
  };
}

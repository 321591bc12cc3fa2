/** Python's worker: boots once, then answers each request with one reply. See `protocol.js`. */
import { RuntimeFileError } from "./arrival.js";
import { ask, boot } from "./boot.js";
import { MissingFeatureError } from "./needs.js";
import { failedMessage, isPageMessage, readyMessage, replyMessage, stageMessage, TYPE } from "./protocol.js";

/** @typedef {import("./protocol.js").RequestMessage} RequestMessage */
/** @typedef {import("./boot.js").Booted} Booted */

/** @param {import("./protocol.js").WorkerMessage} message */
const post = (message) => self.postMessage(message);

/** @type {Promise<Booted> | undefined} */
let booted;

/** @param {unknown} error */
const detailOf = (error) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

/** @param {unknown} error */
function tellFailure(error) {
  if (error instanceof RuntimeFileError) {
    const cause = error.cause ? `\n${detailOf(error.cause)}` : "";
    post(
      failedMessage(`A runtime file cannot be used: ${error.message}.`, detailOf(error) + cause, error.file),
    );
  } else {
    const message =
      error instanceof MissingFeatureError ? error.message : "Its start ended with an error in this browser.";
    post(failedMessage(message, detailOf(error)));
  }
}

/** @param {string} runtime */
function start(runtime) {
  booted = boot(runtime, (name, text) => post(stageMessage(name, text)));
  booted.then(
    ({ timings, way, complete }) => {
      post(readyMessage(timings, way));
      // After the answers to whatever waits.
      setTimeout(() =>
        complete().catch((error) => console.info("NumPy’s other modules did not arrive.", error)),
      );
    },
    (error) => tellFailure(error),
  );
}

/** @param {Error} error @returns {string} a reply of the bridge's form */
function errorReply(error) {
  const last = error.message.trim().split("\n").at(-1);
  return JSON.stringify({ id: null, ok: false, error: { type: error.name, message: last } });
}

/** @param {RequestMessage} request */
async function answer({ seq, text }) {
  const python = await booted?.catch(() => undefined);
  if (!python) return;
  try {
    post(replyMessage(seq, await ask(python, text)));
  } catch (error) {
    // The bridge turns every mistake into an answer. A Python error that still gets here, or a file that only this
    // request needs, belongs to this request; anything else (memory ran out, the engine stopped) means that this
    // Python will not answer again.
    const isOfRequest =
      error instanceof RuntimeFileError || (error instanceof Error && error.name === "PythonError");
    post(
      isOfRequest ? replyMessage(seq, errorReply(error)) : failedMessage("Python stopped.", detailOf(error)),
    );
  }
}

self.addEventListener("message", ({ data }) => {
  if (!isPageMessage(data)) return;
  if (data.type === TYPE.boot) {
    if (!booted) start(data.config.runtime);
  } else {
    answer(data);
  }
});

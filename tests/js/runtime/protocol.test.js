import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bootMessage,
  failedMessage,
  isPageMessage,
  isWorkerMessage,
  readyMessage,
  replyMessage,
  requestMessage,
  stageMessage,
} from "../../../site/js/runtime/protocol.js";

test("every message that one side makes, the other side takes, also after structured cloning", () => {
  const fromWorker = [
    stageMessage("python", "Loading Python"),
    readyMessage({ begin: 1 }, "quick"),
    failedMessage("Python stopped.", "RangeError"),
    failedMessage("A file is missing.", "status 404", "image.bin.gz"),
    replyMessage(3, "{}"),
  ];
  for (const message of fromWorker) assert.ok(isWorkerMessage(structuredClone(message)), message.type);
  const fromPage = [bootMessage({ runtime: "http://x/runtime/" }), requestMessage(3, "{}")];
  for (const message of fromPage) assert.ok(isPageMessage(structuredClone(message)), message.type);
});

test("a side does not take its own messages, or anything half-made", () => {
  const foreign = [
    null,
    undefined,
    7,
    "ready",
    [],
    {},
    { type: "reply" },
    { type: "reply", seq: "3", text: "{}" },
  ];
  for (const message of foreign) {
    assert.equal(isWorkerMessage(message), false);
    assert.equal(isPageMessage(message), false);
  }
  assert.equal(isPageMessage(replyMessage(1, "{}")), false);
  assert.equal(isWorkerMessage(requestMessage(1, "{}")), false);
  assert.equal(isPageMessage({ type: "boot", config: {} }), false);
});

test("a failure names the file only when there is one", () => {
  assert.equal("file" in failedMessage("a", "b"), false);
  assert.equal(failedMessage("a", "b", "c").file, "c");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createRuntime, SUPERSEDED } from "../../../site/js/runtime/client.js";
import { PythonError, PythonUnavailable } from "../../../site/js/runtime/outcomes.js";
import { failedMessage, replyMessage, stageMessage } from "../../../site/js/runtime/protocol.js";
import { FakeWorker, position, runtimeUnderTest } from "./fake-worker.js";

test("start makes one worker, tells it where the runtime is, and may be called again", () => {
  const { runtime, workers, reports } = runtimeUnderTest();
  assert.equal(runtime.status.state, "static");
  runtime.start();
  runtime.start();
  assert.equal(workers.length, 1);
  assert.deepEqual(workers[0].received, [{ type: "boot", config: { runtime: "http://localhost/runtime/" } }]);
  workers[0].say(stageMessage("numpy", "Loading NumPy"));
  assert.equal(runtime.status.stage, "Loading NumPy");
  workers[0].getReady();
  assert.deepEqual(
    reports.map(({ state, stage }) => `${state} ${stage}`),
    ["starting ", "starting Loading NumPy", "starting Starting Python", "ready "],
  );
});

test("of many moves before Python is ready only the last one is asked", async () => {
  const { runtime, newest } = runtimeUnderTest();
  runtime.start();
  const answers = [0.1, 0.2, 0.3].map((ratio) => runtime.latest("ppo-clip", position(ratio)));
  const other = runtime.latest("kl", position(9));
  newest().getReady();
  assert.equal(newest().requests.length, 1);
  assert.equal(newest().requests[0].params.ratio, 0.3);
  newest().reply("third");
  newest().reply("other");
  assert.deepEqual(await Promise.all(answers), [SUPERSEDED, SUPERSEDED, "third"]);
  assert.equal(await other, "other");
});

test("while one request runs, newer ones replace the waiting one and nothing queues up", async () => {
  const { runtime, newest } = runtimeUnderTest();
  runtime.start();
  newest().getReady();
  const moves = Array.from({ length: 6000 }, (_, i) => runtime.latest("ppo-clip", position(i)));
  assert.equal(newest().requests.length, 1);
  newest().reply("first");
  assert.equal(newest().requests.length, 2);
  newest().reply("last");
  assert.equal(newest().requests.length, 2);
  const results = await Promise.all(moves);
  assert.equal(results[0], "first");
  assert.equal(results.at(-1), "last");
  assert.equal(newest().requests.at(-1)?.params.ratio, 5999);
  assert.equal(results.filter((result) => result === SUPERSEDED).length, 5998);
});

test("calls are answered in their order and are not superseded", async () => {
  const { runtime, newest } = runtimeUnderTest();
  runtime.start();
  const calls = ["a", "b"].map((call) => runtime.call({ kind: "call", call, args: {} }));
  newest().getReady();
  newest().reply(1);
  newest().reply(2);
  assert.deepEqual(await Promise.all(calls), [1, 2]);
  assert.deepEqual(
    newest().requests.map((request) => [request.kind, request.call, request.id === request.seq]),
    [
      ["call", "a", true],
      ["call", "b", true],
    ],
  );
});

test("an error of Python reaches the asker as its type and message; an unreadable answer is an error too", async () => {
  const { runtime, newest } = runtimeUnderTest();
  runtime.start();
  newest().getReady();
  const wrong = runtime.call({ kind: "call", call: "kl", args: {} });
  newest().say(
    replyMessage(
      1,
      JSON.stringify({ id: 1, ok: false, error: { type: "ValueError", message: "p sums to 2" } }),
    ),
  );
  await assert.rejects(wrong, (error) => error instanceof PythonError && error.message === "p sums to 2");
  for (const [seq, text] of [
    [2, "<html>"],
    [3, "null"],
    [4, "{}"],
  ]) {
    const answer = runtime.call({ kind: "call", call: "kl", args: {} });
    newest().say(replyMessage(Number(seq), String(text)));
    await assert.rejects(answer, PythonError);
  }
});

test("second answers, answers to old requests and strange messages are ignored", async () => {
  const { runtime, newest } = runtimeUnderTest();
  runtime.start();
  newest().getReady();
  const first = runtime.latest("kl", position(1));
  newest().reply("one");
  newest().reply("one again", 1);
  const second = runtime.latest("kl", position(2));
  newest().reply("late answer to the first", 1);
  for (const noise of [null, "text", { type: "reply" }, { type: "other" }, { type: "ready" }])
    newest().say(noise);
  newest().reply("two", 2);
  assert.deepEqual(await Promise.all([first, second]), ["one", "two"]);
});

test("a silent worker is replaced after eight seconds, and the request is asked again", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { runtime, workers, newest } = runtimeUnderTest();
  runtime.start();
  t.mock.timers.tick(60_000);
  assert.equal(workers.length, 1, "the boot has no time limit");
  newest().getReady();
  t.mock.timers.tick(60_000);
  assert.equal(workers.length, 1, "no request, nothing to wait for");
  const running = runtime.latest("kl", position(1));
  const waiting = runtime.latest("ppo-clip", position(2));
  for (let second = 0; second < 7; second += 1) t.mock.timers.tick(1000);
  assert.equal(workers.length, 1);
  t.mock.timers.tick(1000);
  assert.equal(workers.length, 2);
  assert.ok(workers[0].terminated);
  assert.equal(runtime.status.restarts, 1);
  workers[0].reply("from the grave", 1);
  newest().getReady();
  newest().reply("one");
  newest().reply("two");
  assert.deepEqual(await Promise.all([running, waiting]), ["one", "two"]);
});

test("a request that two workers do not survive is given up; others go on", async () => {
  const { runtime, newest } = runtimeUnderTest();
  runtime.start();
  newest().getReady();
  const poison = runtime.call({ kind: "call", call: "loop", args: {} });
  const fine = runtime.call({ kind: "call", call: "fine", args: {} });
  newest().die();
  newest().getReady();
  newest().die();
  await assert.rejects(poison, PythonUnavailable);
  newest().getReady();
  newest().reply("fine");
  assert.equal(await fine, "fine");
});

test("a position that is already replaced is not asked again after a crash", async () => {
  const { runtime, newest } = runtimeUnderTest();
  runtime.start();
  newest().getReady();
  const old = runtime.latest("kl", position(1));
  const young = runtime.latest("kl", position(2));
  newest().die();
  newest().getReady();
  newest().reply("young");
  assert.deepEqual(await Promise.all([old, young]), [SUPERSEDED, "young"]);
  assert.equal(newest().requests.length, 1);
});

test("after three restarts the runtime fails, everything settles, and the reader can restart", async () => {
  const { runtime, workers, newest } = runtimeUnderTest();
  runtime.start();
  for (let crash = 0; crash < 4; crash += 1) {
    newest().getReady();
    newest().die(`crash ${crash}`);
  }
  assert.equal(runtime.status.state, "failed");
  assert.equal(runtime.status.failure?.kind, "crash");
  assert.equal(runtime.status.failure?.detail, "crash 3");
  assert.equal(workers.length, 4);
  assert.ok(workers.every((worker) => worker.terminated));
  await assert.rejects(runtime.latest("kl", position(1)), PythonUnavailable);
  runtime.start();
  assert.equal(workers.length, 4, "start does not undo a failure");
  runtime.restart();
  const answer = runtime.latest("kl", position(2));
  newest().getReady();
  newest().reply("back");
  assert.equal(await answer, "back");
  assert.deepEqual([runtime.status.state, runtime.status.restarts], ["ready", 0]);
});

test("crashes are forgotten after fifty answers in a row", async () => {
  const { runtime, newest } = runtimeUnderTest();
  runtime.start();
  newest().getReady();
  newest().die();
  newest().getReady();
  for (let i = 0; i < 50; i += 1) {
    const answer = runtime.latest("kl", position(i));
    newest().reply(i);
    await answer;
  }
  assert.equal(runtime.status.restarts, 0);
});

test("a boot that fails names the file and rejects what waits; it is not tried again by itself", async () => {
  const { runtime, workers, newest } = runtimeUnderTest();
  runtime.start();
  const early = runtime.latest("kl", position(1));
  newest().say(failedMessage("A file of the runtime has changed.", "sha256 differs", "numpy.whl"));
  await assert.rejects(early, PythonUnavailable);
  assert.equal(workers.length, 1);
  assert.deepEqual(runtime.status.failure, {
    kind: "boot",
    message: "A file of the runtime has changed.",
    detail: "sha256 differs",
    file: "numpy.whl",
  });
});

test("a worker that dies while it starts is a failed boot", () => {
  const { runtime, newest } = runtimeUnderTest();
  runtime.start();
  newest().die("");
  assert.equal(runtime.status.failure?.kind, "boot");
  assert.equal(runtime.status.failure?.detail, "The worker stopped without a message.");
});

test("a browser that lets no worker start is a failure in words, not an exception", () => {
  const runtime = createRuntime({
    workerUrl: "file:///worker.js",
    config: { runtime: "file:///runtime/" },
    Worker: class extends FakeWorker {
      constructor() {
        super();
        throw new Error("SecurityError");
      }
    },
  });
  runtime.start();
  assert.equal(runtime.status.state, "failed");
  assert.equal(runtime.status.failure?.kind, "blocked");
});

test("a restart by the reader keeps what was running and waiting", async () => {
  const { runtime, workers, newest } = runtimeUnderTest();
  runtime.start();
  newest().getReady();
  const running = runtime.call({ kind: "call", call: "a", args: {} });
  const waiting = runtime.latest("kl", position(2));
  runtime.restart();
  assert.ok(workers[0].terminated);
  newest().getReady();
  newest().reply("a");
  newest().reply("b");
  assert.deepEqual(await Promise.all([running, waiting]), ["a", "b"]);
});

test("a request that cannot be sent is rejected and does not block the next", async () => {
  const { runtime, newest } = runtimeUnderTest();
  runtime.start();
  newest().getReady();
  const broken = runtime.call({ kind: "call", call: "a", args: { size: 1n } });
  const fine = runtime.call({ kind: "call", call: "b", args: {} });
  await assert.rejects(broken, TypeError);
  newest().reply("b");
  assert.equal(await fine, "b");
});

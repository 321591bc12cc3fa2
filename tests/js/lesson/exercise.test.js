import assert from "node:assert/strict";
import { test } from "node:test";
import { choice } from "../../../site/js/lesson/choice.js";
import { KINDS } from "../../../site/js/lesson/exercise.js";
import { callText, runAnswers } from "../../../site/js/lesson/exercise-runs.js";

const RIGHT = {
  correct: true,
  feedbackHtml: "",
  run: { call: "clipped_objective", args: { ratio: 1.4 } },
  result: { value: -2.8, display: "−2.8" },
};
const WRONG = {
  ...RIGHT,
  correct: false,
  run: { call: "clipped", args: {} },
  result: { value: -2.4, display: "−2.4" },
};
const DATA = { kind: "choice", hash: "00", options: [WRONG, RIGHT], solutionHtml: "" };

/** @param {"ready" | "starting"} state @param {(call: string) => Promise<unknown>} compute */
function runtime(state, compute) {
  return {
    status: { state, stage: "", restarts: 0, failure: null },
    call: (/** @type {any} */ request) => compute(request.call),
  };
}

test("the registry knows the kinds of exercise by name", () => {
  assert.equal(KINDS.choice, choice);
});

test("a choice is judged by its option; an answer that no longer exists is none", () => {
  assert.deepEqual(choice.judge(DATA, { option: 0, text: "" }), {
    correct: false,
    chosen: WRONG,
    right: RIGHT,
  });
  assert.equal(choice.judge(DATA, { option: 1, text: "" })?.correct, true);
  for (const option of [7, -1, Number.NaN]) assert.equal(choice.judge(DATA, { option, text: "" }), null);
});

test("a remembered answer from anywhere is put into words without trust", () => {
  for (const answer of [null, 7, "x", {}, { text: 5 }]) assert.equal(choice.words(answer), "");
  assert.equal(choice.words({ option: 0, text: "b" }), "b");
});

test("a run is shown as the Python that it is", () => {
  assert.equal(
    callText({ call: "kl_divergence", args: { p: [0.7, 0.3], q: [0.5, 0.5] } }),
    "kl_divergence(p=[0.7, 0.3], q=[0.5, 0.5])",
  );
  assert.equal(
    callText({ call: "surrogate_terms.clipped", args: { ratio: 1.4 } }),
    "surrogate_terms(ratio=1.4).clipped",
  );
  assert.equal(callText({ call: "softmax[0]", args: {} }), "softmax()[0]");
});

test("the mistake and the right answer are both run when Python is ready", async () => {
  const python = runtime("ready", async (call) => ({
    value: call === "clipped" ? -2.4 : -2.8000000000000003,
  }));
  assert.deepEqual(await runAnswers(WRONG, RIGHT, python), [
    { title: "What your answer computes", code: "clipped()", text: "−2.4", live: true },
    { title: "What the question asks for", code: "clipped_objective(ratio=1.4)", text: "−2.8", live: true },
  ]);
  assert.equal((await runAnswers(RIGHT, RIGHT, python)).length, 1);
});

test("a result that differs from the stored one is shown as it is", async () => {
  const [line] = await runAnswers(
    WRONG,
    undefined,
    runtime("ready", async () => ({ value: 7 })),
  );
  assert.equal(line.text, "7");
});

test("stored results stand in while Python starts, when it fails and when it is slow", async (t) => {
  const stored = { title: "What your answer computes", code: "clipped()", text: "−2.4", live: false };
  const never = () => new Promise(() => {});
  assert.deepEqual(await runAnswers(WRONG, undefined, runtime("starting", never)), [stored]);
  const failing = runtime("ready", () => Promise.reject(new Error("gone")));
  assert.deepEqual(await runAnswers(WRONG, undefined, failing), [stored]);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const slow = runAnswers(WRONG, undefined, runtime("ready", never));
  t.mock.timers.tick(1500);
  assert.deepEqual(await slow, [stored]);
});

test("an option without a run, or without anything to show, has no line", async () => {
  const nothing = { ...WRONG, run: null };
  const unstored = { ...WRONG, result: null };
  assert.deepEqual(
    await runAnswers(
      nothing,
      undefined,
      runtime("ready", async () => ({ value: 1 })),
    ),
    [],
  );
  assert.deepEqual(
    await runAnswers(
      unstored,
      undefined,
      runtime("starting", async () => 1),
    ),
    [],
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { readLink, writeLink } from "../../../site/js/lesson/url-state.js";
import { WIDGETS } from "../widgets/fixtures.js";

/** @param {string} search */
function read(search) {
  return Object.fromEntries(readLink(search, WIDGETS));
}

/** @param {string} search @param {Record<string, Record<string, number>>} positions */
function write(search, positions) {
  return writeLink(search, WIDGETS, new Map(Object.entries(positions)));
}

test("a link sets the controls that it names", () => {
  assert.deepEqual(read("?ppo-clip.ratio=0.85&kl.p_1=0.2&utm=x"), {
    "ppo-clip": { values: { ratio: 0.85 }, notices: [] },
    kl: { values: { p_1: 0.2 }, notices: [] },
  });
  assert.deepEqual(read(""), {});
});

test("every position survives the way into the address and back", () => {
  for (let i = 0; i <= 200; i += 1) {
    const position = { ratio: i / 100, advantage: (i % 61) / 10 - 3 };
    const rounded = { ratio: position.ratio, advantage: Number(position.advantage.toFixed(1)) };
    const values = {
      ...WIDGETS["ppo-clip"].frame.params,
      ...read(write("", { "ppo-clip": rounded }))["ppo-clip"]?.values,
    };
    assert.deepEqual(values, rounded);
  }
});

test("only what differs from the first frame is written", () => {
  assert.equal(write("", { "ppo-clip": { ratio: 1.4, advantage: -2 } }), "?ppo-clip.advantage=-2");
  assert.equal(write("?ppo-clip.ratio=1", { "ppo-clip": { ratio: 1.4, advantage: 2 } }), "");
});

test("other parts of the query are kept as they were written, and so are widgets that did not move", () => {
  assert.equal(
    write("?utm_source=a%20b&x&kl.p_1=0.2&ppo-clip.ratio=1&y=%E0%A4%A", {
      "ppo-clip": { ratio: 0.5, advantage: 2 },
    }),
    "?utm_source=a%20b&x&kl.p_1=0.2&y=%E0%A4%A&ppo-clip.ratio=0.5",
  );
});

test("values out of range are clamped with a notice", () => {
  const { values, notices } = read("?ppo-clip.ratio=99")["ppo-clip"];
  assert.deepEqual(values, { ratio: 2 });
  assert.deepEqual(notices, [
    "In the link: Probability ratio 99 is above its range (0.00 to 2.00): 2.00 is used.",
  ]);
});

test("what is no number, or no control of the figure, is named and changes nothing", () => {
  const { values, notices } = read("?ppo-clip.ratio=fast&ppo-clip.speed=1&ppo-clip.advantage")["ppo-clip"];
  assert.deepEqual(values, { ratio: 1.4, advantage: 2 });
  assert.deepEqual(notices, [
    "In the link: “fast” is not a number: Probability ratio stays at 1.40.",
    "The link sets “speed”, which this figure does not have.",
    "In the link: An empty field is not a number: Advantage stays at 2.0.",
  ]);
});

test("hostile and malformed queries are read without an exception", () => {
  assert.deepEqual(read("?__proto__.ratio=1&constructor.x=1&%E0%A4%A=1&=&&ratio=1"), {});
  assert.deepEqual(read("?ppo-clip.ratio=%E0%A4%A")["ppo-clip"].values, { ratio: 1.4 });
  assert.deepEqual(read("?ppo-clip.ratio=0.5&ppo-clip.ratio=1")["ppo-clip"].values, { ratio: 0.5 });
  assert.deepEqual(read("?ppo-clip%2Eratio=%31")["ppo-clip"].values, { ratio: 1 });
});

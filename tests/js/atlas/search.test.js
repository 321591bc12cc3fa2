import assert from "node:assert/strict";
import { test } from "node:test";
import { countWords, matcher } from "../../../site/js/atlas/search.js";

const TITLE = "Rollouts, advantages and PPO constraints";
const TOPIC = "model-lifecycle-posttraining";

test("every typed word must begin a word of title or topic, in any order and case", () => {
  for (const query of ["", "ppo", "PPO roll", "post", "advantages model", "constraints, ppo"]) {
    assert.ok(matcher(query)(TITLE, TOPIC), query);
  }
  for (const query of ["gae", "ppo gae", "vantages"]) assert.ok(!matcher(query)(TITLE, TOPIC), query);
});

test("accents and signs do not matter", () => {
  assert.ok(matcher("naive bayes")("Naïve Bayes", ""));
  assert.ok(matcher("actor critic")("Actor–critic", ""));
  assert.ok(matcher("(")(TITLE, TOPIC));
});

test("the count says what was found", () => {
  assert.equal(countWords(1, 1, ""), "1 lesson");
  assert.equal(countWords(2, 5, "kl"), "2 of 5 lessons");
  assert.equal(countWords(0, 5, " zebra "), "No lesson matches “zebra”");
});

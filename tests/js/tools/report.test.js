import assert from "node:assert/strict";
import { test } from "node:test";
import { insertResult, toMarkdown } from "../../bench/report.mjs";

const RESULT = {
  name: "boot",
  columns: ["page opened", "this page", "ratio"],
  rows: [["caches warm", "0.75 s", 0.39]],
  settings: ["Seven runs."],
};
const TABLE =
  "| page opened | this page | ratio |\n| --- | --: | --: |\n| caches warm | 0.75 s | 0.39 |\n\nSeven runs.";

test("a result becomes a table with its settings under it", () => {
  assert.equal(toMarkdown(RESULT), TABLE);
  assert.equal(toMarkdown({ name: "x", rows: [["a|b"], ["1"]] }), "| a\\|b |\n| --- |\n| 1 |");
});

test("only the text between the markers of that name changes, also the second time", () => {
  const page =
    "# P\n\n<!-- bench:slider -->\nkept\n<!-- /bench -->\n<!-- bench:boot -->\nold\n<!-- /bench -->\nafter\n";
  const wanted = `# P\n\n<!-- bench:slider -->\nkept\n<!-- /bench -->\n<!-- bench:boot -->\n${TABLE}\n<!-- /bench -->\nafter\n`;
  assert.equal(insertResult(page, RESULT), wanted);
  assert.equal(insertResult(wanted, RESULT), wanted);
});

test("a page without the markers, or with them twice, is left alone", () => {
  const twice = "<!-- bench:boot -->\n<!-- /bench -->\n".repeat(2);
  for (const page of ["# nothing here", twice]) {
    assert.throws(() => insertResult(page, RESULT), /must hold <!-- bench:boot --> exactly once/);
  }
  assert.throws(() => insertResult("<!-- bench:boot -->\n", RESULT), /has no <!-- \/bench -->/);
});

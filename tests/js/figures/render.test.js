import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { answer } from "../../../site/js/build/answer.js";
import { drawSvg } from "./helpers.js";
import { ppoClip } from "./samples.js";

const SCRIPT = fileURLToPath(new URL("../../../site/js/build/render.mjs", import.meta.url));
const ask = (/** @type {unknown} */ request) => /** @type {any} */ (answer(JSON.stringify(request)));

test("a formula comes back as HTML for the eye and MathML for the ear", () => {
  const { id, ok, html } = ask({ id: 1, op: "math", tex: String.raw`\min(r A, c)`, display: true });
  assert.deepEqual([id, ok], [1, true]);
  assert.match(html, /^<span class="katex-display">/);
  assert.match(html, /<math .*<mi>min<\/mi>/);
});

test("an inline formula is not displayed", () => {
  assert.match(ask({ id: 1, op: "math", tex: "r", display: false }).html, /^<span class="katex">/);
});

test("a mistake in a formula is answered with KaTeX's words", () => {
  const { id, ok, message } = ask({ id: 2, op: "math", tex: String.raw`\frac{1}{`, display: false });
  assert.deepEqual([id, ok], [2, false]);
  assert.match(message, /KaTeX parse error/);
});

test("a formula can bring neither links nor raw HTML", () => {
  const link = ask({ id: 3, op: "math", tex: String.raw`\href{javascript:alert(1)}{x}` });
  assert.deepEqual([link.ok, link.message], [false, "\\href is not allowed in formulas"]);
  assert.equal(ask({ id: 3, op: "math", tex: String.raw`\htmlClass{a}{x}` }).ok, false);
});

test("a picture is what figure() and the SVG writer draw, with its size", () => {
  const { ok, svg, width, height } = ask({
    id: 4,
    op: "picture",
    frame: { figure: ppoClip() },
    size: "wide",
  });
  assert.deepEqual([ok, width, height], [true, 680, 380]);
  assert.equal(svg, drawSvg(ppoClip()));
});

test("requests that cannot be answered say what is wrong with them", () => {
  const wrong = /** @type {[unknown, RegExp][]} */ ([
    [
      { id: 5, op: "picture", frame: { figure: ppoClip() }, size: "huge" },
      /"size" must be "wide" or "narrow"/,
    ],
    [{ id: 5, op: "picture", frame: {}, size: "wide" }, /"frame" must be a view model with figure\.panels/],
    [{ id: 5, op: "picture", frame: null, size: "wide" }, /"frame" must be a view model/],
    [{ id: 5, op: "math" }, /"tex" must be text/],
    [{ id: 5, op: "paint" }, /unknown op "paint"; known: math, picture/],
  ]);
  for (const [request, message] of wrong) {
    const { id, ok, message: said } = ask(request);
    assert.deepEqual([id, ok], [5, false]);
    assert.match(said, message);
  }
});

test("text that is no JSON object is answered without an id", () => {
  for (const line of ["{", "7", "null", '"text"']) {
    const { id, ok, message } = /** @type {any} */ (answer(line));
    assert.deepEqual([id, ok], [null, false], line);
    assert.ok(message.length > 0);
  }
});

test("the renderer answers line by line in order, survives bad lines, and ends when its input ends", async () => {
  const process_ = spawn(process.execPath, [SCRIPT], { stdio: ["pipe", "pipe", "inherit"] });
  let output = "";
  process_.stdout.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
    output += text;
  });
  process_.stdin.write(
    `${JSON.stringify({ id: 1, op: "math", tex: "\\alpha", display: false })}\n\nnot JSON\n`,
  );
  process_.stdin.end(
    `${JSON.stringify({ id: 2, op: "picture", frame: { figure: ppoClip() }, size: "narrow" })}\n`,
  );
  const [code] = await once(process_, "close");
  assert.equal(code, 0);
  const answers = output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    answers.map(({ id, ok }) => [id, ok]),
    [
      [1, true],
      [null, false],
      [2, true],
    ],
  );
});

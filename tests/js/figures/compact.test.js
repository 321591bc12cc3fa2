import assert from "node:assert/strict";
import { test } from "node:test";
import { framesOf } from "../../../site/js/figures/frames.js";
import { cellsOf, figureSize } from "../../../site/js/figures/size.js";
import { fewTicks } from "../../../site/js/figures/ticks.js";
import { at, draw, drawSvg, traces } from "./helpers.js";
import { notABound, reinforce } from "./sample-runs.js";
import { kl, SAMPLES } from "./samples.js";

/** @import {Figure, Panel} from "../../../site/js/figures/types.js" */

/** @param {number[]} y @returns {Panel} bars named a, b, c, … */
function bars(y) {
  const names = y.map((_, i) => String.fromCharCode(97 + i));
  return {
    id: "bars",
    title: "Terms",
    x: { label: "", categories: names },
    y: { label: "term", range: [-0.25, 1] },
    bars: [{ role: "p", x: names, y, text: y.map(String) }],
  };
}

/** Rows of a narrow figure, each with the ids of its panels from left to right. @param {Figure} model */
function rows(model) {
  const cells = cellsOf(model, true);
  const tops = [...new Set(cells.map((cell) => cell.top))].sort((a, b) => a - b);
  return tops.map((top) => model.panels.filter((_, i) => cells[i].top === top).map((panel) => panel.id));
}

test("three and more panels stand two to a row on a phone; of an odd number the first has a row of its own", () => {
  assert.deepEqual(rows(kl()), [["distributions"], ["pq", "qp"]]);
  assert.deepEqual(rows(reinforce()), [["prob"], ["reward", "kl"]]);
});

test("a main panel comes first and whole, the others beside each other", () => {
  const model = notABound();
  assert.equal(rows(model)[0].length, 1);
  assert.equal(model.panels.find((panel) => panel.id === rows(model)[0][0])?.main, true);
  assert.equal(rows(model)[1].length, 2);
});

test("bars that would not have room for their numbers in half of the width get all of it", () => {
  const model = { panels: [...reinforce().panels, bars([0.1, 0.2, 0.3, 0.4, 0.5])] };
  assert.deepEqual(rows(model), [["prob"], ["reward", "kl"], ["bars"]]);
  const few = { panels: [...reinforce().panels, bars([0.1, 0.2, 0.3])] };
  assert.deepEqual(rows(few), [
    ["prob", "reward"],
    ["kl", "bars"],
  ]);
});

test("on a phone every figure leaves room for its sliders, and its cells neither overlap nor leave it", () => {
  for (const [name, model] of Object.entries(SAMPLES)) {
    const { width, height } = figureSize(model, "narrow");
    assert.ok(height <= 420, `${name} is ${height} high`);
    const cells = cellsOf(model, true);
    for (const [i, one] of cells.entries()) {
      assert.ok(one.left >= 0 && one.right <= width && one.bottom <= height, name);
      for (const other of cells.slice(i + 1)) {
        const apart =
          one.right <= other.left ||
          other.right <= one.left ||
          one.bottom <= other.top ||
          other.bottom <= one.top;
        assert.ok(apart, name);
      }
    }
  }
});

test("text of small panels is legible: 10.5 pixels and more", () => {
  for (const model of Object.values(SAMPLES)) {
    const sizes = [...drawSvg(model, "narrow").matchAll(/font-size="([\d.]+)"/g)].map(([, size]) =>
      Number(size),
    );
    assert.ok(Math.min(...sizes) >= 10.5);
  }
});

test("an axis too short for all its ticks has fewer, equally far apart, and zero among them", () => {
  const ticks = [-0.4, -0.2, 0, 0.2, 0.4];
  assert.deepEqual(fewTicks({ label: "", range: [-0.4, 0.4], ticks }, 60, 20), [-0.4, 0, 0.4]);
  assert.deepEqual(fewTicks({ label: "", range: [-0.4, 0.4], ticks }, 200, 20), ticks);
  assert.deepEqual(fewTicks({ label: "", range: [0, 1] }, 60, 20), [0, 0.5, 1]);
  assert.deepEqual(fewTicks({ label: "", range: [0, 0.5] }, 60, 20), [0, 0.25, 0.5]);
});

test("in a small panel the x title stands on the line of the ticks, and no tick label meets it", () => {
  const frames = framesOf(reinforce(), true);
  for (const { ticks, xTitleBetween, plot, px } of frames) {
    assert.equal(xTitleBetween, true);
    assert.ok(ticks.x.values.length >= 2);
    const middle = (plot.left + plot.right) / 2;
    assert.ok(ticks.x.values.every((x) => Math.abs(px(x) - middle) > 20));
  }
  assert.ok(framesOf(reinforce(), false).every((frame) => !frame.xTitleBetween));
});

test("small panels whose bars carry numbers have no scale beside them", () => {
  const axis = at(draw(kl(), "narrow").layout, "yaxis3");
  assert.deepEqual(axis.ticktext, []);
  assert.ok(at(draw(kl()).layout, "yaxis3", "ticktext").length > 2);
});

test("axes of panels above each other start on one line", () => {
  const lefts = framesOf(reinforce(), true).map((frame) => frame.plot.left);
  assert.equal(lefts[0], lefts[1]);
});

test("a bar too near the end of the axis for its number, and too low to hold it, has it beyond zero", () => {
  const model = { panels: [...reinforce().panels, bars([0.5, 0.4, 0.3, -0.2, 0.95])] };
  const texts = traces(draw(model, "narrow"), "text").at(-1);
  const where = Object.fromEntries(
    at(texts, "text").map((/** @type {string} */ text, /** @type {number} */ i) => [text, i]),
  );
  const y = (/** @type {string} */ text) => at(texts, "y", where[text]);
  const colour = (/** @type {string} */ text) => at(texts, "textfont", "color", where[text]);
  assert.ok(y("-0.2") > 0, "above zero");
  assert.equal(colour("-0.2"), "var(--role-p)");
  assert.ok(y("0.95") < 0.95, "inside");
  assert.equal(colour("0.95"), "var(--plot-paper)");
  assert.ok(y("0.5") > 0.5, "at its end");
});

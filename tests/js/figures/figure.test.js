import assert from "node:assert/strict";
import { test } from "node:test";
import { figureSize } from "../../../site/js/figures/size.js";
import { at, draw, frozen, onePanel, texts } from "./helpers.js";
import { reinforce } from "./sample-runs.js";
import { kl, ppoClip, SAMPLES } from "./samples.js";

test("figure() leaves its input alone and gives the same answer twice", () => {
  for (const model of Object.values(SAMPLES)) {
    assert.deepEqual(draw(frozen(structuredClone(model))), draw(model));
  }
});

test("a figure without marks still has its axes and titles", () => {
  assert.deepEqual(texts(draw(onePanel())), ["contribution (reward units)", "ratio"]);
});

test("axes and size do not depend on where the controls stand", () => {
  const [one, other] = [draw(ppoClip(0.3, -3, 0.05)), draw(ppoClip(2, 3, 0.5))];
  const { shapes: _, ...first } = one.layout;
  const { shapes: __, ...second } = other.layout;
  assert.deepEqual(first, second);
});

test("Plotly is left nothing to decide: no margins, no automargin, no legend, no drag, fixed ranges and ticks", () => {
  for (const model of Object.values(SAMPLES)) {
    const { layout } = draw(model);
    assert.deepEqual(layout.margin, { l: 0, r: 0, t: 0, b: 0, pad: 0, autoexpand: false });
    assert.equal(layout.showlegend, false);
    assert.equal(layout.dragmode, false);
    for (const [name, axis] of Object.entries(layout).filter(([key]) => /^[xy]axis\d+$/.test(key))) {
      assert.equal(at(axis, "fixedrange"), true, name);
      assert.equal(at(axis, "automargin"), false, name);
      assert.equal(at(axis, "tickmode"), "array", name);
      assert.equal(at(axis, "tickvals").length, at(axis, "ticktext").length, name);
    }
  }
});

test("panels stand side by side when wide; two of them below each other when narrow", () => {
  const two = { panels: reinforce().panels.slice(0, 2) };
  const left = (/** @type {"wide" | "narrow"} */ size) =>
    [2, 3].map((axis) => at(draw(two, size).layout, `xaxis${axis}`, "domain", 0));
  const top = (/** @type {"wide" | "narrow"} */ size) =>
    [2, 3].map((axis) => at(draw(two, size).layout, `yaxis${axis}`, "domain", 1));
  assert.equal(new Set(top("wide")).size, 1);
  assert.deepEqual(left("wide"), [...left("wide")].sort());
  assert.equal(new Set(left("wide")).size, 2);
  assert.equal(new Set(left("narrow")).size, 1);
  assert.deepEqual(top("narrow"), [...top("narrow")].sort().reverse());
});

test("a drawing at another width scales text, lines and marks, and moves nothing against the data", () => {
  const [one, twice] = [draw(ppoClip()), draw(ppoClip(), "wide", 2)];
  for (const [i, trace] of one.data.entries()) {
    const large = twice.data[i];
    assert.deepEqual([large.x, large.y], [trace.x, trace.y]);
    for (const path of [
      ["line", "width"],
      ["marker", "size", 0],
      ["textfont", "size", 0],
    ]) {
      const value = at(trace, ...path);
      if (value !== undefined) assert.equal(at(large, ...path), value * 2);
    }
  }
});

test("categories become positions with their names as tick labels", () => {
  const axis = at(draw(kl()).layout, "xaxis2");
  assert.deepEqual(
    [axis.tickvals, axis.ticktext, axis.range],
    [
      [0, 1],
      ["a₁", "a₂"],
      [-0.5, 1.5],
    ],
  );
});

test("tick labels have equal decimals and true minus signs", () => {
  assert.deepEqual(at(draw(kl()).layout, "yaxis3", "ticktext"), ["−0.4", "0.0", "0.4", "0.8"]);
  assert.deepEqual(at(draw(ppoClip()).layout, "yaxis2", "ticktext"), ["−6", "−3", "0", "3", "6"]);
});

test("the y title is not said twice: under a title that says it already, only its unit stands", () => {
  const model = onePanel({ title: "Contribution" });
  assert.deepEqual(texts(draw(model)), ["Contribution", "reward units", "ratio"]);
});

test("titles of a row stand on one line, and so do its axes, whatever wraps", () => {
  const model = reinforce();
  model.panels[1].title = "A title that is much too long for a third of the width of a figure";
  const { layout } = draw(model);
  const domains = [2, 3, 4].map((axis) => at(layout, `yaxis${axis}`, "domain"));
  assert.deepEqual(domains[0], domains[1]);
  assert.deepEqual(domains[0], domains[2]);
});

test("an axis without a proper range is refused by name", () => {
  const model = onePanel();
  model.panels[0].y.range = [4, -4];
  assert.throws(
    () => draw(model),
    /axis "contribution" needs a range of two finite numbers, the lower one first/,
  );
});

test("an unknown role is refused, with the roles there are", () => {
  const model = onePanel({ points: [{ role: "nwe", x: 1, y: 1 }] });
  assert.throws(() => draw(model), /unknown role "nwe"; known: objective-positive, .*new/);
});

test("the size depends on the panels only, and a figure has one to four", () => {
  assert.deepEqual(figureSize(onePanel(), "wide"), { width: 680, height: 380 });
  assert.equal(figureSize(onePanel(), "narrow").width, 328);
  assert.ok(figureSize(kl(), "narrow").height > figureSize(onePanel(), "narrow").height);
  assert.throws(() => figureSize({ panels: [] }, "wide"), /1 to 4 panels, this one has 0/);
});

test("a main panel is large, and the others stand beside it", () => {
  const model = reinforce();
  model.panels[0].main = true;
  const { layout } = draw(model);
  const wide = (/** @type {number} */ axis) =>
    at(layout, `xaxis${axis}`, "domain", 1) - at(layout, `xaxis${axis}`, "domain", 0);
  assert.ok(wide(2) > 1.4 * wide(3));
  assert.deepEqual(at(layout, "xaxis3", "domain"), at(layout, "xaxis4", "domain"));
  model.panels[1].main = true;
  assert.throws(() => draw(model), /at most one main panel, this one has 2/);
});

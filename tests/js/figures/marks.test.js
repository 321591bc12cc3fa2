import assert from "node:assert/strict";
import { test } from "node:test";
import { barSlots } from "../../../site/js/figures/bars.js";
import { at, draw, onePanel, texts, traces } from "./helpers.js";
import { kl } from "./samples.js";

test("a line keeps its points and gaps, and says its name and both units under the pointer", () => {
  const line = { role: "curve", label: "J < 1", x: [0, 1, 2], y: [1, null, 3] };
  const [trace] = traces(draw(onePanel({ lines: [line] })), "lines");
  assert.deepEqual([trace.x, trace.y], [line.x, line.y]);
  assert.equal(trace.hovertemplate, "J &lt; 1 %{y:.3~f} reward units<br>ratio %{x:.3~f}<extra></extra>");
});

test("unclipped and clipped differ in their dashes, not in colour alone", () => {
  const lines = ["unclipped", "clipped", "curve"].map((role) => ({ role, label: "", x: [0, 2], y: [0, 1] }));
  const dashes = traces(draw(onePanel({ lines })), "lines").map((trace) => at(trace, "line", "dash"));
  assert.deepEqual(dashes, ["7px,4px", "1.75px,3.5px", "solid"]);
});

test("a band spans the other axis, on x by default and on y when it says so", () => {
  const bands = [
    { role: "clip", from: 0.8, to: 1.2 },
    { role: "clip", axis: /** @type {const} */ ("y"), from: -1, to: 1 },
  ];
  const [upright, level] = at(draw(onePanel({ bands })).layout, "shapes");
  assert.deepEqual([upright.xref, upright.x0, upright.x1], ["x2", 0.8, 1.2]);
  assert.deepEqual([upright.yref, upright.y0, upright.y1], ["y2 domain", 0, 1]);
  assert.deepEqual([level.yref, level.y0, level.y1, level.xref], ["y2", -1, 1, "x2 domain"]);
});

test("a named upright rule leaves room for its name at the top, a nameless one does not", () => {
  const rule = { role: "old", axis: /** @type {const} */ ("x"), at: 1 };
  const top = (/** @type {string} */ label) =>
    at(draw(onePanel({ rules: [{ ...rule, label }] })).layout, "shapes", 0, "y1");
  assert.ok(Math.abs(top("") - 4) < 1e-9); // the upper end of the y axis, which is 8 long
  assert.ok(top("old policy") < 4 && top("old policy") > 4 - 0.1 * 8);
});

test("a level rule runs across the panel, over the gridline that may be there", () => {
  const [shape] = at(draw(onePanel({ rules: [{ role: "reference", axis: "y", at: 2 }] })).layout, "shapes");
  assert.deepEqual([shape.y0, shape.y1], [2, 2]);
  assert.ok(Math.abs(shape.x0) < 1e-9 && Math.abs(shape.x1 - 2) < 1e-9);
  assert.deepEqual([shape.xref, shape.yref, shape.layer], ["x2", "y2", "between"]);
});

test("all points of a panel are one trace, hollow ones filled with the paper", () => {
  const points = [
    { role: "new", x: 1, y: 2 },
    { role: "old", x: 1, y: 1 },
  ];
  const [trace, ...rest] = traces(draw(onePanel({ points })), "markers");
  assert.equal(rest.length, 0);
  assert.deepEqual(at(trace, "marker", "color"), ["var(--role-new)", "var(--plot-paper)"]);
  assert.deepEqual(at(trace, "marker", "line", "color"), ["var(--plot-paper)", "var(--role-old)"]);
  assert.equal(trace.cliponaxis, false);
});

test("an arrow's head has one size, however steep or long the arrow is", () => {
  for (const [x, y] of [
    [
      [0.2, 1.8],
      [0, 0],
    ],
    [
      [1, 1.1],
      [-3, 3],
    ],
  ]) {
    const [trace] = traces(draw(onePanel({ segments: [{ role: "slope", x, y, arrow: true }] })), "lines");
    const { xaxis2, yaxis2, width, height } = /** @type {any} */ (draw(onePanel()).layout);
    const perX = ((xaxis2.domain[1] - xaxis2.domain[0]) * width) / 2;
    const perY = ((yaxis2.domain[1] - yaxis2.domain[0]) * height) / 8;
    const [xs, ys] = [at(trace, "x"), at(trace, "y")];
    assert.deepEqual([xs[2], ys[2]], [null, null]);
    for (const barb of [3, 5]) {
      const length = Math.hypot((xs[barb] - xs[4]) * perX, (ys[barb] - ys[4]) * perY);
      assert.ok(Math.abs(length - Math.hypot(9, 5)) < 1e-6);
    }
  }
});

test("an arrow without length has no head", () => {
  const [trace] = traces(
    draw(onePanel({ segments: [{ role: "slope", x: [1, 1], y: [1, 1], arrow: true }] })),
    "lines",
  );
  assert.deepEqual(trace.x, [1, 1]);
});

test("bars of two series stand beside each other around the tick", () => {
  const [p, q] = traces(draw(kl()), "bar");
  assert.equal(p.width, q.width);
  assert.ok(Math.abs(Number(p.offset) + Number(q.offset) + Number(q.width)) < 1e-9);
  assert.deepEqual(
    [p.x, q.x],
    [
      [0, 1],
      [0, 1],
    ],
  );
});

test("series that share no category share a place, so that the sign of a bar does not move it", () => {
  const series = (/** @type {string[]} */ x) => ({ role: "p", x, y: x.map(() => 1) });
  assert.deepEqual(barSlots([series(["a", "c"]), series(["b"])]), [0, 0]);
  assert.deepEqual(barSlots([series(["a", "b"]), series(["b"]), series(["a"])]), [0, 1, 1]);
});

test("a bar may have a role of its own", () => {
  const model = kl();
  model.panels = [
    { ...model.panels[0], bars: [{ role: ["positive", "negative"], x: ["a₁", "a₂"], y: [1, -1] }] },
  ];
  const [trace] = traces(draw(model), "bar");
  assert.deepEqual(at(trace, "marker", "color"), ["var(--role-positive)", "var(--role-negative)"]);
});

test("a bar of an unknown category is refused by name", () => {
  const model = kl();
  model.panels = [{ ...model.panels[0], bars: [{ role: "p", x: ["a₉"], y: [1] }] }];
  assert.throws(() => draw(model), /"a₉" is not a category of the x axis/);
});

test("numbers stand at the ends of bars, names of series above their first bar", () => {
  const shown = texts(draw({ panels: [kl().panels[0]] }));
  for (const text of ["p", "q", "0.70", "0.30", "0.50"]) assert.ok(shown.includes(text), text);
});

test("text with markup in it is shown, not read", () => {
  const shown = texts(draw(onePanel({ points: [{ role: "new", x: 1, y: 1, label: "<b>A & B</b>" }] })));
  assert.ok(shown.includes("&lt;b&gt;A &amp; B&lt;/b&gt;"));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { svg } from "../../../site/js/figures/svg.js";
import { node, rounded, svgText } from "../../../site/js/figures/svg-tree.js";
import { at, draw, drawSvg, onePanel } from "./helpers.js";
import { kl, ppoClip, SAMPLES } from "./samples.js";

/** @import {PlotlyFigure} from "../../../site/js/figures/types.js" */

test("the same figure gives the same bytes", () => {
  for (const model of Object.values(SAMPLES)) {
    assert.equal(drawSvg(structuredClone(model)), drawSvg(model));
    assert.equal(drawSvg(structuredClone(model), "narrow"), drawSvg(model, "narrow"));
  }
});

test("differences too small to see do not change a byte", () => {
  const model = ppoClip(1.4);
  const moved = ppoClip(1.4 + 1e-9);
  moved.panels[0].points = model.panels[0].points;
  assert.equal(drawSvg(moved), drawSvg(model));
});

test("coordinates have at most two decimals", () => {
  for (const model of Object.values(SAMPLES)) {
    assert.doesNotMatch(drawSvg(model).replace(/>[^<]+</g, "><"), /\d\.\d{3,}/);
  }
  assert.equal(rounded(1 / 3), 0.33);
  assert.ok(Object.is(rounded(-0.001), 0));
  assert.throws(() => rounded(Number.NaN), /a picture cannot hold the coordinate NaN/);
});

test("text is escaped once: what the view says is what the reader sees", () => {
  const label = `<script>alert("A & B")</script> r < 1`;
  const picture = drawSvg(onePanel({ points: [{ role: "new", x: 1, y: 1, label }] }));
  assert.ok(picture.includes("&lt;script&gt;alert(&quot;A &amp; B&quot;)&lt;/script&gt; r &lt; 1</text>"));
  assert.ok(!picture.includes("<script"));
});

test("attributes are escaped and undefined ones left out", () => {
  assert.equal(
    svgText(node("g", { a: `"<&>"`, b: undefined, c: 0.005 })),
    '<g a="&quot;&lt;&amp;&gt;&quot;" c="0.01"/>',
  );
});

test("the picture is silent for screen readers, because the box around it speaks", () => {
  assert.match(drawSvg(ppoClip()), /^<svg [^>]*aria-hidden="true" focusable="false">/);
});

test("the picture has no ids, so several fit on one page", () => {
  for (const model of Object.values(SAMPLES))
    assert.doesNotMatch(drawSvg(model), / (id|href|clip-path|style)=/);
});

test("colours and faces come from the style sheet", () => {
  const picture = drawSvg(ppoClip());
  assert.match(picture, /font-family="var\(--sans\)"/);
  assert.doesNotMatch(picture, /(fill|stroke)="(#|rgb|hsl|black|white)/);
});

test("text is large enough for a phone", () => {
  for (const model of Object.values(SAMPLES)) {
    for (const [, size] of drawSvg(model, "narrow").matchAll(/font-size="([\d.]+)"/g))
      assert.ok(Number(size) >= 10);
  }
});

test("lines are clipped at the axes, points on the edge are whole, points outside are not shown", () => {
  const lines = [{ role: "curve", label: "", x: [0, 2], y: [-9, 9] }];
  const points = [
    { role: "new", x: 2, y: 4 },
    { role: "old", x: 2, y: 4.1 },
  ];
  const picture = drawSvg(onePanel({ lines, points }));
  assert.match(picture, /<svg x="[\d.]+" y="[\d.]+" width="[\d.]+" height="[\d.]+" viewBox="[\d. ]+"><path /);
  assert.equal(picture.match(/<circle /g)?.length, 1);
  assert.ok(picture.indexOf("<circle ") > picture.indexOf("</svg>"));
});

test("each symbol is drawn at its point", () => {
  const points = ["new", "reward", "kl"].map((role, i) => ({ role, x: 0.5 + i * 0.5, y: 0 }));
  const picture = drawSvg(onePanel({ points }));
  for (const tag of ["circle", "rect", "polygon"])
    assert.match(picture, new RegExp(`<${tag} [^>]*stroke="var\\(--plot-paper\\)"`));
});

test("bars grow from zero in both directions, and a tiny one is still seen", () => {
  const bars = [{ role: "p", x: ["a", "b", "c", "d"], y: [0.5, -0.5, 0.0001, 0] }];
  const x = { label: "", categories: ["a", "b", "c", "d"] };
  const picture = drawSvg({ panels: [{ id: "b", title: "", x, y: { label: "", range: [-1, 1] }, bars }] });
  const rects = [...picture.matchAll(/<rect x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"/g)].map(
    (m) => m.slice(1).map(Number),
  );
  assert.equal(rects.length, 3);
  const [up, down, tiny] = rects;
  assert.ok(Math.abs(up[0] + up[1] - down[0]) < 0.02, "both start at zero");
  assert.ok(tiny[1] > 0 && tiny[1] <= 2);
});

/** @type {[string, (figure: any) => void, RegExp][]} */
const OUTSIDE = [
  [
    "another trace type",
    (f) => at(f, "data").push({ type: "heatmap" }),
    /does not draw data\[\d+\] of type heatmap/,
  ],
  ["another mode", (f) => (f.data[1].mode = "lines+markers"), /of type scatter and mode lines\+markers/],
  ["another trace attribute", (f) => (f.data[1].fill = "tozeroy"), /does not draw data\[1\]\.fill/],
  [
    "another line attribute",
    (f) => (f.data[1].line.shape = "spline"),
    /does not draw data\[1\]\.line\.shape/,
  ],
  [
    "a dash by name",
    (f) => (f.data[1].line.dash = "dashdot"),
    /does not draw data\[1\]\.line\.dash = "dashdot"/,
  ],
  ["markup in text", (f) => (f.data[0].text[0] = "<b>bold</b>"), /does not draw data\[0\]\.text/],
  ["a coordinate that is no number", (f) => (f.data[1].x[0] = Number.NaN), /does not draw data\[1\]\.x/],
  ["an annotation", (f) => (f.layout.annotations = [{ text: "x" }]), /does not draw layout\.annotations/],
  ["a legend", (f) => (f.layout.showlegend = true), /does not draw layout\.showlegend = true/],
  ["margins", (f) => (f.layout.margin.l = 40), /does not draw layout\.margin\.l = 40/],
  ["an axis title", (f) => (f.layout.xaxis2.title = "r"), /does not draw layout\.xaxis2\.title/],
  [
    "ticks that Plotly would choose",
    (f) => (f.layout.xaxis2.tickmode = "auto"),
    /does not draw layout\.xaxis2\.tickmode/,
  ],
  [
    "another shape",
    (f) => (f.layout.shapes[0].type = "circle"),
    /does not draw layout\.shapes\[0\]\.type = "circle"/,
  ],
  ["an axis that is not there", (f) => delete f.layout.xaxis2, /names the axis "x2", which the layout lacks/],
];

for (const [what, spoil, message] of OUTSIDE) {
  test(`outside the subset and refused: ${what}`, () => {
    const drawn = /** @type {PlotlyFigure} */ (structuredClone(draw(ppoClip())));
    spoil(drawn);
    assert.throws(() => svg(drawn), message);
  });
}

test("what only the live plot uses is allowed and not drawn", () => {
  const drawn = draw(kl());
  const before = svg(drawn);
  drawn.layout.hovermode = "x";
  drawn.data[1].hovertemplate = "anything <b>at all</b>";
  assert.equal(svg(drawn), before);
});

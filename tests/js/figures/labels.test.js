import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { framesOf } from "../../../site/js/figures/frames.js";
import { labelsOf } from "../../../site/js/figures/labels.js";
import { staticPalette } from "../../../site/js/figures/palette.js";
import { boxAt, lengthInside, overlap, place } from "../../../site/js/figures/place.js";
import { simplify } from "../../../site/js/figures/polyline.js";
import { textWidth } from "../../../site/js/figures/text-size.js";
import { onePanel } from "./helpers.js";
import { ppoClip, SAMPLES } from "./samples.js";

/** @import {Figure, Frame} from "../../../site/js/figures/types.js" */

const LETTERS = 11;

/** Every label of a figure with its box; the height is that of the letters, not of the line. @param {Figure} model @param {boolean} narrow */
function labelled(model, narrow) {
  const style = { palette: staticPalette(), scale: 1, narrow };
  return framesOf(model, narrow).map((frame) => ({
    frame,
    labels: labelsOf(frame, style).map((label) => ({
      text: label.text,
      box: boxAt({ ...label, liking: 0 }, { width: textWidth(label.text, label.size), height: LETTERS }),
    })),
  }));
}

/** @param {Frame} frame @returns {[number, number, number, number][]} the curves in pixels */
function curves({ panel, px, py }) {
  return (panel.lines ?? []).flatMap((line) =>
    simplify(line.x, line.y, px, py).flatMap((run) =>
      run.slice(1).map((end, i) => /** @type {[number, number, number, number]} */ ([...run[i], ...end])),
    ),
  );
}

/** First frames of the lessons that are built. @returns {[string, Figure][]} */
function firstFrames() {
  const folder = new URL("../../../lesson-data/", import.meta.url);
  return readdirSync(folder)
    .filter((name) => /-[0-9a-f]{16}\.json$/.test(name))
    .flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")).widgets)
    .map((widget) => [widget.id, widget.frame.figure]);
}

/** @param {string} name @param {Figure} model */
function mustBeLegible(name, model) {
  for (const narrow of [false, true]) {
    for (const { frame, labels } of labelled(model, narrow)) {
      const where = `${name}, ${narrow ? "narrow" : "wide"}, panel ${frame.panel.id}`;
      for (const [i, { text, box }] of labels.entries()) {
        for (const other of labels.slice(i + 1)) {
          assert.equal(overlap(box, other.box), 0, `${where}: "${text}" and "${other.text}" overlap`);
        }
        const crossed = Math.max(0, ...curves(frame).map((curve) => lengthInside(curve, box)));
        assert.ok(crossed < 2, `${where}: a curve crosses "${text}"`);
        const { left, right, top, bottom } = frame.plot;
        const within =
          box.left >= left - 4 && box.right <= right + 14 && box.top >= top - 4 && box.bottom <= bottom + 4;
        assert.ok(within, `${where}: "${text}" leaves the axes`);
      }
    }
  }
}

test("in the samples no label meets a curve or another label, wide and narrow", () => {
  for (const [name, model] of Object.entries(SAMPLES)) mustBeLegible(name, model);
});

test("in the first frames of the built lessons no label meets a curve or another label, wide and narrow", () => {
  const frames = firstFrames();
  assert.ok(frames.length > 0, "build the lessons first: python build.py lessons");
  for (const [name, model] of frames) mustBeLegible(name, model);
});

test("labels keep off each other at every ratio and for both signs", () => {
  for (const advantage of [-3, -2, 2, 3]) {
    for (let ratio = 0; ratio <= 2; ratio += 0.05) {
      for (const { labels } of labelled(ppoClip(ratio, advantage), false)) {
        for (const [i, { text, box }] of labels.entries()) {
          for (const other of labels.slice(i + 1)) {
            assert.ok(
              overlap(box, other.box) < 3,
              `r = ${ratio}, A = ${advantage}: "${text}" on "${other.text}"`,
            );
          }
        }
      }
    }
  }
});

test("a line is named where it runs alone, not where another covers it", () => {
  const lines = [
    { role: "unclipped", label: "one", x: [0, 1, 2], y: [3, 0, 0], label_at: 0.9 },
    { role: "curve", label: "other", x: [0, 1, 2], y: [-3, 0, 0], label_at: 0.9 },
  ];
  const [{ frame, labels }] = labelled(onePanel({ lines }), false);
  for (const { text, box } of labels)
    assert.ok(box.left < frame.px(1), `"${text}" stands where both lines run`);
});

test("the first candidate that costs nothing is taken, and becomes an obstacle for the next", () => {
  const bounds = { left: 0, top: 0, right: 100, bottom: 100 };
  const size = { width: 20, height: 10 };
  const obstacles = { strokes: [], boxes: [] };
  const candidates = [50, 70, 20].map((y, liking) => ({
    x: 50,
    y,
    anchor: /** @type {const} */ ("center"),
    liking,
  }));
  assert.equal(place(candidates, size, bounds, obstacles).y, 50);
  assert.equal(place(candidates, size, bounds, obstacles).y, 70);
  assert.equal(place(candidates, size, bounds, obstacles).y, 20);
});

test("a label rather crosses nothing at a less liked place than a stroke at the best one", () => {
  const bounds = { left: 0, top: 0, right: 100, bottom: 100 };
  const obstacles = {
    strokes: [/** @type {[number, number, number, number]} */ ([0, 50, 100, 50])],
    boxes: [],
  };
  const candidates = [50, 80].map((y, i) => ({
    x: 50,
    y,
    anchor: /** @type {const} */ ("center"),
    liking: i * 20,
  }));
  assert.equal(place(candidates, { width: 20, height: 10 }, bounds, obstacles).y, 80);
});

test("the length of a stroke inside a box is exact", () => {
  const box = { left: 0, top: 0, right: 10, bottom: 10 };
  assert.equal(lengthInside([-5, 5, 15, 5], box), 10);
  assert.ok(Math.abs(lengthInside([0, 0, 10, 10], box) - Math.hypot(10, 10)) < 1e-9);
  assert.equal(lengthInside([-5, -1, 15, -1], box), 0);
  assert.equal(lengthInside([5, 5, 5, 5], box), 0);
});

test("points on a straight line are dropped, corners and gaps are kept", () => {
  const same = (/** @type {number} */ v) => v;
  assert.deepEqual(simplify([0, 1, 2, 3, 4], [0, 1, 2, 1, 0], same, same), [
    [
      [0, 0],
      [2, 2],
      [4, 0],
    ],
  ]);
  assert.deepEqual(simplify([0, 1, 2, 3], [0, null, 1, 1], same, same), [
    [[0, 0]],
    [
      [2, 1],
      [3, 1],
    ],
  ]);
  assert.deepEqual(simplify([0, 2, 1], [0, 0, 0], same, same), [
    [
      [0, 0],
      [2, 0],
      [1, 0],
    ],
  ]);
});

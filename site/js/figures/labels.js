/**
 * Direct labels: every mark says what it is, beside itself, in its own colour. Placed in the order below, so that what
 * moves (dots, arrows) gives way to what stands (bars, bands, curves).
 * @import {Frame, PlacedText, Style} from "./types.js"
 * @import {Candidate, Obstacles, Size, Stroke} from "./place.js"
 */
import { barLabels } from "./bar-labels.js";
import { aroundPoint, atRule, besideLine, inBand } from "./candidates.js";
import { ruleTop } from "./marks.js";
import { inkOf, lookOf } from "./palette.js";
import { place } from "./place.js";
import { simplify } from "./polyline.js";
import { textWidth } from "./text-size.js";

const ARROW_HEAD = 4;

/** @param {Frame} frame @param {(number | null)[]} xs @param {(number | null)[]} ys @returns {Stroke[]} */
function strokesOf(frame, xs, ys) {
  /** @type {Stroke[]} */
  const strokes = [];
  for (const run of simplify(xs, ys, frame.px, frame.py)) {
    for (let i = 1; i < run.length; i += 1)
      strokes.push([run[i - 1][0], run[i - 1][1], run[i][0], run[i][1]]);
  }
  return strokes;
}

/** @param {Frame} frame @returns {Obstacles} */
function obstaclesOf(frame) {
  const { panel, px, py } = frame;
  const strokes = [...(panel.lines ?? []), ...(panel.segments ?? [])].flatMap((line) =>
    strokesOf(frame, line.x, line.y),
  );
  for (const rule of panel.rules ?? []) {
    const { plot } = frame;
    if (rule.axis === "y") strokes.push([plot.left, py(rule.at), plot.right, py(rule.at)]);
    else strokes.push([px(rule.at), ruleTop(frame), px(rule.at), plot.bottom]);
  }
  const boxes = (panel.points ?? []).map((point) => {
    const r = lookOf(point.role).size / 2;
    return { left: px(point.x) - r, right: px(point.x) + r, top: py(point.y) - r, bottom: py(point.y) + r };
  });
  return { strokes, boxes };
}

/** @typedef {{role: string, text: string, candidates: (size: Size) => Candidate[]}} Request */

/** @param {Frame} frame @returns {Request[]} */
function requests(frame) {
  const { bands = [], rules = [], lines = [], points = [], segments = [] } = frame.panel;
  const { px, py } = frame;
  /** @param {{role: string, label?: string}} mark @param {(size: Size) => Candidate[]} candidates @returns {Request[]} */
  const named = ({ role, label }, candidates) => (label ? [{ role, text: label, candidates }] : []);
  return [
    ...bands.flatMap((band) => named(band, (size) => inBand(frame, band, size))),
    ...rules.flatMap((rule) => named(rule, (size) => atRule(frame, rule, size))),
    ...lines.flatMap((line) => {
      const others = lines
        .filter((other) => other !== line)
        .flatMap((other) => strokesOf(frame, other.x, other.y));
      const own = strokesOf(frame, line.x, line.y);
      return named(line, (size) => besideLine(own, line.label_at ?? 0.85, size, others));
    }),
    ...points.flatMap((point) =>
      named(point, () => aroundPoint(px(point.x), py(point.y), lookOf(point.role).size / 2)),
    ),
    ...segments.flatMap((segment) =>
      named(segment, (size) => [
        ...besideLine(strokesOf(frame, segment.x, segment.y), 0.75, size),
        ...[1, 0].flatMap((end, i) =>
          aroundPoint(px(segment.x[end]), py(segment.y[end]), ARROW_HEAD).map((at) => ({
            ...at,
            liking: at.liking + 6 * (i + 1),
          })),
        ),
      ]),
    ),
  ];
}

/** All labels inside the axes of one panel. @param {Frame} frame @param {Style} style @returns {PlacedText[]} */
export function labelsOf(frame, style) {
  const { label, labelLine } = frame.type;
  const obstacles = obstaclesOf(frame);
  const placed = barLabels(frame, style, obstacles);
  for (const { role, text, candidates } of requests(frame)) {
    const size = { width: textWidth(text, label), height: labelLine };
    const list = candidates(size);
    if (list.length === 0) continue;
    const { x, y, anchor } = place(list, size, frame.plot, obstacles);
    placed.push({ text, x, y, anchor, size: label, color: inkOf(role, style.palette) });
  }
  return placed;
}

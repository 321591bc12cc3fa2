/**
 * Direct labels: every mark says what it is, beside itself, in its own colour. Placed in the order below, so that what
 * moves (dots, arrows) gives way to what stands (bars, bands, curves).
 * @import {Frame, PlacedText, Style} from "./types.js"
 * @import {Candidate, Obstacles, Stroke} from "./place.js"
 */
import { barLabels } from "./bar-labels.js";
import { aroundPoint, besideLine, besideRule, inBand } from "./candidates.js";
import { FONT } from "./frames.js";
import { inkOf, lookOf } from "./palette.js";
import { place } from "./place.js";
import { simplify } from "./polyline.js";
import { textWidth } from "./text-size.js";

const HEIGHT = 15;

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
    else strokes.push([px(rule.at), plot.top, px(rule.at), plot.bottom]);
  }
  const boxes = (panel.points ?? []).map((point) => {
    const r = lookOf(point.role).size / 2;
    return { left: px(point.x) - r, right: px(point.x) + r, top: py(point.y) - r, bottom: py(point.y) + r };
  });
  return { strokes, boxes };
}

/** @param {Frame} frame @returns {{role: string, text: string, candidates: (size: {width: number, height: number}) => Candidate[]}[]} */
function requests(frame) {
  const { panel, px, py } = frame;
  const lines = panel.lines ?? [];
  /** @param {import("./types.js").Line} line */
  const othersOf = (line) =>
    lines.filter((other) => other !== line).flatMap((other) => strokesOf(frame, other.x, other.y));
  /** @param {{label?: string}} mark */
  const named = (mark) => Boolean(mark.label);
  return [
    ...(panel.bands ?? []).filter(named).map((band) => ({
      role: band.role,
      text: band.label ?? "",
      candidates: /** @param {{width: number, height: number}} size */ (size) => inBand(frame, band, size),
    })),
    ...(panel.rules ?? []).filter(named).map((rule) => ({
      role: rule.role,
      text: rule.label ?? "",
      candidates: /** @param {{width: number, height: number}} size */ (size) =>
        besideRule(frame, rule, size),
    })),
    ...lines.filter(named).map((line) => ({
      role: line.role,
      text: line.label ?? "",
      candidates: /** @param {{width: number, height: number}} size */ (size) =>
        besideLine(strokesOf(frame, line.x, line.y), line.label_at ?? 0.85, size, othersOf(line)),
    })),
    ...(panel.points ?? []).filter(named).map((point) => ({
      role: point.role,
      text: point.label ?? "",
      candidates: () => aroundPoint(px(point.x), py(point.y), lookOf(point.role).size / 2),
    })),
    ...(panel.segments ?? []).filter(named).map((segment) => ({
      role: segment.role,
      text: segment.label ?? "",
      candidates: /** @param {{width: number, height: number}} size */ (size) => [
        ...besideLine(strokesOf(frame, segment.x, segment.y), 0.75, size),
        ...aroundPoint(px(segment.x[1]), py(segment.y[1]), 2).map((at) => ({ ...at, liking: at.liking + 6 })),
      ],
    })),
  ];
}

/** All labels inside the axes of one panel. @param {Frame} frame @param {Style} style @returns {PlacedText[]} */
export function labelsOf(frame, style) {
  const obstacles = obstaclesOf(frame);
  const placed = barLabels(frame, style, obstacles);
  for (const { role, text, candidates } of requests(frame)) {
    const size = { width: textWidth(text, FONT.label), height: HEIGHT };
    const list = candidates(size);
    if (list.length === 0) continue;
    const { x, y, anchor } = place(list, size.width, size.height, frame.plot, obstacles);
    placed.push({ text, x, y, anchor, size: FONT.label, color: inkOf(role, style.palette) });
  }
  return placed;
}

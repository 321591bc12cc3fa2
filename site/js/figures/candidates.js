/**
 * Where the label of each mark may stand, best first. Pixels of the design size.
 * @import {Band, Frame, Rule} from "./types.js"
 * @import {Candidate, Size, Stroke} from "./place.js"
 */
import { lengthInside } from "./place.js";

/** Free space between a mark and its label. */
const GAP = 4;
const ROWS = 6;
const LEADING = 17;
/** How far along its line a label may wander from where the view wants it. */
const WANDER = [0, 0.04, 0.08, 0.13, 0.19, 0.26, 0.34, 0.43, 0.53, 0.64, 0.76, 0.88].flatMap((step) =>
  step === 0 ? [0] : [-step, step],
);
/** A place where another line runs as close as this does not say which of them is meant. */
const TOO_CLOSE = 6;
const AMBIGUOUS = 45;

const LEFT = /** @type {const} */ ("left");
const RIGHT = /** @type {const} */ ("right");
const CENTER = /** @type {const} */ ("center");

/** Around a dot of radius r: right above first, because curves are read from the left. @param {number} x @param {number} y @param {number} r @returns {Candidate[]} */
export function aroundPoint(x, y, r) {
  return [0, 9, 20, 34].flatMap((extra, ring) => {
    const away = r + GAP + extra;
    const up = away + 4;
    /** @type {[number, number, Candidate["anchor"]][]} */
    const places = [
      [away * 0.8, -up, "left"],
      [-away * 0.8, -up, "right"],
      [away * 0.8, up, "left"],
      [-away * 0.8, up, "right"],
      [away + 1, 0, "left"],
      [-away - 1, 0, "right"],
      [0, -up - 4, "center"],
      [0, up + 4, "center"],
    ];
    return places.map(([dx, dy, anchor], i) => ({ x: x + dx, y: y + dy, anchor, liking: i + ring * 10 }));
  });
}

/** @param {Stroke[]} strokes @param {number} along 0 to 1 of the length @returns {{x: number, y: number, ux: number, uy: number}} */
function pointAlong(strokes, along) {
  const lengths = strokes.map(([x0, y0, x1, y1]) => Math.hypot(x1 - x0, y1 - y0));
  let left = along * lengths.reduce((sum, length) => sum + length, 0);
  let i = 0;
  while (i < strokes.length - 1 && left > lengths[i]) {
    left -= lengths[i];
    i += 1;
  }
  const [x0, y0, x1, y1] = strokes[i];
  const length = lengths[i] || 1;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  return { x: x0 + ux * left, y: y0 + uy * left, ux, uy };
}

/**
 * Beside a line, at the place the view asked for or near it, on the upper side first. The label's centre stands so far
 * off that a straight line does not touch it.
 * @param {Stroke[]} strokes @param {number} at @param {Size} size @param {Stroke[]} [others] the other lines
 * @returns {Candidate[]}
 */
export function besideLine(strokes, at, { width, height }, others = []) {
  if (strokes.length === 0) return [];
  const wanted = WANDER.map((step) => at + step).filter((along) => along >= 0 && along <= 1);
  return wanted.flatMap((along, i) => {
    const { x, y, ux, uy } = pointAlong(strokes, along);
    const up = ux < 0 || (ux === 0 && uy > 0) ? -1 : 1;
    const [nx, ny] = [uy * up, -ux * up];
    const near = { left: x - TOO_CLOSE, right: x + TOO_CLOSE, top: y - TOO_CLOSE, bottom: y + TOO_CLOSE };
    const doubt = others.some((stroke) => lengthInside(stroke, near) > 0) ? AMBIGUOUS : 0;
    const off = GAP + (Math.abs(nx) * width) / 2 + (Math.abs(ny) * height) / 2;
    return [1, -1].map((side, j) => ({
      x: x + side * nx * off,
      y: y + side * ny * off,
      anchor: CENTER,
      liking: i * 1.5 + j * 2 + doubt,
    }));
  });
}

/** At a rule: over the top of a vertical one, else beside it; over a level one at its right end. @param {Frame} frame @param {Rule} rule @param {Size} size @returns {Candidate[]} */
export function atRule({ plot, px, py }, rule, { height }) {
  if (rule.axis === "y") {
    const y = py(rule.at);
    const off = height / 2 + 1;
    return [plot.right - GAP, plot.left + GAP].flatMap((x, i) =>
      [-off, off].map((dy, j) => ({
        x,
        y: y + dy,
        anchor: i === 0 ? RIGHT : LEFT,
        liking: i * 2 + j,
      })),
    );
  }
  const x = px(rule.at);
  const over = { x, y: plot.top + height / 2 + 1, anchor: CENTER, liking: -1 };
  const beside = Array.from({ length: ROWS * 2 }, (_, i) => {
    const row = Math.floor(i / 2);
    const side = i % 2 === 0 ? 1 : -1;
    return {
      x: x + side * (GAP + 1),
      y: plot.top + height / 2 + 1 + row * LEADING,
      anchor: side === 1 ? LEFT : RIGHT,
      liking: i,
    };
  });
  return [over, ...beside];
}

/**
 * In or beside a band. A vertical one is named near the x axis, inside when nothing crosses there, else beside its edge; a level
 * one at its ends.
 * @param {Frame} frame @param {Band} band @param {Size} size @returns {Candidate[]}
 */
export function inBand({ plot, px, py }, band, { width, height }) {
  if (band.axis === "y") {
    const [top, bottom] = [py(band.to), py(band.from)];
    const rows = [(top + bottom) / 2, bottom + height / 2 + 1, top - height / 2 - 1];
    return rows.flatMap((y, row) => [
      { x: plot.right - GAP, y, anchor: RIGHT, liking: row * 2 },
      { x: plot.left + GAP, y, anchor: LEFT, liking: row * 2 + 1 },
    ]);
  }
  const half = width / 2 + GAP;
  const middle = (px(band.from) + px(band.to)) / 2;
  const x = Math.min(Math.max(middle, plot.left + half), plot.right - half);
  return Array.from({ length: ROWS }, (_, row) => plot.bottom - height / 2 - 3 - row * LEADING).flatMap(
    (y, row) => [
      { x, y, anchor: CENTER, liking: row * 3 },
      { x: px(band.to) + GAP, y, anchor: LEFT, liking: row * 3 + 1 },
      { x: px(band.from) - GAP, y, anchor: RIGHT, liking: row * 3 + 2 },
    ],
  );
}

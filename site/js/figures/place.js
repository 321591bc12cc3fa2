/**
 * Keeping labels off curves and off each other. Each label brings candidate places in order of liking; the first that
 * costs nothing is taken, else the cheapest. No randomness and no search beyond the list, so the same figure is always
 * labelled in the same way.
 * @import {Box} from "./types.js"
 *
 * @typedef {{x: number, y: number, anchor: "left" | "center" | "right", liking: number}} Candidate the lower, the better liked
 * @typedef {{width: number, height: number}} Size
 * @typedef {[number, number, number, number]} Stroke
 * @typedef {{strokes: Stroke[], boxes: Box[]}} Obstacles
 */

const COST = Object.freeze({ outside: 60, box: 40, stroke: 12 });
const PADDING = 2;

/** @param {Candidate} at @param {Size} size @returns {Box} */
export function boxAt({ x, y, anchor }, { width, height }) {
  const left = anchor === "left" ? x : anchor === "right" ? x - width : x - width / 2;
  return { left, right: left + width, top: y - height / 2, bottom: y + height / 2 };
}

/** Shared length on both sides, or 0. @param {Box} a @param {Box} b */
export function overlap(a, b) {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return wide > 0 && high > 0 ? Math.min(wide, high) : 0;
}

/** Length of the part of a stroke inside a box (Liang and Barsky's clipping). @param {Stroke} stroke @param {Box} box */
export function lengthInside([x0, y0, x1, y1], box) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  let [from, to] = [0, 1];
  for (const [step, room] of [
    [-dx, x0 - box.left],
    [dx, box.right - x0],
    [-dy, y0 - box.top],
    [dy, box.bottom - y0],
  ]) {
    if (step === 0) {
      if (room < 0) return 0;
    } else if (step < 0) {
      from = Math.max(from, room / step);
    } else {
      to = Math.min(to, room / step);
    }
  }
  return to > from ? (to - from) * Math.hypot(dx, dy) : 0;
}

/** @param {Box} box @param {Box} bounds @param {Obstacles} obstacles */
function costOf(box, bounds, obstacles) {
  const out =
    Math.max(0, bounds.left - box.left) +
    Math.max(0, box.right - bounds.right) +
    Math.max(0, bounds.top - box.top) +
    Math.max(0, box.bottom - bounds.bottom);
  let cost = out * COST.outside;
  const padded = {
    left: box.left - PADDING,
    right: box.right + PADDING,
    top: box.top - PADDING,
    bottom: box.bottom + PADDING,
  };
  for (const other of obstacles.boxes) cost += overlap(padded, other) * COST.box;
  for (const stroke of obstacles.strokes) cost += lengthInside(stroke, padded) * COST.stroke;
  return cost;
}

/**
 * The best candidate, and its box among the obstacles from then on.
 * @param {Candidate[]} candidates at least one @param {Size} size @param {Box} bounds @param {Obstacles} obstacles
 * @returns {Candidate}
 */
export function place(candidates, size, bounds, obstacles) {
  let best = candidates[0];
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of [...candidates].sort((a, b) => a.liking - b.liking)) {
    if (candidate.liking >= least) break;
    const cost = candidate.liking + costOf(boxAt(candidate, size), bounds, obstacles);
    if (cost < least) {
      least = cost;
      best = candidate;
    }
  }
  obstacles.boxes.push(boxAt(best, size));
  return best;
}

/**
 * Polylines in pixels: split at gaps, without points that a straight line passes within a twentieth of a pixel.
 * @typedef {[number, number]} Pixel
 */

const TOLERANCE = 0.05;

/** Does every point between stand on the straight line? @param {Pixel[]} points @param {number} from @param {number} to */
function straight(points, from, to) {
  const [x0, y0] = points[from];
  const [dx, dy] = [points[to][0] - x0, points[to][1] - y0];
  const length = Math.hypot(dx, dy);
  if (length < TOLERANCE) return false;
  for (let i = from + 1; i < to; i += 1) {
    const [px, py] = [points[i][0] - x0, points[i][1] - y0];
    const along = (px * dx + py * dy) / length;
    if (along < 0 || along > length || Math.abs(px * dy - py * dx) / length > TOLERANCE) return false;
  }
  return true;
}

/** @param {Pixel[]} points @returns {Pixel[]} */
function thin(points) {
  if (points.length < 3) return points;
  const kept = [points[0]];
  let from = 0;
  for (let to = 2; to < points.length; to += 1) {
    if (!straight(points, from, to)) {
      from = to - 1;
      kept.push(points[from]);
    }
  }
  kept.push(points[points.length - 1]);
  return kept;
}

/**
 * @param {ArrayLike<number | null>} xs @param {ArrayLike<number | null>} ys
 * @param {(x: number) => number} toX @param {(y: number) => number} toY @returns {Pixel[][]} runs of points without a gap
 */
export function simplify(xs, ys, toX, toY) {
  /** @type {Pixel[][]} */
  const runs = [[]];
  for (let i = 0; i < xs.length; i += 1) {
    const [x, y] = [xs[i], ys[i]];
    if (x === null || y === null || !Number.isFinite(x) || !Number.isFinite(y)) runs.push([]);
    else runs[runs.length - 1].push([toX(x), toY(y)]);
  }
  return runs.filter((run) => run.length > 0).map(thin);
}

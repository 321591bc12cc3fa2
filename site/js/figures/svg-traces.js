/**
 * One function for each kind of trace and shape, as Plotly draws it.
 * @import {Plain} from "./types.js"
 * @import {SvgNode} from "./svg-tree.js"
 * @import {Subplot} from "./svg-axes.js"
 * @typedef {{color: string, width: number, dash: string}} Stroke
 * @typedef {{x: (number | null)[], y: (number | null)[]}} Points
 */
import { simplify } from "./polyline.js";
import { node, rounded } from "./svg-tree.js";

/** Plotly's sizes of the symbols, as shares of the radius. */
const DIAMOND = 1.3;
/** Plotly puts the middle of a line of text this share of the font size above its baseline. */
const TEXT_MIDDLE = 0.25;

/** @param {Stroke} line */
const strokeOf = ({ color, width, dash }) => ({
  fill: "none",
  stroke: color,
  "stroke-width": width,
  "stroke-dasharray": dash === "solid" ? undefined : dash.replaceAll("px", "").replaceAll(",", " "),
});

/** @param {Plain} trace @param {Subplot} subplot @returns {SvgNode[]} */
export function lineNodes(trace, { px, py }) {
  const { x, y } = /** @type {Points} */ (/** @type {unknown} */ (trace));
  const d = simplify(x, y, px, py)
    .map((run) => `M${run.map(([left, top]) => `${rounded(left)},${rounded(top)}`).join("L")}`)
    .join("");
  const stroke = strokeOf(/** @type {Stroke} */ (trace.line));
  return d === "" ? [] : [node("path", { d, ...stroke, "stroke-miterlimit": 2 })];
}

/** @param {string} symbol @param {number} x @param {number} y @param {number} r @returns {SvgNode} */
function symbolNode(symbol, x, y, r) {
  if (symbol === "circle") return node("circle", { cx: x, cy: y, r });
  if (symbol === "square") return node("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r });
  const far = r * DIAMOND;
  const corners = [
    [x + far, y],
    [x, y - far],
    [x - far, y],
    [x, y + far],
  ];
  return node("polygon", {
    points: corners.map(([left, top]) => `${rounded(left)},${rounded(top)}`).join(" "),
  });
}

/** Points outside the axes are not shown; those on the edge are whole. @param {Points} points @param {Subplot} subplot */
function inside({ x, y }, { x: ax, y: ay }) {
  /** @param {number} value @param {number[]} range */
  const within = (value, range) => value >= Math.min(...range) && value <= Math.max(...range);
  return x.flatMap((left, i) => {
    const top = y[i];
    return left !== null && top !== null && within(left, ax.range) && within(top, ay.range)
      ? [{ i, x: left, y: top }]
      : [];
  });
}

/** @param {Plain} trace @param {Subplot} subplot @returns {SvgNode[]} */
export function markerNodes(trace, subplot) {
  const marker =
    /** @type {{size: number[], symbol: string[], color: string[], line: {width: number[], color: string[]}}} */ (
      trace.marker
    );
  return inside(/** @type {Points} */ (/** @type {unknown} */ (trace)), subplot).map(({ i, x, y }) => {
    const part = symbolNode(marker.symbol[i], subplot.px(x), subplot.py(y), marker.size[i] / 2);
    const look = {
      fill: marker.color[i],
      stroke: marker.line.color[i],
      "stroke-width": marker.line.width[i],
    };
    return node(part.tag, { ...part.attributes, ...look });
  });
}

/** Plotly text is HTML; ours is plain text with three entities. @param {string} text */
const plainText = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** @param {Plain} trace @param {Subplot} subplot @returns {SvgNode[]} */
export function textNodes(trace, subplot) {
  const font = /** @type {{size: number[], color: string[], weight: number[]}} */ (trace.textfont);
  const texts = /** @type {string[]} */ (trace.text);
  const positions = /** @type {string[]} */ (trace.textposition);
  /** @type {Record<string, string>} */
  const anchors = { "middle right": "start", "middle center": "middle", "middle left": "end" };
  return inside(/** @type {Points} */ (/** @type {unknown} */ (trace)), subplot).map(({ i, x, y }) =>
    node(
      "text",
      {
        x: subplot.px(x),
        y: subplot.py(y) + TEXT_MIDDLE * font.size[i],
        "font-size": font.size[i],
        "font-weight": font.weight[i] === 400 ? undefined : font.weight[i],
        "text-anchor": anchors[positions[i]],
        fill: font.color[i],
      },
      [plainText(texts[i])],
    ),
  );
}

/** @param {Plain} trace @param {Subplot} subplot @returns {SvgNode[]} */
export function barNodes(trace, { px, py }) {
  const { x, y } = /** @type {Points} */ (/** @type {unknown} */ (trace));
  const { color } = /** @type {{color: string[]}} */ (trace.marker);
  const [offset, width] = [Number(trace.offset), Number(trace.width)];
  return x.flatMap((at, i) => {
    const value = y[i];
    if (at === null || value === null || value === 0) return [];
    const [left, right, base] = [px(at + offset), px(at + offset + width), py(0)];
    const end = py(value);
    // Like Plotly: a bar lower than two pixels grows to whole pixels, so that it is seen.
    const shown = Math.abs(end - base) >= 2 ? end : end > base ? Math.ceil(end) : Math.floor(end);
    const [top, bottom] = [Math.min(shown, base), Math.max(shown, base)];
    return [node("rect", { x: left, y: top, width: right - left, height: bottom - top, fill: color[i] })];
  });
}

/** @param {Plain} shape @param {Subplot} subplot @returns {SvgNode} */
export function shapeNode(shape, { left, top, width, height, px, py }) {
  const { x0, x1, y0, y1 } = /** @type {Record<string, number>} */ (/** @type {unknown} */ (shape));
  const [l, r] = String(shape.xref).endsWith("domain")
    ? [left + x0 * width, left + x1 * width]
    : [px(x0), px(x1)];
  const [a, b] = String(shape.yref).endsWith("domain")
    ? [top + (1 - y0) * height, top + (1 - y1) * height]
    : [py(y0), py(y1)];
  if (shape.type === "line") {
    return node("line", { x1: l, y1: a, x2: r, y2: b, ...strokeOf(/** @type {Stroke} */ (shape.line)) });
  }
  const box = { x: Math.min(l, r), y: Math.min(a, b), width: Math.abs(r - l), height: Math.abs(b - a) };
  return node("rect", { ...box, fill: String(shape.fillcolor) });
}

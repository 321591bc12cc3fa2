/**
 * Axes of one subplot as Plotly draws them: gridlines, zero line, axis line, ticks, tick labels. The offsets are Plotly's
 * own (its axes.js); tests/browser/test_figures.py compares both drawings.
 * @import {Plain} from "./types.js"
 * @import {SvgNode} from "./svg-tree.js"
 *
 * @typedef {{visible: boolean, domain: [number, number], range: [number, number], tickvals: number[], ticktext: string[],
 *   tickfont: {size: number, color: string}, ticks: string, ticklen: number, tickwidth: number, tickcolor: string,
 *   ticklabelstandoff: number, showline: boolean, linecolor: string, linewidth: number, showgrid: boolean,
 *   gridcolor: string, gridwidth: number, zeroline: boolean, zerolinecolor: string, zerolinewidth: number}} Axis
 * @typedef {{x: Axis, y: Axis, left: number, top: number, width: number, height: number,
 *   px: (x: number) => number, py: (y: number) => number}} Subplot
 */
import { node } from "./svg-tree.js";

/** Plotly's share of the font size between the middle of a line of text and its baseline. */
const MID_SHIFT = 0.35;
const LABEL_STANDOFF = 0.2;

/** @param {Plain} layout @param {string} x such as "x2" @param {string} y @returns {Subplot} */
export function subplotOf(layout, x, y) {
  /** @param {string} id */
  const axisOf = (id) => {
    const axis = layout[`${id[0]}axis${id.slice(1)}`];
    if (!axis) throw new Error(`a trace names the axis "${id}", which the layout lacks`);
    return /** @type {Axis} */ (axis);
  };
  const [ax, ay] = [axisOf(x), axisOf(y)];
  const [width, height] = [Number(layout.width), Number(layout.height)];
  const left = ax.domain[0] * width;
  const top = (1 - ay.domain[1]) * height;
  const across = (ax.domain[1] - ax.domain[0]) * width;
  const down = (ay.domain[1] - ay.domain[0]) * height;
  return {
    x: ax,
    y: ay,
    left,
    top,
    width: across,
    height: down,
    px: (value) => left + ((value - ax.range[0]) / (ax.range[1] - ax.range[0])) * across,
    py: (value) => top + (1 - (value - ay.range[0]) / (ay.range[1] - ay.range[0])) * down,
  };
}

/** @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @param {string} stroke @param {number} width */
function crispLine(x0, y0, x1, y1, stroke, width) {
  const d = { x1: x0, y1: y0, x2: x1, y2: y1 };
  return node("line", { ...d, stroke, "stroke-width": width, "shape-rendering": "crispEdges" });
}

/** Under the data: gridlines of the y axis and the zero line. @param {Subplot} subplot @returns {SvgNode[]} */
export function gridNodes({ y, left, top, width, height, py }) {
  const right = left + width;
  const [zero, zeroAt] = [y.zeroline && y.range[0] * y.range[1] <= 0, py(0)];
  const lines = (y.showgrid ? y.tickvals : [])
    .filter((value) => !(zero && value === 0))
    .map(py)
    // Like Plotly: no gridline within a pixel of the ends.
    .filter((at) => at > top + 1 && at < top + height - 1)
    .map((at) => crispLine(left, at, right, at, y.gridcolor, y.gridwidth));
  if (zero) lines.push(crispLine(left, zeroAt, right, zeroAt, y.zerolinecolor, y.zerolinewidth));
  return lines;
}

/** The x axis line with its ticks, and the tick labels of both axes. @param {Subplot} subplot @returns {SvgNode[]} */
export function axisNodes({ x, y, left, top, width, height, px, py }) {
  const bottom = top + height;
  const line = x.showline ? x.linewidth : 0;
  const outside = x.ticks === "outside";
  const parts = [];
  if (x.showline) {
    parts.push(crispLine(left, bottom + line / 2, left + width, bottom + line / 2, x.linecolor, line));
  }
  if (outside) {
    for (const at of x.tickvals.map(px)) {
      parts.push(crispLine(at, bottom + line, at, bottom + line + x.ticklen, x.tickcolor, x.tickwidth));
    }
  }
  const size = x.tickfont.size;
  const standoff = (outside ? x.ticklen : 0) + (outside || x.showline ? LABEL_STANDOFF * size : 0);
  const below =
    bottom + (x.linewidth ?? 1) / 2 + standoff + (x.linewidth ?? 1) / 2 + x.ticklabelstandoff + size;
  const xFont = { "font-size": size, fill: x.tickfont.color, "text-anchor": "middle" };
  x.ticktext.forEach((text, i) => {
    parts.push(node("text", { x: px(x.tickvals[i]), y: below, ...xFont }, [text]));
  });
  const yFont = { "font-size": y.tickfont.size, fill: y.tickfont.color, "text-anchor": "end" };
  const at = left - (y.linewidth ?? 1) - y.ticklabelstandoff;
  y.ticktext.forEach((text, i) => {
    parts.push(node("text", { x: at, y: py(y.tickvals[i]) + MID_SHIFT * y.tickfont.size, ...yFont }, [text]));
  });
  return parts;
}

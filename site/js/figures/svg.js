/**
 * The SVG writer: the small part of Plotly that our figures use, drawn without Plotly. Build time writes it as text, the
 * page draws it when Plotly cannot be loaded and for print.
 * @import {Plain, PlotlyFigure} from "./types.js"
 * @import {SvgNode} from "./svg-tree.js"
 */
import { axisNodes, gridNodes, subplotOf } from "./svg-axes.js";
import { checkSubset } from "./svg-subset.js";
import { barNodes, lineNodes, markerNodes, shapeNode, textNodes } from "./svg-traces.js";
import { node, svgText } from "./svg-tree.js";

/** A nested svg clips what leaves it, without ids that could meet twice in one page. @param {import("./svg-axes.js").Subplot} subplot @param {SvgNode[]} children */
function clipped({ left, top, width, height }, children) {
  if (children.length === 0) return [];
  const box = {
    x: left,
    y: top,
    width,
    height,
    viewBox: [left, top, width, height].map((n) => Math.round(n * 100) / 100).join(" "),
  };
  return [node("svg", box, children)];
}

/** @param {Plain[]} data @param {string} kind */
const ofKind = (data, kind) => data.filter((trace) => (trace.type === "bar" ? "bar" : trace.mode) === kind);

/** @param {PlotlyFigure} figure @param {string} x @param {string} y @returns {SvgNode[]} */
function subplotNodes({ data, layout }, x, y) {
  const subplot = subplotOf(layout, x, y);
  const traces = data.filter((trace) => trace.xaxis === x && trace.yaxis === y);
  const shapes = /** @type {Plain[]} */ (layout.shapes ?? []).filter(
    (shape) => String(shape.xref).split(" ")[0] === x && String(shape.yref).split(" ")[0] === y,
  );
  const axes = subplot.x.visible === false ? [] : [...gridNodes(subplot), ...axisNodes(subplot)];
  /** @param {string} layer */
  const drawn = (layer) =>
    shapes.filter((shape) => shape.layer === layer).map((shape) => shapeNode(shape, subplot));
  return [
    ...clipped(subplot, drawn("below")),
    ...axes,
    ...clipped(subplot, drawn("between")),
    ...clipped(subplot, [
      ...ofKind(traces, "bar").flatMap((trace) => barNodes(trace, subplot)),
      ...ofKind(traces, "lines").flatMap((trace) => lineNodes(trace, subplot)),
    ]),
    ...ofKind(traces, "markers").flatMap((trace) => markerNodes(trace, subplot)),
    ...ofKind(traces, "text").flatMap((trace) => textNodes(trace, subplot)),
  ];
}

/** @param {PlotlyFigure} figure @returns {SvgNode} */
export function svgTree(figure) {
  checkSubset(figure);
  const { data, layout } = figure;
  const pairs = [...new Set(data.map((trace) => `${trace.xaxis} ${trace.yaxis}`))];
  const [width, height] = [Number(layout.width), Number(layout.height)];
  const font = /** @type {{family: string}} */ (layout.font);
  return node(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      "font-family": font.family,
      "aria-hidden": "true",
      focusable: "false",
    },
    pairs.flatMap((pair) => subplotNodes(figure, pair.split(" ")[0], pair.split(" ")[1])),
  );
}

/** The picture as text; the same figure always gives the same text. @param {PlotlyFigure} figure */
export const svg = (figure) => svgText(svgTree(figure));

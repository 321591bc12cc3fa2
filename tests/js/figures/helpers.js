/**
 * What the tests of the figures share: drawing a figure in plain colours, and reading the answer.
 * @import {Figure, Panel, Plain, PlotlyFigure} from "../../../site/js/figures/types.js"
 */
import { figure } from "../../../site/js/figures/figure.js";
import { staticPalette } from "../../../site/js/figures/palette.js";
import { figureSize } from "../../../site/js/figures/size.js";
import { svg } from "../../../site/js/figures/svg.js";

/** @param {Partial<Panel>} [marks] @returns {Figure} one panel, x from 0 to 2, y from −4 to 4 */
export function onePanel(marks = {}) {
  const x = { label: "ratio", range: [0, 2] };
  const y = { label: "contribution", unit: "reward units", range: [-4, 4] };
  return { panels: [{ id: "only", title: "", x, y, ...marks }] };
}

/** @param {Figure} model @param {"wide" | "narrow"} [size] @param {number} [scale] @returns {PlotlyFigure} */
export function draw(model, size = "wide", scale = 1) {
  const { width, height } = figureSize(model, size);
  const place = { width: width * scale, height: height * scale, narrow: size === "narrow" };
  return figure(model, { palette: staticPalette(), ...place });
}

/** @param {Figure} model @param {"wide" | "narrow"} [size] */
export const drawSvg = (model, size = "wide") => svg(draw(model, size));

/** Any property, without a word about types. @param {unknown} object @param {...(string | number)} path @returns {any} */
export function at(object, ...path) {
  return path.reduce((/** @type {any} */ value, key) => value?.[key], object);
}

/** The traces of one mode ("lines", "markers", "text") or the bars, page titles left out. @param {PlotlyFigure} drawn @param {string} kind @returns {Plain[]} */
export const traces = ({ data }, kind) =>
  data.filter((trace) => (trace.type === "bar" ? "bar" : trace.mode) === kind && trace.xaxis !== "x");

/** Every text of a figure. @param {PlotlyFigure} drawn @returns {string[]} */
export const texts = ({ data }) =>
  data.filter((trace) => trace.mode === "text").flatMap((trace) => at(trace, "text"));

/** @template T @param {T} value @returns {T} the same, and nothing in it can be changed */
export function frozen(value) {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

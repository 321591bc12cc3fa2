/**
 * One function for each mark of the panel language: data in, a Plotly trace or shape out.
 * @import {Band, Frame, Line, Plain, PlacedText, Point, Rule, Segment, Style} from "./types.js"
 */
import { lookOf } from "./palette.js";

const HEAD = Object.freeze({ length: 9, half: 5 });
const RING = 1.5;
const NAME_STRIP = 18;

/** Plotly reads a little HTML in text; figures show plain text. @param {string} text */
export const escapeText = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** @param {number[]} dash @param {number} scale */
const dashText = (dash, scale) =>
  dash.length === 0 ? "solid" : dash.map((length) => `${Math.round(length * scale * 100) / 100}px`).join(",");

/** @param {string} role @param {Style} style @returns {Plain} */
function stroke(role, { palette, scale }) {
  const { width, dash } = lookOf(role);
  return { color: palette.role(role), width: width * scale, dash: dashText(dash, scale) };
}

/** @param {Frame} frame */
const on = (frame) => ({ xaxis: frame.xAxis, yaxis: frame.yAxis });

/** What stands under the pointer: both values with their names and units. @param {Frame} frame @param {string} [name] of the curve */
function hoverText({ panel: { x, y } }, name) {
  /** @param {string} label @param {string} value @param {string} [unit] */
  const line = (label, value, unit) => `${escapeText(label)} ${value}${unit ? ` ${escapeText(unit)}` : ""}`;
  return `${line(name || y.label, "%{y:.3~f}", y.unit)}<br>${line(x.label, "%{x:.3~f}", x.unit)}<extra></extra>`;
}

/** A region of one axis, across the whole of the other. @param {Frame} frame @param {Band} band @param {Style} style @returns {Plain} */
export function bandShape(frame, band, { palette }) {
  const across =
    band.axis === "y"
      ? { xref: `${frame.xAxis} domain`, yref: frame.yAxis, x0: 0, x1: 1, y0: band.from, y1: band.to }
      : { xref: frame.xAxis, yref: `${frame.yAxis} domain`, x0: band.from, x1: band.to, y0: 0, y1: 1 };
  return { type: "rect", layer: "below", ...across, fillcolor: palette.role(band.role), line: { width: 0 } };
}

/** Upright rules leave a strip free at the top when one of them has a name, which then stands there. @param {Frame} frame */
export const ruleTop = ({ panel, plot }) =>
  plot.top + ((panel.rules ?? []).some((rule) => rule.axis === "x" && rule.label) ? NAME_STRIP : 0);

/** A line across the panel at one value, over the gridline that may run there (Plotly allows that in data coordinates only). @param {Frame} frame @param {Rule} rule @param {Style} style @returns {Plain} */
export function ruleShape(frame, rule, style) {
  const { plot, dataX, dataY } = frame;
  const across =
    rule.axis === "y"
      ? { x0: dataX(plot.left), x1: dataX(plot.right), y0: rule.at, y1: rule.at }
      : { x0: rule.at, x1: rule.at, y0: dataY(plot.bottom), y1: dataY(ruleTop(frame)) };
  return {
    type: "line",
    layer: "between",
    xref: frame.xAxis,
    yref: frame.yAxis,
    ...across,
    line: stroke(rule.role, style),
  };
}

/** @param {Frame} frame @param {Line} line @param {Style} style @returns {Plain} */
export function lineTrace(frame, line, style) {
  return {
    type: "scatter",
    mode: "lines",
    ...on(frame),
    x: line.x,
    y: line.y,
    line: { ...stroke(line.role, style), simplify: false },
    hovertemplate: hoverText(frame, line.label),
  };
}

/** A straight piece; with `arrow` its second end has a head of fixed size. @param {Frame} frame @param {Segment} segment @param {Style} style @returns {Plain} */
export function segmentTrace(frame, segment, style) {
  const x = [...segment.x.slice(0, 2)];
  const y = [...segment.y.slice(0, 2)];
  const [tailX, tipX] = x.map(frame.px);
  const [tailY, tipY] = y.map(frame.py);
  const length = Math.hypot(tipX - tailX, tipY - tailY);
  if (segment.arrow && length > HEAD.half) {
    const [ux, uy] = [(tipX - tailX) / length, (tipY - tailY) / length];
    /** @param {number} side */
    const barb = (side) => ({
      x: frame.dataX(tipX - HEAD.length * ux - side * HEAD.half * uy),
      y: frame.dataY(tipY - HEAD.length * uy + side * HEAD.half * ux),
    });
    const [left, right] = [barb(1), barb(-1)];
    x.push(Number.NaN, left.x, x[1], right.x);
    y.push(Number.NaN, left.y, y[1], right.y);
  }
  /** @param {number[]} values */
  const gaps = (values) => values.map((value) => (Number.isNaN(value) ? null : value));
  const line = { ...stroke(segment.role, style), simplify: false };
  return { type: "scatter", mode: "lines", ...on(frame), x: gaps(x), y: gaps(y), line, hoverinfo: "skip" };
}

/** All points of a panel in one trace. @param {Frame} frame @param {Point[]} points @param {Style} style @returns {Plain} */
export function pointTrace(frame, points, { palette, scale }) {
  const looks = points.map((point) => lookOf(point.role));
  const colors = points.map((point) => palette.role(point.role));
  return {
    type: "scatter",
    mode: "markers",
    ...on(frame),
    x: points.map((point) => point.x),
    y: points.map((point) => point.y),
    marker: {
      size: looks.map((look) => look.size * scale),
      symbol: looks.map((look) => look.symbol),
      color: looks.map((look, i) => (look.hollow ? palette.paper : colors[i])),
      opacity: 1,
      line: {
        width: looks.map(() => RING * scale),
        color: looks.map((look, i) => (look.hollow ? colors[i] : palette.paper)),
      },
    },
    hovertemplate: hoverText(frame),
    hoverlabel: { bordercolor: colors },
    cliponaxis: false,
  };
}

/**
 * Texts as one trace. `toX`, `toY` bring the pixels of the design size to the axes of the trace.
 * @param {PlacedText[]} texts @param {Style} style @param {{xaxis: string, yaxis: string}} axes
 * @param {(x: number) => number} toX @param {(y: number) => number} toY @returns {Plain}
 */
export function textTrace(texts, { palette, scale }, axes, toX, toY) {
  const sides = { left: "middle right", center: "middle center", right: "middle left" };
  return {
    type: "scatter",
    mode: "text",
    ...axes,
    x: texts.map((text) => toX(text.x)),
    y: texts.map((text) => toY(text.y)),
    text: texts.map((text) => escapeText(text.text)),
    textposition: texts.map((text) => sides[text.anchor]),
    textfont: {
      family: palette.font,
      size: texts.map((text) => text.size * scale),
      color: texts.map((text) => text.color),
      weight: texts.map((text) => (text.bold ? 600 : 400)),
    },
    cliponaxis: false,
    hoverinfo: "skip",
  };
}

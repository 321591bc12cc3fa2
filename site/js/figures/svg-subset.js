/**
 * The part of Plotly's language that the SVG writer draws. Whatever is not listed is refused with its path, so that the static
 * picture can never silently say less than the live one.
 * @import {Plain, PlotlyFigure} from "./types.js"
 * @typedef {(value: unknown) => boolean} Test
 * @typedef {Test | {[key: string]: Rule}} Rule
 */

/** @type {Test} */
const number = (value) => typeof value === "number" && Number.isFinite(value);
/** @type {Test} */
const text = (value) => typeof value === "string";
/** @type {Test} */
const flag = (value) => typeof value === "boolean";
/** What only the live plot uses. @type {Test} */
const live = () => true;
/** @param {Test} test @returns {Test} */
const list = (test) => (value) => Array.isArray(value) && value.every((item) => test(item));
/** @param {...unknown} values @returns {Test} */
const only =
  (...values) =>
  (value) =>
    values.includes(value);
const pair = /** @type {Test} */ (
  (value) => list(number)(value) && /** @type {unknown[]} */ (value).length === 2
);
const coordinates = list((value) => value === null || number(value));
const dash = /** @type {Test} */ (
  (value) => value === "solid" || (text(value) && /^[\d.,px]+$/.test(String(value)))
);

const STROKE = { color: text, width: number, dash };
const COMMON = {
  x: coordinates,
  y: coordinates,
  xaxis: text,
  yaxis: text,
  hovertemplate: live,
  hoverinfo: live,
  hoverlabel: live,
};
const MARKER = {
  size: list(number),
  symbol: list(only("circle", "square", "diamond")),
  color: list(text),
  opacity: only(1),
  line: { width: list(number), color: list(text) },
};
const TEXT_FONT = { family: text, size: list(number), color: list(text), weight: list(number) };

/** @type {Record<string, Record<string, Rule>>} */
const TRACES = {
  lines: {
    type: only("scatter"),
    mode: only("lines"),
    ...COMMON,
    line: { ...STROKE, simplify: only(false) },
  },
  markers: {
    type: only("scatter"),
    mode: only("markers"),
    ...COMMON,
    marker: MARKER,
    cliponaxis: only(false),
  },
  text: {
    type: only("scatter"),
    mode: only("text"),
    ...COMMON,
    text: list((value) => text(value) && !/<|>/.test(String(value))),
    textposition: list(only("middle left", "middle center", "middle right")),
    textfont: TEXT_FONT,
    cliponaxis: only(false),
  },
  bar: {
    type: only("bar"),
    ...COMMON,
    width: number,
    offset: number,
    marker: { color: list(text), line: { width: only(0) } },
  },
};

const SHAPE = {
  type: only("rect", "line"),
  layer: only("below", "between"),
  xref: text,
  yref: text,
  x0: number,
  x1: number,
  y0: number,
  y1: number,
  fillcolor: text,
  line: STROKE,
};

const AXIS = {
  visible: flag,
  fixedrange: only(true),
  automargin: only(false),
  layer: only("below traces"),
  anchor: text,
  domain: pair,
  range: pair,
  tickmode: only("array"),
  tickvals: list(number),
  ticktext: list(text),
  tickangle: only(0),
  tickfont: { family: text, size: number, color: text },
  ticks: only("", "outside"),
  ticklen: number,
  tickwidth: number,
  tickcolor: text,
  ticklabeloverflow: only("allow"),
  ticklabelstandoff: number,
  showline: flag,
  linecolor: text,
  linewidth: number,
  showgrid: flag,
  gridcolor: text,
  gridwidth: number,
  zeroline: flag,
  zerolinecolor: text,
  zerolinewidth: number,
};

const LAYOUT = {
  width: number,
  height: number,
  margin: { l: only(0), r: only(0), t: only(0), b: only(0), pad: only(0), autoexpand: only(false) },
  paper_bgcolor: text,
  plot_bgcolor: text,
  font: { family: text, size: number, color: text },
  showlegend: only(false),
  barmode: only("overlay"),
  dragmode: live,
  hovermode: live,
  hoverlabel: live,
  uirevision: live,
  datarevision: live,
};

/** @param {unknown} value @param {Rule} rule @param {string} path */
function check(value, rule, path) {
  if (typeof rule === "function") {
    if (!rule(value)) throw new Error(`the SVG writer does not draw ${path} = ${JSON.stringify(value)}`);
    return;
  }
  if (typeof value !== "object" || value === null) throw new Error(`${path} must be an object`);
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    if (!Object.hasOwn(rule, key)) throw new Error(`the SVG writer does not draw ${path}.${key}`);
    check(part, rule[key], `${path}.${key}`);
  }
}

/** Throws at the first thing that the SVG writer could not draw. @param {PlotlyFigure} figure */
export function checkSubset({ data, layout }) {
  for (const [i, trace] of data.entries()) {
    const kind = String(trace.type === "bar" ? "bar" : trace.mode);
    const rule = Object.hasOwn(TRACES, kind) ? TRACES[kind] : undefined;
    if (!rule)
      throw new Error(`the SVG writer does not draw data[${i}] of type ${trace.type} and mode ${trace.mode}`);
    check(trace, rule, `data[${i}]`);
  }
  const { shapes = [], ...rest } = layout;
  for (const [i, shape] of /** @type {unknown[]} */ (shapes).entries())
    check(shape, SHAPE, `layout.shapes[${i}]`);
  for (const [key, value] of Object.entries(rest)) {
    if (/^[xy]axis\d*$/.test(key)) check(value, AXIS, `layout.${key}`);
    else check({ [key]: value }, LAYOUT, "layout");
  }
}

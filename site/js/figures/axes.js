/**
 * Plotly axes of a panel, and the invisible page axes in which titles are placed by pixel. All ranges, ticks and positions
 * are fixed: Plotly decides nothing, so nothing jumps and the static picture can agree with it.
 * @import {Frame, Palette, PlacedText, Plain, Style} from "./types.js"
 */
import { FONT, HEADER_GAP, LINE_HEIGHT, TICK_GAP, titleLines } from "./frames.js";
import { rangeOf, ticksOf } from "./ticks.js";

const TICK_LENGTH = 4;

/** What the x axis and the y axis have in common. @param {Style} style @returns {Plain} */
function plainAxis({ palette, scale }) {
  return {
    fixedrange: true,
    automargin: false,
    layer: "below traces",
    showgrid: false,
    zeroline: false,
    ticklabeloverflow: "allow",
    tickmode: "array",
    tickangle: 0,
    tickfont: { family: palette.font, size: FONT.tick * scale, color: palette.soft },
  };
}

/** @param {Frame} frame @param {Style} style @param {{width: number, height: number}} size @returns {Plain} */
export function panelAxes(frame, style, size) {
  const { panel, plot } = frame;
  const { palette, scale } = style;
  const x = ticksOf(panel.x);
  const y = ticksOf(panel.y);
  const [low, high] = rangeOf(panel.y);
  const bars = panel.x.categories !== undefined;
  // Bars that go below zero stand on the zero line; another line at the bottom would only confuse.
  const line = !(bars && low < 0);
  return {
    [`xaxis${frame.index + 2}`]: {
      ...plainAxis(style),
      anchor: frame.yAxis,
      domain: [plot.left / size.width, plot.right / size.width],
      range: rangeOf(panel.x),
      tickvals: x.values,
      ticktext: x.texts,
      ticks: bars ? "" : "outside",
      ticklen: TICK_LENGTH * scale,
      tickwidth: 1,
      tickcolor: palette.axis,
      ticklabelstandoff: Math.round((!bars ? 1 : line ? TICK_GAP - 2 : TICK_GAP) * scale),
      showline: line,
      linecolor: palette.axis,
      linewidth: 1,
    },
    [`yaxis${frame.index + 2}`]: {
      ...plainAxis(style),
      anchor: frame.xAxis,
      domain: [1 - plot.bottom / size.height, 1 - plot.top / size.height],
      range: [low, high],
      tickvals: y.values,
      ticktext: y.texts,
      ticks: "",
      ticklabelstandoff: Math.round(TICK_GAP * scale),
      showline: false,
      showgrid: true,
      gridcolor: palette.grid,
      gridwidth: 1,
      zeroline: low < 0 && high > 0,
      zerolinecolor: palette.axis,
      zerolinewidth: 1,
    },
  };
}

/** Pixels of the design size, origin at the top left. @param {{width: number, height: number}} size @returns {Plain} */
export function pageAxes(size) {
  return {
    xaxis: { visible: false, fixedrange: true, domain: [0, 1], range: [0, size.width] },
    yaxis: { visible: false, fixedrange: true, domain: [0, 1], range: [size.height, 0] },
  };
}

/** Title and y title above the panel, x title below: all level, so nobody tilts the head. @param {Frame} frame @param {Palette} palette @returns {PlacedText[]} */
export function titlesOf({ panel, cell, plot }, palette) {
  const lines = titleLines(panel, cell.right - cell.left);
  const yTop = plot.top - HEADER_GAP + 2 - lines.y.length * LINE_HEIGHT.axis;
  const xTop = cell.bottom - lines.x.length * LINE_HEIGHT.axis;
  /** @param {string[]} texts @param {number} top @param {number} height @param {Omit<PlacedText, "text" | "y">} rest */
  const stack = (texts, top, height, rest) =>
    texts.map((text, i) => ({ ...rest, text, y: top + (i + 0.5) * height }));
  return [
    ...stack(lines.title, cell.top, LINE_HEIGHT.title, {
      x: cell.left,
      anchor: "left",
      size: FONT.title,
      color: palette.ink,
      bold: true,
    }),
    ...stack(lines.y, yTop, LINE_HEIGHT.axis, {
      x: cell.left,
      anchor: "left",
      size: FONT.axis,
      color: palette.soft,
    }),
    ...stack(lines.x, xTop, LINE_HEIGHT.axis, {
      x: (plot.left + plot.right) / 2,
      anchor: "center",
      size: FONT.axis,
      color: palette.soft,
    }),
  ];
}

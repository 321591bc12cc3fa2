/**
 * Plotly axes of a panel, and the invisible page axes in which titles are placed by pixel. All ranges, ticks and positions
 * are fixed: Plotly decides nothing, so nothing jumps and the static picture can agree with it.
 * @import {Frame, Palette, PlacedText, Plain, Style} from "./types.js"
 */
import { rangeOf } from "./ticks.js";

const TICK_LENGTH = 4;
/** Plotly's shares of the font size: between axis and tick label, and between the middle of a text and its baseline. */
const STANDOFF = 0.2;
const MIDDLE = 0.25;

/** What the x axis and the y axis have in common. @param {Style} style @param {number} tick @returns {Plain} */
function plainAxis({ palette, scale }, tick) {
  return {
    fixedrange: true,
    automargin: false,
    layer: "below traces",
    showgrid: false,
    zeroline: false,
    ticklabeloverflow: "allow",
    tickmode: "array",
    tickangle: 0,
    tickfont: { family: palette.font, size: tick * scale, color: palette.soft },
  };
}

/** @param {Frame} frame @param {Style} style @param {{width: number, height: number}} size @returns {Plain} */
export function panelAxes(frame, style, size) {
  const { panel, plot, type } = frame;
  const { palette, scale } = style;
  const { x, y } = frame.ticks;
  const [low, high] = rangeOf(panel.y);
  const bars = panel.x.categories !== undefined;
  // Bars that go below zero stand on the zero line; another line at the bottom would only confuse.
  const line = !(bars && low < 0);
  return {
    [`xaxis${frame.index + 2}`]: {
      ...plainAxis(style, type.tick),
      anchor: frame.yAxis,
      domain: [plot.left / size.width, plot.right / size.width],
      range: rangeOf(panel.x),
      tickvals: x.values,
      ticktext: x.texts,
      ticks: bars ? "" : "outside",
      ticklen: TICK_LENGTH * scale,
      tickwidth: 1,
      tickcolor: palette.axis,
      ticklabelstandoff: Math.round((!bars ? 1 : line ? type.tickGap - 2 : type.tickGap) * scale),
      showline: line,
      linecolor: palette.axis,
      linewidth: 1,
    },
    [`yaxis${frame.index + 2}`]: {
      ...plainAxis(style, type.tick),
      anchor: frame.xAxis,
      domain: [1 - plot.bottom / size.height, 1 - plot.top / size.height],
      range: [low, high],
      tickvals: y.values,
      ticktext: y.texts,
      ticks: "",
      ticklabelstandoff: Math.round(type.tickGap * scale),
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

/** Where a tick label has its middle, below the axis. @param {number} size of its font */
const tickMiddle = (size) => TICK_LENGTH + 2 + (STANDOFF + 1 - MIDDLE) * size;

/** Title and y title above the panel, x title below: all level, so nobody tilts the head. @param {Frame} frame @param {Palette} palette @returns {PlacedText[]} */
export function titlesOf({ cell, plot, type, titles: lines, xTitleBetween }, palette) {
  const yTop = plot.top - type.headerGap + 2 - lines.y.length * type.axisLine;
  const xTop = xTitleBetween
    ? plot.bottom + tickMiddle(type.tick) - type.axisLine / 2
    : cell.bottom - lines.x.length * type.axisLine;
  /** @param {string[]} texts @param {number} top @param {number} height @param {Omit<PlacedText, "text" | "y">} rest */
  const stack = (texts, top, height, rest) =>
    texts.map((text, i) => ({ ...rest, text, y: top + (i + 0.5) * height }));
  return [
    ...stack(lines.title, cell.top, type.titleLine, {
      x: cell.left,
      anchor: "left",
      size: type.title,
      color: palette.ink,
      bold: true,
    }),
    ...stack(lines.y, yTop, type.axisLine, {
      x: cell.left,
      anchor: "left",
      size: type.axis,
      color: palette.soft,
    }),
    ...stack(lines.x, xTop, type.axisLine, {
      x: (plot.left + plot.right) / 2,
      anchor: "center",
      size: type.axis,
      color: palette.soft,
    }),
  ];
}

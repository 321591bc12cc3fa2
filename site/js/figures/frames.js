/**
 * From cells to plot areas: room for titles and tick labels around each panel, the same in a row and in a column so that
 * axes line up, and the way from data to pixels. Nothing here depends on data, only on titles, ranges and ticks.
 * @import {Box, Figure, Frame, Panel} from "./types.js"
 */
import { cellsOf } from "./size.js";
import { textWidth, wrapText } from "./text-size.js";
import { axisTitle, rangeOf, ticksOf } from "./ticks.js";

export const FONT = Object.freeze({ title: 14, axis: 12, tick: 12, label: 12.5 });
export const LINE_HEIGHT = Object.freeze({ title: 19, axis: 16 });
/** Distance from the axis to its tick labels, and from there to the title. */
export const TICK_GAP = 7;
const X_TICK_ROOM = 24;
export const HEADER_GAP = 14;
const RIGHT_ROOM = 12;

/** The y title; only its unit when the panel's title says the rest already. @param {Panel} panel */
function yTitle({ title = "", y }) {
  return title.toLowerCase() === y.label.toLowerCase() ? (y.unit ?? "") : axisTitle(y);
}

/** The lines of text around a panel. @param {Panel} panel @param {number} width of the cell */
export function titleLines(panel, width) {
  return {
    title: wrapText(panel.title ?? "", width, FONT.title, true),
    y: wrapText(yTitle(panel), width, FONT.axis),
    x: wrapText(axisTitle(panel.x), width - 24, FONT.axis),
  };
}

/** @param {number[]} values */
const largest = (values) => Math.max(0, ...values);

/** @param {Panel} panel */
function tickRoom(panel) {
  const { texts } = ticksOf(panel.y);
  return Math.ceil(largest(texts.map((text) => textWidth(text, FONT.tick)))) + TICK_GAP + 1;
}

/** Half of the last tick label stands over the right end of the axis. @param {Panel} panel */
function rightRoom(panel) {
  const { values, texts } = ticksOf(panel.x);
  const [, high] = rangeOf(panel.x);
  const atEnd = values.at(-1) === high ? textWidth(texts.at(-1) ?? "", FONT.tick) / 2 : 0;
  return Math.max(RIGHT_ROOM, Math.ceil(atEnd));
}

/** @param {Panel} panel @param {Box} cell @param {Box} plot @param {number} index @returns {Frame} */
function frame(panel, cell, plot, index) {
  const [x0, x1] = rangeOf(panel.x);
  const [y0, y1] = rangeOf(panel.y);
  const perX = (plot.right - plot.left) / (x1 - x0);
  const perY = (plot.bottom - plot.top) / (y1 - y0);
  return {
    panel,
    cell,
    plot,
    index,
    xAxis: `x${index + 2}`,
    yAxis: `y${index + 2}`,
    px: (x) => plot.left + (x - x0) * perX,
    py: (y) => plot.bottom - (y - y0) * perY,
    dataX: (px) => x0 + (px - plot.left) / perX,
    dataY: (py) => y0 + (plot.bottom - py) / perY,
  };
}

/** @param {Figure} figure @param {boolean} narrow @returns {Frame[]} */
export function framesOf(figure, narrow) {
  const cells = cellsOf(figure, narrow);
  const parts = figure.panels.map((panel, i) => {
    const lines = titleLines(panel, cells[i].right - cells[i].left);
    return {
      left: tickRoom(panel),
      right: rightRoom(panel),
      top: lines.title.length * LINE_HEIGHT.title + lines.y.length * LINE_HEIGHT.axis + HEADER_GAP,
      bottom: lines.x.length * LINE_HEIGHT.axis + X_TICK_ROOM,
    };
  });
  return figure.panels.map((panel, i) => {
    const cell = cells[i];
    const row = parts.filter((_, j) => cells[j].top === cell.top && cells[j].bottom === cell.bottom);
    const column = parts.filter((_, j) => cells[j].left === cell.left && cells[j].right === cell.right);
    const plot = {
      left: cell.left + largest(column.map((part) => part.left)),
      right: cell.right - largest(column.map((part) => part.right)),
      top: cell.top + largest(row.map((part) => part.top)),
      bottom: cell.bottom - largest(row.map((part) => part.bottom)),
    };
    return frame(panel, cell, plot, i);
  });
}

/**
 * From cells to plot areas: room for titles and tick labels around each panel, the same in a row and in a column so that
 * axes line up, and the way from data to pixels. Nothing here depends on data, only on titles, ranges and ticks.
 * @import {Box, Figure, Frame, Panel, Ticks} from "./types.js"
 * @import {TypeSizes} from "./type-sizes.js"
 */
import { cellsOf, isCompact } from "./size.js";
import { textWidth, wrapText } from "./text-size.js";
import { axisTitle, fewTicks, labelled, rangeOf, ticksOf } from "./ticks.js";
import { COMPACT, PLAIN } from "./type-sizes.js";

const NO_TICKS = Object.freeze({ values: [], texts: [] });
/** Free space between a title and the tick labels at its sides. */
const BETWEEN = 6;

/** The y title; only its unit when the panel's title says the rest already. @param {Panel} panel */
function yTitle({ title = "", y }) {
  return title.toLowerCase() === y.label.toLowerCase() ? (y.unit ?? "") : axisTitle(y);
}

/** The lines of text around a panel. @param {Panel} panel @param {number} width of the cell @param {TypeSizes} type */
function titleLines(panel, width, type) {
  return {
    title: wrapText(panel.title ?? "", width, type.title, true),
    y: wrapText(yTitle(panel), width, type.axis),
    x: wrapText(axisTitle(panel.x), width - 24, type.axis),
  };
}

/** @param {number[]} values */
const largest = (values) => Math.max(0, ...values);

/** @param {string[]} texts @param {number} size */
const widest = (texts, size) => largest(texts.map((text) => textWidth(text, size)));

/** In a small panel bars that carry their numbers need no scale as well. @param {Panel} panel */
const numbered = ({ bars = [] }) => bars.length > 0 && bars.every(({ text, x }) => text?.length === x.length);

/** @param {Panel} panel @param {TypeSizes} type @param {number} height of the plot area @returns {Ticks} */
function yTicks(panel, type, height) {
  if (type !== COMPACT) return ticksOf(panel.y);
  if (numbered(panel)) return NO_TICKS;
  return labelled(fewTicks(panel.y, height, type.tickSpace.y));
}

/**
 * In a small panel the title stands between the tick labels, which give way to it, if two of them are left.
 * @param {Panel} panel @param {TypeSizes} type @param {number} width of the plot area @param {string[]} title
 * @returns {{ticks: Ticks, between: boolean}}
 */
function xTicks(panel, type, width, title) {
  const all = ticksOf(panel.x);
  if (type !== COMPACT || panel.x.categories) return { ticks: all, between: false };
  const [low, high] = rangeOf(panel.x);
  /** @param {number} x */
  const px = (x) => ((x - low) * width) / (high - low);
  const ticks = labelled(fewTicks(panel.x, width, type.tickSpace.x));
  const half = (widest(title, type.axis) + widest(ticks.texts, type.tick)) / 2 + BETWEEN;
  const free = ticks.values.filter((x) => Math.abs(px(x) - width / 2) >= half);
  const between = title.length === 1 && free.length > 1;
  return { ticks: between ? labelled(free) : ticks, between };
}

/** Half of the last tick label stands over the right end of the axis. @param {Panel} panel @param {TypeSizes} type */
function rightRoom(panel, type) {
  const { values, texts } = ticksOf(panel.x);
  const [, high] = rangeOf(panel.x);
  const atEnd = values.at(-1) === high ? textWidth(texts.at(-1) ?? "", type.tick) / 2 : 0;
  return Math.max(type.rightRoom, Math.ceil(atEnd));
}

/** What a panel needs around its plot area. @param {Panel} panel @param {Box} cell @param {TypeSizes} type */
function roomOf(panel, cell, type) {
  const titles = titleLines(panel, cell.right - cell.left, type);
  const top = titles.title.length * type.titleLine + titles.y.length * type.axisLine + type.headerGap;
  // Whether the x title finds room between the ticks is decided with the least width that the plot area can have.
  const { between } = xTicks(panel, type, (cell.right - cell.left) * 0.75, titles.x);
  const bottom = (between ? 0 : titles.x.length * type.axisLine) + type.xTickRoom;
  const y = yTicks(panel, type, cell.bottom - cell.top - top - bottom);
  const left = y.texts.length > 0 ? Math.ceil(widest(y.texts, type.tick)) + type.tickGap + 1 : 1;
  return { titles, y, left, right: rightRoom(panel, type), top, bottom };
}

/** @param {Panel} panel @param {Box} plot */
function ways(panel, plot) {
  const [x0, x1] = rangeOf(panel.x);
  const [y0, y1] = rangeOf(panel.y);
  const perX = (plot.right - plot.left) / (x1 - x0);
  const perY = (plot.bottom - plot.top) / (y1 - y0);
  return {
    /** @param {number} x */
    px: (x) => plot.left + (x - x0) * perX,
    /** @param {number} y */
    py: (y) => plot.bottom - (y - y0) * perY,
    /** @param {number} px */
    dataX: (px) => x0 + (px - plot.left) / perX,
    /** @param {number} py */
    dataY: (py) => y0 + (plot.bottom - py) / perY,
  };
}

/** @param {Figure} figure @param {boolean} narrow @returns {Frame[]} */
export function framesOf(figure, narrow) {
  const cells = cellsOf(figure, narrow);
  const type = isCompact(figure, narrow) ? COMPACT : PLAIN;
  const rooms = figure.panels.map((panel, i) => roomOf(panel, cells[i], type));
  /** @param {keyof Box} side @param {number} i */
  const shared = (side, i) =>
    largest(rooms.filter((_, j) => cells[j][side] === cells[i][side]).map((room) => room[side]));
  return figure.panels.map((panel, i) => {
    const cell = cells[i];
    const plot = {
      left: cell.left + shared("left", i),
      right: cell.right - shared("right", i),
      top: cell.top + shared("top", i),
      bottom: cell.bottom - shared("bottom", i),
    };
    const { titles, y } = rooms[i];
    const { ticks: x, between } = xTicks(panel, type, plot.right - plot.left, titles.x);
    const axes = { index: i, xAxis: `x${i + 2}`, yAxis: `y${i + 2}` };
    return {
      panel,
      cell,
      plot,
      type,
      titles,
      ticks: { x, y },
      xTitleBetween: between,
      ...axes,
      ...ways(panel, plot),
    };
  });
}

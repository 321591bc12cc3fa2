/**
 * The design size of a figure and the cells of its panels: side by side when wide, stacked when narrow.
 * @import {Box, Figure} from "./types.js"
 */

const WIDTH = Object.freeze({ wide: 680, narrow: 328 });
/** Wide: height of one row of panels, by the number of columns. */
const WIDE_ROW = Object.freeze([380, 380, 320, 290]);
const MOST_COLUMNS = 3;
const MOST_PANELS = 4;
const COLUMN_GAP = 26;
const ROW_GAP = 22;

/** @param {number} panels @param {boolean} narrow */
export function columnsFor(panels, narrow) {
  if (narrow) return 1;
  return panels > MOST_COLUMNS ? 2 : panels;
}

/** @param {Figure} figure @param {boolean} narrow */
function rowHeight({ panels }, narrow) {
  if (narrow) return panels.length === 1 ? 310 : 232;
  return panels.length > MOST_COLUMNS ? 270 : WIDE_ROW[panels.length];
}

/**
 * The size at which a figure is designed, in CSS pixels. It depends on the number of panels only, so it never changes
 * while a control moves. A drawing at another width is the same drawing, scaled.
 * @param {Figure} figure @param {"wide" | "narrow"} size @returns {{width: number, height: number}}
 */
export function figureSize(figure, size) {
  const count = figure.panels.length;
  if (count < 1 || count > MOST_PANELS)
    throw new Error(`a figure has 1 to ${MOST_PANELS} panels, this one has ${count}`);
  const narrow = size === "narrow";
  const rows = Math.ceil(count / columnsFor(count, narrow));
  return { width: WIDTH[size], height: rows * rowHeight(figure, narrow) + (rows - 1) * ROW_GAP };
}

/** The cells of the panels, row by row. @param {Figure} figure @param {boolean} narrow @returns {Box[]} */
export function cellsOf(figure, narrow) {
  const columns = columnsFor(figure.panels.length, narrow);
  const { width } = figureSize(figure, narrow ? "narrow" : "wide");
  const cellWidth = Math.floor((width - (columns - 1) * COLUMN_GAP) / columns);
  const height = rowHeight(figure, narrow);
  return figure.panels.map((_, i) => {
    const left = (i % columns) * (cellWidth + COLUMN_GAP);
    const top = Math.floor(i / columns) * (height + ROW_GAP);
    return { left, top, right: left + cellWidth, bottom: top + height };
  });
}

/**
 * The design size of a figure and the cells of its panels. Narrow: one below the other. Wide: side by side, or one main
 * panel with the others stacked at its right.
 * @import {Box, Figure} from "./types.js"
 */

const WIDTH = Object.freeze({ wide: 680, narrow: 328 });
const NARROW_ROW = Object.freeze({ single: 310, stacked: 232 });
/** Height of the only row, by the number of its panels. */
const WIDE_ROW = Object.freeze([0, 380, 320, 290]);
const TWO_ROWS = 270;
const MAIN = Object.freeze({ width: 396, height: 470 });
const MOST_COLUMNS = 3;
const MOST_PANELS = 4;
const GAP = Object.freeze({ column: 26, row: 22 });

/** @param {Figure} figure @param {boolean} narrow @returns {Box[]} */
function grid({ panels }, narrow) {
  const count = panels.length;
  const columns = narrow ? 1 : count > MOST_COLUMNS ? 2 : count;
  const single = count === 1 ? NARROW_ROW.single : NARROW_ROW.stacked;
  const height = narrow ? single : count > MOST_COLUMNS ? TWO_ROWS : WIDE_ROW[count];
  const width = Math.floor((WIDTH[narrow ? "narrow" : "wide"] - (columns - 1) * GAP.column) / columns);
  return panels.map((_, i) => {
    const left = (i % columns) * (width + GAP.column);
    const top = Math.floor(i / columns) * (height + GAP.row);
    return { left, top, right: left + width, bottom: top + height };
  });
}

/** @param {Figure} figure @returns {Box[]} */
function mainAndSide({ panels }) {
  const rows = panels.length - 1;
  const height = Math.floor((MAIN.height - (rows - 1) * GAP.row) / rows);
  const left = MAIN.width + GAP.column;
  let row = 0;
  return panels.map(({ main }) => {
    if (main) return { left: 0, top: 0, right: MAIN.width, bottom: MAIN.height };
    const top = row * (height + GAP.row);
    row += 1;
    return { left, top, right: WIDTH.wide, bottom: top + height };
  });
}

/** The cells of the panels, in their order. @param {Figure} figure @param {boolean} narrow @returns {Box[]} */
export function cellsOf(figure, narrow) {
  const count = figure.panels.length;
  if (count < 1 || count > MOST_PANELS)
    throw new Error(`a figure has 1 to ${MOST_PANELS} panels, this one has ${count}`);
  const mains = figure.panels.filter((panel) => panel.main).length;
  if (mains > 1) throw new Error(`a figure has at most one main panel, this one has ${mains}`);
  return mains === 1 && count > 1 && !narrow ? mainAndSide(figure) : grid(figure, narrow);
}

/**
 * The size at which a figure is designed, in CSS pixels. It depends on the number of panels only, so it never changes
 * while a control moves. A drawing at another width is the same drawing, scaled.
 * @param {Figure} figure @param {"wide" | "narrow"} size @returns {{width: number, height: number}}
 */
export function figureSize(figure, size) {
  const bottoms = cellsOf(figure, size === "narrow").map((cell) => cell.bottom);
  return { width: WIDTH[size], height: Math.max(...bottoms) };
}

/**
 * The design size of a figure and the cells of its panels. Wide: side by side, or one main panel with the others stacked at its
 * right. Narrow: one or two panels below each other; more of them two to a row, so that sliders stay near what they move.
 * @import {Box, Figure, Panel} from "./types.js"
 */

const WIDTH = Object.freeze({ wide: 680, narrow: 328 });
const NARROW_ROW = Object.freeze([0, 290, 216]);
/** Height of the only row, by the number of its panels. */
const WIDE_ROW = Object.freeze([0, 380, 320, 290]);
const TWO_ROWS = 270;
const MAIN = Object.freeze({ width: 396, height: 470 });
const MOST_COLUMNS = 3;
const MOST_PANELS = 4;
const GAP = Object.freeze({ column: 26, row: 22 });

/** Rows of a compact figure: a main panel, one across the whole width, two beside each other; more where bars have an x title. */
const COMPACT_ROW = Object.freeze({ main: 200, whole: 124, half: 136, barTitle: 24 });
const COMPACT_GAP = Object.freeze({ column: 14, row: 8 });
/** So many bars still have room for their numbers in half of a phone's width. */
const BARS_IN_HALF = 3;

/** Whether panels are small: more of them than fit below each other on a phone. @param {Figure} figure @param {boolean} narrow */
export const isCompact = ({ panels }, narrow) => narrow && panels.length > 2;

/** @param {Figure} figure @param {boolean} narrow @returns {Box[]} */
function grid({ panels }, narrow) {
  const count = panels.length;
  const columns = narrow ? 1 : count > MOST_COLUMNS ? 2 : count;
  const height = narrow ? NARROW_ROW[count] : count > MOST_COLUMNS ? TWO_ROWS : WIDE_ROW[count];
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

/** Panels that take the whole width; when an odd number is left, the first of them too. @param {Panel[]} panels @returns {Set<Panel>} */
function wholePanels(panels) {
  const whole = panels.filter(({ main, x }) => main || (x.categories?.length ?? 0) > BARS_IN_HALF);
  const rest = panels.filter((panel) => !whole.includes(panel));
  return new Set([...whole, ...rest.slice(0, rest.length % 2)]);
}

/** Rows of one or two panels: a main panel first, then the others in their order. @param {Panel[]} panels @returns {Panel[][]} */
function compactRows(panels) {
  const whole = wholePanels(panels);
  /** @type {Panel[][]} */
  const rows = [];
  /** @type {Panel[] | undefined} a row whose second panel has not come yet */
  let open;
  for (const panel of [...panels].sort((a, b) => Number(b.main ?? false) - Number(a.main ?? false))) {
    if (open && !whole.has(panel)) {
      open.push(panel);
      open = undefined;
    } else {
      const row = [panel];
      rows.push(row);
      if (!whole.has(panel)) open = row;
    }
  }
  return rows;
}

/** @param {Panel[]} row */
function compactHeight(row) {
  const titled = row.some(({ x }) => x.categories && x.label !== "");
  const plain = row.length > 1 ? COMPACT_ROW.half : row[0].main ? COMPACT_ROW.main : COMPACT_ROW.whole;
  return plain + (titled ? COMPACT_ROW.barTitle : 0);
}

/** @param {Figure} figure @returns {Box[]} */
function compact({ panels }) {
  /** @type {Map<Panel, Box>} */
  const cells = new Map();
  let top = 0;
  for (const row of compactRows(panels)) {
    const bottom = top + compactHeight(row);
    const width = (WIDTH.narrow - (row.length - 1) * COMPACT_GAP.column) / row.length;
    row.forEach((panel, i) => {
      const left = i * (width + COMPACT_GAP.column);
      cells.set(panel, { left, top, right: left + width, bottom });
    });
    top = bottom + COMPACT_GAP.row;
  }
  return panels.map((panel) => /** @type {Box} */ (cells.get(panel)));
}

/** The cells of the panels, in their order. @param {Figure} figure @param {boolean} narrow @returns {Box[]} */
export function cellsOf(figure, narrow) {
  const count = figure.panels.length;
  if (count < 1 || count > MOST_PANELS)
    throw new Error(`a figure has 1 to ${MOST_PANELS} panels, this one has ${count}`);
  const mains = figure.panels.filter((panel) => panel.main).length;
  if (mains > 1) throw new Error(`a figure has at most one main panel, this one has ${mains}`);
  if (isCompact(figure, narrow)) return compact(figure);
  return mains === 1 && count > 1 && !narrow ? mainAndSide(figure) : grid(figure, narrow);
}

/**
 * The size at which a figure is designed, in CSS pixels. It depends on the panels only and not on their numbers, so it never
 * changes while a control moves. A drawing at another width is the same drawing, scaled.
 * @param {Figure} figure @param {"wide" | "narrow"} size @returns {{width: number, height: number}}
 */
export function figureSize(figure, size) {
  const bottoms = cellsOf(figure, size === "narrow").map((cell) => cell.bottom);
  return { width: WIDTH[size], height: Math.max(...bottoms) };
}

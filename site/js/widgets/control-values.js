/** Where a control may stand, and what is said when it was asked to stand elsewhere. Pure: the document is not touched. */

import { fixed, parseNumber } from "../lib/format.js";

/** @typedef {import("./types.js").Control} Control */
/** @typedef {import("./types.js").Values} Values */
/** @typedef {{ value: number, notice: string }} Settled */

// Steps are decimal fractions that binary numbers cannot hold: 0.1 + 0.2 must be the 0.3 that a range input says.
const DIGITS = 10;
const TINY = 1e-9;

/** The nearest place on the control's grid. @param {Control} control @param {number} value */
export function nearestStep({ min, max, step }, value) {
  const inside = Math.min(Math.max(value, min), max);
  const most = Math.floor((max - min) / step + TINY);
  const steps = Math.min(Math.round((inside - min) / step), most);
  return Number((min + steps * step).toFixed(DIGITS));
}

/** The value as it is shown, with its decimals. @param {Control} control @param {number} value */
export function shown(control, value) {
  return fixed(value, control.decimals);
}

/** @param {Control} control @param {string} what the reader gave @param {number} stay @returns {Settled} */
export function notANumber(control, what, stay) {
  return {
    value: stay,
    notice: `${what} is not a number: ${control.label} stays at ${shown(control, stay)}.`,
  };
}

/**
 * A number from a link or a number field, brought to where the control may stand.
 * @param {Control} control @param {string} text as typed @param {number} stay the value to keep if it is no number
 * @returns {Settled}
 */
export function settle(control, text, stay) {
  const typed = text.trim().slice(0, 20);
  const wanted = parseNumber(text);
  if (Number.isNaN(wanted)) return notANumber(control, typed === "" ? "An empty field" : `“${typed}”`, stay);
  const value = nearestStep(control, wanted);
  const used = `${shown(control, value)} is used.`;
  if (wanted > control.max || wanted < control.min) {
    const side = wanted > control.max ? "above" : "below";
    const range = `${shown(control, control.min)} to ${shown(control, control.max)}`;
    return {
      value,
      notice: `${control.label} ${typed.replace("-", "−")} is ${side} its range (${range}): ${used}`,
    };
  }
  const offGrid = Math.abs(value - wanted) > TINY * Math.max(1, Math.abs(wanted));
  return { value, notice: offGrid ? `${control.label} moves in steps of ${control.step}: ${used}` : "" };
}

/** Only the controls of this widget, as numbers on their grids. @param {Control[]} controls @param {Record<string, unknown>} wanted @returns {Values} */
export function onGrid(controls, wanted) {
  /** @type {Values} */
  const values = {};
  for (const control of controls) {
    const value = wanted[control.name];
    if (typeof value === "number" && Number.isFinite(value))
      values[control.name] = nearestStep(control, value);
  }
  return values;
}

/** @param {Values} a @param {Values} b */
export function sameValues(a, b) {
  return Object.keys({ ...a, ...b }).every((name) => Math.abs(a[name] - b[name]) < TINY);
}

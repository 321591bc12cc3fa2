/**
 * Where ticks stand and what they say: fixed decimals on one axis, true minus signs.
 * @import {PanelAxis} from "./types.js"
 */
import { fixed } from "../lib/format.js";

const STEPS = [1, 2, 2.5, 5, 10];
const MOST_DECIMALS = 6;

/** @param {PanelAxis} axis @returns {[number, number]} */
export function rangeOf(axis) {
  if (axis.categories) return [-0.5, axis.categories.length - 0.5];
  const [low, high] = axis.range ?? [];
  if (
    low === undefined ||
    high === undefined ||
    !(Number.isFinite(low) && Number.isFinite(high) && low < high)
  ) {
    throw new Error(
      `axis "${axis.label}" needs a range of two finite numbers, the lower one first, or categories`,
    );
  }
  return [low, high];
}

/** About `count` round numbers inside the range. @param {[number, number]} range @param {number} [count] */
export function niceTicks([low, high], count = 5) {
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * (STEPS.find((factor) => factor * power >= raw * (1 - 1e-9)) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** The fewest decimals that tell all of these numbers exactly, up to six. @param {number[]} values */
export function decimalsFor(values) {
  for (let decimals = 0; decimals < MOST_DECIMALS; decimals += 1) {
    const unit = 10 ** -decimals;
    if (values.every((value) => Math.abs(value - Number(value.toFixed(decimals))) < unit * 1e-6))
      return decimals;
  }
  return MOST_DECIMALS;
}

/** @param {PanelAxis} axis @param {number} [count] @returns {{values: number[], texts: string[]}} */
export function ticksOf(axis, count) {
  if (axis.categories) return { values: axis.categories.map((_, i) => i), texts: [...axis.categories] };
  const range = rangeOf(axis);
  const values = axis.ticks ?? niceTicks(range, count);
  const decimals = decimalsFor(values);
  return { values: [...values], texts: values.map((value) => fixed(value, decimals)) };
}

/** "contribution (reward units)". @param {PanelAxis} axis */
export const axisTitle = (axis) => (axis.unit ? `${axis.label} (${axis.unit})` : axis.label);

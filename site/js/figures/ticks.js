/**
 * Where ticks stand and what they say: fixed decimals on one axis, true minus signs.
 * @import {PanelAxis, Ticks} from "./types.js"
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

/** @param {number[]} values @returns {Ticks} */
export function labelled(values) {
  const decimals = decimalsFor(values);
  return { values: [...values], texts: values.map((value) => fixed(value, decimals)) };
}

/** @param {PanelAxis} axis @param {number} [count] @returns {Ticks} */
export function ticksOf(axis, count) {
  if (axis.categories) return { values: axis.categories.map((_, i) => i), texts: [...axis.categories] };
  const range = rangeOf(axis);
  return labelled(axis.ticks ?? niceTicks(range, count));
}

/**
 * Every second, third, … value, so that neighbours keep their distance; zero stays among them when it is one.
 * @param {number[]} values @param {number} least
 */
function thinned(values, least) {
  const zero = Math.max(0, values.indexOf(0));
  for (let stride = 1; ; stride += 1) {
    const kept = values.filter((_, i) => (i - zero) % stride === 0);
    if (kept.every((value, i) => i === 0 || value - kept[i - 1] >= least)) return kept;
  }
}

/**
 * Ticks of an axis so short that they must keep a distance: those of the view thinned out, else round numbers, best with the
 * end of the range among them.
 * @param {PanelAxis} axis @param {number} length of the axis in pixels @param {number} distance in pixels
 */
export function fewTicks(axis, length, distance) {
  const [low, high] = rangeOf(axis);
  const least = (distance * (high - low)) / length;
  if (axis.ticks) return thinned(axis.ticks, least);
  const choices = [3, 2, 4].map((count) => niceTicks([low, high], count));
  const apart = choices.filter(([first, second]) => second - first >= least);
  return apart.find((values) => values.at(-1) === high) ?? apart[0] ?? thinned(choices[1], least);
}

/** "contribution (reward units)". @param {PanelAxis} axis */
export const axisTitle = (axis) => (axis.unit ? `${axis.label} (${axis.unit})` : axis.label);

/**
 * Bars: where each stands beside the tick of its category, and its trace.
 * @import {Bars, Frame, Plain, Style} from "./types.js"
 */
import { escapeText } from "./marks.js";

/** Share of a category that its bars take together, and share of its place that a bar fills. */
const SPAN = 0.84;
const FILL = 0.94;

/**
 * Which place each series takes beside the tick of a category: series that share no category share a place.
 * @param {Bars[]} series @returns {number[]}
 */
export function barSlots(series) {
  /** @type {Set<string>[]} */
  const slots = [];
  return series.map((bars) => {
    let slot = slots.findIndex((taken) => bars.x.every((category) => !taken.has(category)));
    if (slot < 0) slot = slots.push(new Set()) - 1;
    for (const category of bars.x) slots[slot].add(category);
    return slot;
  });
}

/** Left edge and width of every bar of a series, in category units. @param {Frame} frame @param {Bars[]} series @param {number} which */
export function barPlaces(frame, series, which) {
  const slots = barSlots(series);
  const step = SPAN / (Math.max(...slots) + 1);
  const offset = -SPAN / 2 + slots[which] * step + (step * (1 - FILL)) / 2;
  const categories = frame.panel.x.categories ?? [];
  const positions = series[which].x.map((category) => categories.indexOf(category));
  const unknown = positions.indexOf(-1);
  if (unknown >= 0) throw new Error(`bars: "${series[which].x[unknown]}" is not a category of the x axis`);
  return { positions, offset, width: step * FILL };
}

/** @param {Frame} frame @param {Bars[]} series @param {number} which @param {Style} style @returns {Plain} */
export function barTrace(frame, series, which, { palette }) {
  const bars = series[which];
  const { positions, offset, width } = barPlaces(frame, series, which);
  const roles = bars.x.map((_, i) => (Array.isArray(bars.role) ? bars.role[i] : bars.role));
  const label = bars.label ? `${bars.label}, ` : "";
  return {
    type: "bar",
    xaxis: frame.xAxis,
    yaxis: frame.yAxis,
    x: positions,
    y: bars.y,
    width,
    offset,
    marker: { color: roles.map(palette.role), line: { width: 0 } },
    hovertemplate: bars.x.map((category, i) => {
      return `${escapeText(`${label}${category}: ${bars.text?.[i] ?? bars.y[i]}`)}<extra></extra>`;
    }),
  };
}

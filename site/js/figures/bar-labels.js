/**
 * The number of every bar at its end, and above the first bar of each series the name of the series.
 * @import {Bars, Frame, PlacedText, Style} from "./types.js"
 * @import {Obstacles} from "./place.js"
 */

import { barPlaces } from "./bars.js";
import { inkOf } from "./palette.js";
import { textWidth } from "./text-size.js";

/** One size for all numbers of a panel: that of the number which fits its bar least. @param {Frame} frame @param {Bars[]} all */
function fittingSize(frame, all) {
  const { tick, smallest } = frame.type;
  const sizes = all.flatMap((bars, which) => {
    const { width } = barPlaces(frame, all, which);
    const room = frame.px(width) - frame.px(0) + 1;
    return (bars.text ?? []).map((text) => (tick * room) / textWidth(text, tick));
  });
  return Math.round(Math.max(smallest, Math.min(tick, ...sizes)) * 4) / 4;
}

/** @param {Frame} frame @param {Style} style @param {Obstacles} obstacles bars and numbers are added @returns {PlacedText[]} */
export function barLabels(frame, { palette }, obstacles) {
  const all = frame.panel.bars ?? [];
  const { tick, labelLine } = frame.type;
  const size = fittingSize(frame, all);
  const named = all.filter((bars) => bars.label && bars.x.length > 0).length > 1;
  /** @param {Bars} bars @param {number} which @param {number} i @returns {PlacedText[]} */
  const textsOf = (bars, which, i) => {
    const { positions, offset, width } = barPlaces(frame, all, which);
    const [left, right] = [frame.px(positions[i] + offset), frame.px(positions[i] + offset + width)];
    const [end, base] = [frame.py(bars.y[i]), frame.py(0)];
    obstacles.boxes.push({ left, right, top: Math.min(end, base), bottom: Math.max(end, base) });
    const texts = [bars.text?.[i], named && i === 0 ? bars.label : undefined].filter(
      (text) => text !== undefined,
    );
    const down = bars.y[i] < 0 ? 1 : -1;
    const room = down === 1 ? frame.plot.bottom - end : end - frame.plot.top;
    const full = room < texts.length * labelLine;
    // A bar too low for its number inside has it beyond zero, where there is nothing else.
    const inside = full && Math.abs(end - base) >= texts.length * labelLine;
    const from = full && !inside ? base : end;
    const role = Array.isArray(bars.role) ? bars.role[i] : bars.role;
    return texts.map((text, row) => ({
      text,
      x: (left + right) / 2,
      y: from + (full ? -down : down) * (labelLine / 2 + 1 + row * labelLine),
      anchor: "center",
      size: row === 0 ? size : tick,
      color: inside ? palette.paper : inkOf(role, palette),
      bold: row === 1,
    }));
  };
  const placed = all.flatMap((bars, which) => bars.y.flatMap((_, i) => textsOf(bars, which, i)));
  for (const { text, x, y, size: height } of placed) {
    const half = textWidth(text, height) / 2;
    obstacles.boxes.push({ left: x - half, right: x + half, top: y - height / 2, bottom: y + height / 2 });
  }
  return placed;
}

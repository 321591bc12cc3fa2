/**
 * Sizes of text and of the room around it, in pixels of the design size. Small panels on a phone take the compact ones: still
 * legible, with fewer ticks and the x title between them.
 * @typedef {{title: number, axis: number, tick: number, label: number, titleLine: number, axisLine: number, labelLine: number,
 *   tickGap: number, xTickRoom: number, headerGap: number, rightRoom: number, tickSpace: {x: number, y: number}, smallest: number}} TypeSizes
 *   `tickSpace` is the least distance from one tick to the next, `smallest` the least size of a number on a bar: where even
 *   this does not fit, the view has too many bars.
 */

/** @type {Readonly<TypeSizes>} */
export const PLAIN = Object.freeze({
  title: 14,
  axis: 12,
  tick: 12,
  label: 12.5,
  titleLine: 19,
  axisLine: 16,
  labelLine: 15,
  tickGap: 7,
  xTickRoom: 24,
  headerGap: 14,
  rightRoom: 12,
  tickSpace: Object.freeze({ x: 0, y: 0 }),
  smallest: 10,
});

/** @type {Readonly<TypeSizes>} */
export const COMPACT = Object.freeze({
  title: 12.5,
  axis: 11,
  tick: 11,
  label: 11,
  titleLine: 16,
  axisLine: 14,
  labelLine: 13,
  tickGap: 5,
  xTickRoom: 22,
  headerGap: 9,
  rightRoom: 8,
  tickSpace: Object.freeze({ x: 30, y: 20 }),
  smallest: 10.5,
});

/** Plays a control forward, one value after the other, each drawn before the next is asked. No clock decides a result. */

import { pause, prefersLessMotion } from "../lib/timing.js";

const INTERVAL = 120;
const CALM_INTERVAL = 600; // with reduced motion: separate pictures, not an animation

/**
 * @param {object} options
 * @param {() => number} options.value where the control stands
 * @param {(value: number) => number} options.next the value after this one, or the same at the end
 * @param {number} options.first
 * @param {(value: number) => Promise<boolean>} options.move false when the value could not be computed
 * @param {(playing: boolean) => void} options.onChange
 */
export function createPlayer({ value, next, first, move, onChange }) {
  /** The present run; a run that is no longer the present one ends itself. @type {symbol | null} */
  let present = null;

  function stop() {
    if (present === null) return;
    present = null;
    onChange(false);
  }

  async function play() {
    const run = Symbol("run");
    present = run;
    onChange(true);
    const interval = prefersLessMotion() ? CALM_INTERVAL : INTERVAL;
    let at = value();
    if (next(at) === at) at = first;
    else at = next(at);
    while (present === run) {
      const [done] = await Promise.all([move(at), pause(interval)]);
      const after = next(at);
      // Another hand on the control, the end, an error or a page that nobody sees: all of them end the run.
      if (!done || value() !== at || after === at || document.hidden) break;
      at = after;
    }
    if (present === run) stop();
  }

  return { stop, toggle: () => (present === null ? void play() : stop()) };
}

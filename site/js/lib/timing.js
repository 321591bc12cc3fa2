/** When things happen: later, once a frame, after the first paint. */

/**
 * Call `action` once, `wait` milliseconds after the last request for it; `now` calls it at once if it was waiting.
 * @param {() => void} action @param {number} wait
 */
export function debounced(action, wait) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  function run() {
    timer = undefined;
    action();
  }
  return {
    later() {
      clearTimeout(timer);
      timer = setTimeout(run, wait);
    },
    now() {
      if (timer === undefined) return;
      clearTimeout(timer);
      run();
    },
  };
}

/**
 * Draw the newest value once per frame; values between two frames are never drawn. A page in the background has no
 * frames, so there the value is drawn at once: it is right when the reader comes back or prints.
 * @template T
 * @param {(value: T) => void} draw
 */
export function eachFrame(draw) {
  /** @type {{ value: T } | null} */
  let next = null;
  function run() {
    if (!next) return;
    const { value } = next;
    next = null;
    draw(value);
  }
  return {
    /** @param {T} value */
    put(value) {
      const planned = next !== null;
      next = { value };
      if (document.hidden) run();
      else if (!planned) requestAnimationFrame(run);
    },
  };
}

/** After the text and the first figures are on the screen, when the browser has nothing better to do. @param {() => void} action */
export function afterFirstPaint(action) {
  const whenIdle = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ run) => setTimeout(run, 50));
  requestAnimationFrame(() => requestAnimationFrame(() => whenIdle(() => action(), { timeout: 1500 })));
}

/** @param {number} milliseconds @returns {Promise<void>} */
export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export function prefersLessMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Which of its four states a widget is in, and the words under it. Pure. */

/** @typedef {"first-frame" | "waiting" | "live" | "error"} WidgetState */
/**
 * @typedef {object} Situation
 * @property {"static" | "starting" | "ready" | "failed"} runtime
 * @property {boolean} moved the controls stand elsewhere than the figure shows
 * @property {boolean} live the figure was computed in this tab
 * @property {string} problem why the last position could not be computed, if so
 */

/** @param {Situation} situation @returns {{ state: WidgetState, words: string }} */
export function widgetState({ runtime, moved, live, problem }) {
  if (problem !== "") {
    return {
      state: "error",
      words: `This position could not be computed: ${problem} The figure shows the last one that could.`,
    };
  }
  if (runtime === "failed") {
    if (moved) {
      return {
        state: "error",
        words:
          "Python is not running, so the figure does not follow the controls. The note about Python says what to do.",
      };
    }
    return live
      ? { state: "live", words: "Computed in this tab before Python stopped" }
      : { state: "first-frame", words: "Stored first frame; Python is not running" };
  }
  if (runtime === "ready") {
    return live
      ? { state: "live", words: "Live: computed in this tab" }
      : { state: "waiting", words: "Computing this position" };
  }
  if (moved)
    return {
      state: "waiting",
      words: "Waiting for Python; this position is computed as soon as it is ready",
    };
  if (live) return { state: "waiting", words: "Python is starting again; the figure shows its last answer" };
  return { state: "first-frame", words: "Stored first frame" };
}

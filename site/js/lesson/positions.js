/** Where the controls stand, outside of the widgets: first from the link, else from the last visit; then into both. */

import { debounced } from "../lib/timing.js";
import { onGrid, sameValues } from "../widgets/control-values.js";
import { createLinkWriter, readLink } from "./url-state.js";

/** @typedef {import("./url-state.js").Widgets} Widgets */
/** @typedef {import("./url-state.js").Start} Start */

const REST = 500;
const RESTORED = "The controls stand where you left them; Reset brings back the first frame.";

/**
 * @param {Widgets} widgets
 * @param {import("./progress.js").Progress} progress
 * @param {string} lesson
 */
export function createPositions(widgets, progress, lesson) {
  const linked = readLink(location.search, widgets);
  const link = createLinkWriter(widgets);
  /** @type {Map<string, Record<string, number>>} */
  const moved = new Map();
  const saving = debounced(() => {
    progress.saveControls(lesson, moved);
    moved.clear();
  }, REST);

  addEventListener("pagehide", () => {
    link.now();
    saving.now();
  });
  addEventListener("popstate", link.again);

  return {
    /** A link says all of what it shows, so the last visit only counts without one. @param {string} id @returns {Start} */
    start(id) {
      const fromLink = linked.get(id);
      if (linked.size > 0) return fromLink ?? { values: {}, notices: [] };
      const { spec, frame } = widgets[id];
      const last = onGrid(spec.controls, progress.read(lesson).controls.get(id)?.values ?? {});
      const values = { ...frame.params, ...last };
      if (sameValues(values, frame.params)) return { values: {}, notices: [] };
      link.put(id, values); // what is restored belongs to the page's address too
      return { values, notices: [RESTORED] };
    },
    /** @param {string} id @param {Record<string, number>} values */
    put(id, values) {
      link.put(id, values);
      moved.set(id, values);
      saving.later();
    },
  };
}

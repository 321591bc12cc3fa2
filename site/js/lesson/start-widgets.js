/** Brings every figure of a lesson to life. One that cannot start says so and leaves the others alone. */

import { createLivePlot } from "../figures/live-plot.js";
import { all, one, setText } from "../lib/dom.js";
import { hydrateWidget } from "../widgets/widget.js";
import { bindLiveNumbers } from "./linked-prose.js";
import { attempt } from "./page.js";

/** @typedef {import("../figures/types.js").Figure} Figure */
/** @typedef {import("../widgets/widget.js").Widget} Widget */

const BROKEN = "The controls of this figure did not start. Its stored first frame and its numbers are right.";

/**
 * @param {import("./page-data.js").LessonData["widgets"]} data
 * @param {object} services
 * @param {import("../runtime/client.js").Runtime} services.runtime
 * @param {ReturnType<typeof import("./positions.js").createPositions>} services.positions
 * @param {string} services.plotlyUrl
 * @returns {Map<string, Widget>}
 */
export function startWidgets(data, { runtime, positions, plotlyUrl }) {
  /** @type {Map<string, Widget>} */
  const widgets = new Map();
  const onModel = bindLiveNumbers();
  /** @param {HTMLElement} box @param {Figure} figure */
  const createPlot = (box, figure) => createLivePlot(box, { plotlyUrl, figure });

  for (const section of all(document, "section[data-widget]")) {
    const { id } = section;
    const start = () => {
      const services = { runtime, createPlot, start: positions.start(id), onMove: positions.put, onModel };
      widgets.set(id, hydrateWidget(section, data[id], services));
    };
    attempt(`figure “${id}”`, start, () => {
      section.dataset.state = "error";
      setText(one(section, "[data-widget-status]"), BROKEN);
    });
  }
  return widgets;
}

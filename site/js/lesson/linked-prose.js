/** Words and numbers in the text that belong to a figure: buttons that set its controls, numbers that follow it. */

import { all, one } from "../lib/dom.js";
import { showValue } from "../widgets/readouts.js";

/** @typedef {import("../widgets/widget.js").Widget} Widget */
/** @typedef {import("../widgets/types.js").Model} Model */

/** @param {ReadonlyMap<string, Widget>} widgets */
export function bindSetButtons(widgets) {
  for (const button of all(document, "[data-set]")) {
    button.addEventListener("click", () => {
      const widget = widgets.get(button.dataset.set ?? "");
      if (!widget) return;
      void widget.set(JSON.parse(button.dataset.params ?? "{}"));
      bringIntoView(document.getElementById(widget.id));
    });
  }
}

/** A change that nobody sees would look like a button that does nothing; a figure in view stays where it is. @param {HTMLElement | null} section */
function bringIntoView(section) {
  const plot = section && (one(section, "[data-plot]") ?? section);
  if (!plot) return;
  const { top, bottom } = plot.getBoundingClientRect();
  if (bottom < 0 || top > innerHeight) plot.scrollIntoView({ block: "nearest" });
}

/** @returns {(widget: string, model: Model) => void} */
export function bindLiveNumbers() {
  const numbers = all(document, "[data-live]");
  return (widget, model) => {
    for (const { name, value, text } of model.outputs) {
      for (const node of numbers) if (node.dataset.live === `${widget}.${name}`) showValue(node, value, text);
    }
  };
}

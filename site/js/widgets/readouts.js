/** Everything of a widget that is text: readouts, case, summary sentence, table. The figure is drawn elsewhere. */

import { all, one, setAttribute, setText } from "../lib/dom.js";
import { fullPrecision } from "../lib/format.js";
import { debounced } from "../lib/timing.js";

/** @typedef {import("./types.js").Model} Model */
/** @typedef {import("./types.js").Table} Table */

// After the last move the summary is held back this long from screen readers, so that a drag is announced once.
const QUIET = 400;

/** @param {HTMLElement} section */
export function bindReadouts(section) {
  const outputs = new Map(all(section, "[data-output]").map((node) => [node.dataset.output ?? "", node]));
  const summary = one(section, "[data-summary]");
  const caseLine = one(section, "[data-case]");
  const table = one(section, "[data-table]");
  let held = false;
  const release = debounced(() => {
    if (!held) summary?.removeAttribute("aria-busy");
  }, QUIET);

  return {
    /** The controls have moved: readers hear the sentence when they rest. */
    moved() {
      setAttribute(summary, "aria-busy", "true");
      release.later();
    },
    /** While a player runs, the sentence waits for its end. @param {boolean} on */
    hold(on) {
      held = on;
      if (!on) release.later();
    },
    /** @param {Model} model */
    show(model) {
      for (const { name, value, text } of model.outputs) {
        const node = outputs.get(name);
        if (node) showValue(node, value, text);
      }
      setText(summary, model.summary);
      setAttribute(caseLine, "data-case", model.state.case);
      setText(caseLine, model.state.label);
      if (table instanceof HTMLTableElement) showTable(table, model.table);
    },
  };
}

/** The whole number in `data-value`, the formatted one as text. @param {Element} node @param {number | string | null} value @param {string} text */
export function showValue(node, value, text) {
  setAttribute(node, "data-value", fullPrecision(value));
  setText(node, text);
}

/** Rows come and go with the controls; cells that stay the same are left alone. @param {HTMLTableElement} table @param {Table} data */
function showTable(table, data) {
  setText(table.caption, data.caption);
  const heads = table.tHead?.rows[0]?.cells ?? [];
  data.columns.forEach(({ label, unit }, i) => {
    const head = heads[i];
    if (!head || head.textContent === [label, unit].filter(Boolean).join(" ")) return;
    const unitNode = document.createElement("span");
    unitNode.className = "unit";
    unitNode.textContent = unit;
    head.replaceChildren(label, ...(unit ? [" ", unitNode] : []));
  });
  const body = table.tBodies[0] ?? table.createTBody();
  while (body.rows.length > data.rows.length) body.deleteRow(-1);
  data.rows.forEach((cells, i) => {
    const row = body.rows[i] ?? body.insertRow();
    while (row.cells.length > cells.length) row.deleteCell(-1);
    cells.forEach(({ value, text }, j) => {
      showValue(row.cells[j] ?? row.insertCell(), value, text);
    });
  });
}

/** Paper cannot be unfolded: hints and tables are opened for printing and closed again. A solution that was not asked for is not in the page. */

import { all } from "../lib/dom.js";

export function bindPrint() {
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  addEventListener("beforeprint", () => {
    const folded = all(document, "main details:not([open])");
    opened = folded.filter((node) => node instanceof HTMLDetailsElement);
    for (const node of opened) node.open = true;
  });
  addEventListener("afterprint", () => {
    for (const node of opened) node.open = false;
    opened = [];
  });
}

/**
 * Paper cannot be unfolded: what is folded is opened for printing and closed again. Hints that the reader did not want
 * stay closed, and a solution that was not asked for is not in the page.
 */

import { all } from "../lib/dom.js";

export function bindPrint() {
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  addEventListener("beforeprint", () => {
    const folded = all(document, "main details:not([open], .hint, .contents)");
    opened = folded.filter((node) => node instanceof HTMLDetailsElement);
    for (const node of opened) node.open = true;
  });
  addEventListener("afterprint", () => {
    for (const node of opened) node.open = false;
    opened = [];
  });
}

/**
 * A live plot on a fake page with a fake Plotly, for the tests of live-plot.js.
 */
import { mock } from "node:test";
import { createLivePlot } from "../../../site/js/figures/live-plot.js";
import { fakePage } from "./fake-page.js";
import { at } from "./helpers.js";

let count = 0;

export const shows = (/** @type {number} */ r) => `r = ${r.toFixed(2)}`;

export function createStage() {
  const page = fakePage();
  /** @type {{data: any[], layout: any}[]} */
  const drawn = [];
  // A script of its own for each test, because scripts are shared by all figures of a page.
  count += 1;
  const plotlyUrl = `plotly-${count}.js`;
  mock.method(console, "warn", () => {});
  return {
    page,
    drawn,
    plotlyUrl,
    start: (options = {}) => createLivePlot(page.box, { plotlyUrl, ...options }),
    /** What the page's script element tells: "load" or "error". @param {string} event */
    async scriptSays(event) {
      at(page.head.children.at(-1), "handlers")[event]();
      await page.wait(0);
    },
    /** The figure comes near and its script arrives. @param {() => Promise<void>} [react] */
    async plotlyArrives(react = async () => {}) {
      page.on.near();
      Reflect.set(globalThis, "Plotly", {
        react: (/** @type {unknown} */ _, /** @type {any[]} */ data, /** @type {any} */ layout) => {
          drawn.push({ data, layout });
          return react();
        },
        purge: () => {},
      });
      page.on.width();
      await this.scriptSays("load");
    },
    async settle() {
      page.frame();
      await page.wait(150);
    },
    leave() {
      page.leave();
      mock.restoreAll();
    },
  };
}

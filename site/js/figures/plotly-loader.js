/**
 * Plotly as a classic script, fetched once for all figures of a page and only when one of them is near: it weighs more than
 * the rest of the page together. A module could not be loaded from `file://`.
 * @import {Plain} from "./types.js"
 * @typedef {{react: (host: HTMLElement, data: Plain[], layout: Plain, config: Plain) => Promise<unknown>,
 *   purge: (host: HTMLElement) => void}} PlotlyApi
 */

/** @type {Map<string, Promise<PlotlyApi>>} */
const loading = new Map();

/** @param {string} url @returns {Promise<PlotlyApi>} */
function load(url) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.async = true;
    script.addEventListener("error", () => reject(new Error(`${url} did not load`)));
    script.addEventListener("load", () => {
      const api = Reflect.get(globalThis, "Plotly");
      if (typeof api?.react === "function") resolve(api);
      else reject(new Error(`${url} is not Plotly`));
    });
    document.head.append(script);
  });
}

/** @param {string} url @returns {Promise<PlotlyApi>} the same promise for every figure */
export function loadPlotly(url) {
  const known = loading.get(url) ?? load(url);
  loading.set(url, known);
  return known;
}

/** No mode bar, no zoom, no drag: a figure answers to its controls. */
export const PLOT_CONFIG = Object.freeze({
  displayModeBar: false,
  displaylogo: false,
  scrollZoom: false,
  doubleClick: false,
  showTips: false,
  showAxisDragHandles: false,
  responsive: false,
});

/** Plotly would take these for the start of a drag; a finger that starts on a figure scrolls the page. */
const NOT_FOR_PLOTLY = ["touchstart", "mousedown"];

/** The element that Plotly draws into. The box around it has the name and the summary, so this one is silent. */
export function createPlotHost() {
  const host = document.createElement("div");
  host.className = "plot-live";
  host.setAttribute("aria-hidden", "true");
  for (const type of NOT_FOR_PLOTLY) {
    host.addEventListener(type, (event) => event.stopPropagation(), { capture: true, passive: true });
  }
  return host;
}

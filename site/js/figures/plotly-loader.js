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

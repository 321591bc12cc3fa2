/** What every page of the site has: theme, store, progress menu. */

import { browserArea, createStore, keyPrefix, siteRoot } from "../lib/storage.js";
import { createProgress } from "./progress.js";
import { bindProgressMenu } from "./progress-menu.js";
import { STARTED } from "./started.js";
import { bindTheme } from "./theme.js";

/** @param {() => void} onProgress answers were loaded, forgotten, or given in another tab */
export function startPage(onProgress) {
  Object.assign(globalThis, { [STARTED]: true });
  const root = siteRoot(document.documentElement.dataset.root, location.href);
  const store = createStore(browserArea(), keyPrefix(root));
  const progress = createProgress(store);
  attempt("theme", () => bindTheme(store));
  attempt("progress menu", () => {
    bindProgressMenu(progress, { title: document.title, onChange: onProgress });
    addEventListener("storage", ({ key }) => progress.owns(key) && onProgress());
    addEventListener("pageshow", ({ persisted }) => persisted && onProgress());
  });
  return progress;
}

/**
 * One part that fails must not take the others with it.
 * @template T
 * @param {string} part @param {() => T} run @param {(error: unknown) => void} [otherwise]
 * @returns {T | null}
 */
export function attempt(part, run, otherwise) {
  try {
    return run();
  } catch (error) {
    console.error(`The ${part} of this page does not work.`, error);
    otherwise?.(error);
    return null;
  }
}

/** The button for light and dark, and a page that follows the system when that changes. */

import { one, setText } from "../lib/dom.js";
import { DARK, FORCED, themeOf } from "./theme-choice.js";

/** @param {import("../lib/storage.js").Store} store */
export function bindTheme(store) {
  const page = document.documentElement;
  const button = one(document, '[data-action="theme"]');

  function show() {
    page.dataset.theme = themeOf(store.get("theme"));
    setText(button, page.dataset.theme === "dark" ? "Light theme" : "Dark theme");
  }

  button?.addEventListener("click", () => {
    store.set("theme", page.dataset.theme === "dark" ? "light" : "dark");
    show();
  });
  for (const query of [DARK, FORCED]) matchMedia(query).addEventListener("change", show);
  addEventListener("storage", show);
  addEventListener("pageshow", show);
  show();
}

/** Light or dark: the reader's choice where there is one, otherwise what the system prefers, also when that changes. */

import { one, setText } from "../lib/dom.js";

/** @param {import("../lib/storage.js").Store} store */
export function bindTheme(store) {
  const page = document.documentElement;
  const button = one(document, '[data-action="theme"]');
  const system = matchMedia("(prefers-color-scheme: dark)");

  function show() {
    const chosen = store.get("theme");
    page.dataset.theme = chosen === "dark" || chosen === "light" ? chosen : system.matches ? "dark" : "light";
    setText(button, page.dataset.theme === "dark" ? "Light theme" : "Dark theme");
  }

  button?.addEventListener("click", () => {
    store.set("theme", page.dataset.theme === "dark" ? "light" : "dark");
    show();
  });
  system.addEventListener("change", show);
  addEventListener("storage", show);
  addEventListener("pageshow", show);
  show();
}

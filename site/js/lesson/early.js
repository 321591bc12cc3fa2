/**
 * Runs before anything is painted: marks that scripts run, and sets the theme, so that nothing flashes. Everything else
 * waits. Kept to the few lines that must block, and the one thing that no other script can say: that it did not load.
 */

import { browserArea, createStore, keyPrefix, siteRoot } from "../lib/storage.js";
import { STARTED } from "./started.js";
import { themeOf } from "./theme-choice.js";

const page = document.documentElement;
const store = createStore(browserArea(), keyPrefix(siteRoot(page.dataset.root, location.href)));

page.classList.add("js");
page.dataset.theme = themeOf(store.get("theme"));

const NO_SCRIPT =
  "The script of this page did not load, so nothing here moves. The text and the figures’ first frames are complete. Reload the page to try again.";

addEventListener("load", () => {
  if (!document.querySelector("script[defer]") || STARTED in globalThis) return;
  page.classList.remove("js");
  page.dataset.runtime = "failed";
  const said = document.createElement("p");
  said.className = "notice";
  said.setAttribute("role", "status");
  said.textContent = NO_SCRIPT;
  document.querySelector("main")?.prepend(said);
});

/**
 * Runs before anything is painted: marks that scripts run, and sets the theme, so that nothing flashes. Everything else
 * waits. Kept to the few lines that must block.
 */

import { browserArea, createStore, keyPrefix } from "../lib/storage.js";

const page = document.documentElement;
const store = createStore(browserArea(), keyPrefix(new URL(page.dataset.root ?? "", location.href).href));
const chosen = store.get("theme");
const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;

page.classList.add("js");
page.dataset.theme = dark ? "dark" : "light";

/**
 * Runs before anything is painted: marks that scripts run, and sets the theme, so that nothing flashes. Everything else
 * waits. Kept to the few lines that must block.
 */

import { browserArea, createStore, keyPrefix, siteRoot } from "../lib/storage.js";
import { themeOf } from "./theme-choice.js";

const page = document.documentElement;
const store = createStore(browserArea(), keyPrefix(siteRoot(page.dataset.root, location.href)));

page.classList.add("js");
page.dataset.theme = themeOf(store.get("theme"));

/** The index of lessons: search, and `index.html#<lesson id>`, which marks the card and opens the lesson. */

import { attempt, startPage } from "../lesson/page.js";
import { all, one, setText } from "../lib/dom.js";
import { countWords, matcher } from "./search.js";

const cards = all(document, ".card");

function bindSearch() {
  const field = document.querySelector("[data-atlas-search]");
  if (!(field instanceof HTMLInputElement)) return;
  const count = one(document, "[data-atlas-count]");

  /** @param {string} query */
  function show(query) {
    const matches = matcher(query);
    for (const card of cards) {
      const { title = "", topic = "", topicId = "" } = card.dataset;
      card.hidden = !matches(title, topic, topicId, card.id);
    }
    const found = cards.filter((card) => !card.hidden).length;
    setText(count, countWords(found, cards.length, query));
  }

  field.addEventListener("input", () => show(field.value));
  field.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    field.value = "";
    show("");
  });
  addEventListener("pageshow", () => show(field.value)); // a browser may restore the typed words
}

/** A fragment that is no card of ours (or no text at all) leaves the page as it is. */
function cardOfFragment() {
  try {
    const id = decodeURIComponent(location.hash.slice(1));
    return cards.find((card) => card.id === id) ?? null;
  } catch {
    return null;
  }
}

function openFragment() {
  const target = cardOfFragment();
  for (const card of cards) card.classList.toggle("marked", card === target);
  const link = target?.querySelector(".card-title a[href]");
  // Replaced, so that Back leads to where the reader came from and not to here and forward again.
  if (link instanceof HTMLAnchorElement) location.replace(link.href);
}

startPage(() => {});
attempt("search", bindSearch);
attempt("address", () => {
  addEventListener("hashchange", openFragment);
  openFragment();
});

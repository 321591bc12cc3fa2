/**
 * Keeps an author's open page up to date. `build.py serve` writes this into the pages that it serves; it is in no built
 * site. The script element says which version of the site the page is from and where news comes from.
 */
(() => {
  const { version, events } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
  const kept = `lesson-scroll:${location.pathname}`;
  const y = sessionStorage.getItem(kept);
  sessionStorage.removeItem(kept);
  if (y !== null) addEventListener("load", () => scrollTo(0, Number(y)));

  const STYLE = `position: fixed; inset: auto 0 0; z-index: 99; max-height: 60vh; overflow: auto; padding: 16px 20px;
    border-top: 4px solid #f5a05a; background: #2b1606; color: #fff3e8; font: 14px/1.5 ui-monospace, monospace`;
  /** @type {HTMLElement | null} */
  let overlay = null;

  /** @param {string | null} problem what the build said */
  function show(problem) {
    overlay?.remove();
    overlay = null;
    if (!problem) return;
    overlay = document.createElement("div");
    overlay.id = "build-problem";
    overlay.setAttribute("role", "alert");
    overlay.style.cssText = STYLE;
    const title = document.createElement("strong");
    title.textContent = "The last change could not be built. This page is from the last good build.";
    const words = document.createElement("pre");
    words.textContent = problem;
    words.style.cssText = "margin: 8px 0 0; white-space: pre-wrap; font: inherit";
    overlay.append(title, words);
    document.body.append(overlay);
  }

  new EventSource(events ?? "").onmessage = ({ data }) => {
    const state = JSON.parse(data);
    if (state.version === version) {
      show(state.problem);
      return;
    }
    // The controls are in the address and come back by themselves.
    sessionStorage.setItem(kept, String(scrollY));
    location.reload();
  };
})();

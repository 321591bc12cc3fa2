/** The line at the top of the page that says where Python is, and the way back when it has failed. */

import { element, one, setText } from "../lib/dom.js";
import { runtimeWords } from "./runtime-words.js";

/** @typedef {import("../runtime/outcomes.js").RuntimeStatus} RuntimeStatus */

const SLOW = 20_000; // milliseconds without news from the boot

/** Chromium only; elsewhere nobody has asked to save data. */
export function savesData() {
  const { connection } = /** @type {{ connection?: { saveData?: boolean } }} */ (navigator);
  return connection?.saveData === true;
}

/** @param {Pick<import("../runtime/client.js").Runtime, "status" | "start" | "restart">} runtime */
export function bindRuntimeStatus(runtime) {
  const status = one(document, "[data-runtime-status]");
  const detailsText = element("pre");
  const details = element(
    "details",
    { class: "runtime-details" },
    element("summary", {}, "Details"),
    detailsText,
  );
  const button = element("button", { type: "button", "data-action": "restart-python" });
  const fold = element("button", { type: "button", "data-action": "fold-runtime" });
  status?.after(details, element("div", { class: "runtime-buttons" }, button, fold));
  status?.setAttribute("tabindex", "-1");

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let slowTimer;
  let said = "";
  let folded = false;

  /** Nothing is touched while the words stay the same, so that they are announced once. @param {string[]} sentences */
  function say(sentences) {
    const text = sentences.join("\n");
    if (text === said) return;
    said = text;
    status?.replaceChildren(...sentences.map((sentence) => element("p", {}, sentence)));
  }

  function show(slow = false) {
    const words = runtimeWords(runtime.status, {
      online: navigator.onLine,
      saveData: savesData(),
      file: location.protocol === "file:",
      slow,
    });
    document.documentElement.dataset.runtime = runtime.status.state;
    say([words.line, words.works, words.todo].filter(Boolean));
    setText(detailsText, words.details);
    details.hidden = words.details === "";
    setText(button, words.button);
    button.hidden = words.button === "";
    const failed = runtime.status.state === "failed";
    folded &&= failed;
    fold.hidden = !failed;
    setText(fold, folded ? "Show all" : "Fold away");
    status?.parentElement?.toggleAttribute("data-folded", folded);
    clearTimeout(slowTimer);
    if (runtime.status.state === "starting" && !slow) slowTimer = setTimeout(show, SLOW, true);
  }

  button.addEventListener("click", () => {
    if (runtime.status.state === "static") runtime.start();
    else runtime.restart();
    status?.focus(); // the button is gone now, and this is what happens next
  });
  // Somebody who reads on does not want the note over the text.
  fold.addEventListener("click", () => {
    folded = !folded;
    show();
  });
  addEventListener("online", () => {
    if (runtime.status.failure?.kind === "boot") runtime.restart();
    else show();
  });
  addEventListener("offline", () => show());
  show();
  return show;
}

/** The menu that saves progress to a file, loads it, and forgets it. */

import { element, one, setText } from "../lib/dom.js";
import { counted } from "../lib/format.js";
import { exportText, importWords, LARGEST, readExport } from "./progress-file.js";

/** @typedef {import("./progress.js").Progress} Progress */

/**
 * @param {Progress} progress
 * @param {{ title: string, onChange: () => void }} options `onChange`: answers were loaded or forgotten
 */
export function bindProgressMenu(progress, { title, onChange }) {
  const words = one(document, "[data-progress-status]");
  words?.setAttribute("role", "status");
  closeLikeAMenu();
  const chooser = document.querySelector("[data-progress-file]");

  /** @param {string} action @param {() => void} run */
  function onClick(action, run) {
    one(document, `[data-action="${action}"]`)?.addEventListener("click", run);
  }

  onClick("export-progress", () => {
    const lessons = progress.lessons();
    save(exportText(lessons, title), "policygrad-progress.json");
    const answers = [...lessons.values()].reduce((sum, { exercises }) => sum + exercises.size, 0);
    setText(words, `${counted(answers, "answer")} written to policygrad-progress.json.`);
  });

  onClick("clear-progress", () => {
    const sure = confirm(
      "Forget all answers and positions of controls on this site? Save them to a file first if you may want them again.",
    );
    if (!sure) return;
    progress.clear();
    setText(words, "All answers on this site are forgotten.");
    onChange();
  });

  if (!(chooser instanceof HTMLInputElement)) return;
  onClick("import-progress", () => chooser.click());
  chooser.addEventListener("change", async () => {
    const [file] = chooser.files ?? [];
    if (!file) return;
    const text = await file
      .slice(0, LARGEST + 1)
      .text()
      .catch(() => "");
    const { lessons, problems, refused } = readExport(text);
    chooser.value = ""; // so that the same file can be chosen again
    if (refused) {
      setText(words, `Nothing was loaded. ${refused}`);
      return;
    }
    setText(words, importWords(progress.mergeIn(lessons), problems));
    onChange();
  });
}

/** A `<details>` stays open; a menu closes on Escape and when the reader goes elsewhere. */
function closeLikeAMenu() {
  const menu = document.querySelector('details[data-menu="progress"]');
  if (!(menu instanceof HTMLDetailsElement)) return;
  document.addEventListener("pointerdown", ({ target }) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    menu.open = false;
    one(menu, "summary")?.focus();
  });
}

/** Hand a text to the reader as a file. @param {string} text @param {string} name */
function save(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

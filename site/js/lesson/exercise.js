/**
 * The frame around every kind of exercise: check, feedback, solution after an attempt, and what is remembered. A kind
 * only knows how to read, restore and judge an answer.
 */

import { builtFragment, element, one, setText } from "../lib/dom.js";
import { choice } from "./choice.js";
import { runAnswers, runNodes } from "./exercise-runs.js";

/** @typedef {import("./choice.js").Kind} Kind */
/** @typedef {import("./page-data.js").ExerciseData} ExerciseData */
/** @typedef {import("./progress-record.js").Entry} Entry */
/** @typedef {ReturnType<typeof hydrateExercise>} Exercise */

/** Kinds by the name in `data-kind`. @type {Record<string, Kind>} */
export const KINDS = { choice };

const UNSAVED =
  "This browser does not keep answers for this page: they last until it is closed. The Progress menu can save them to a file.";

/**
 * @param {HTMLElement} section
 * @param {ExerciseData} data
 * @param {object} services
 * @param {import("./exercise-runs.js").Runtime} services.runtime
 * @param {() => Entry | undefined} services.remembered
 * @param {(entry: Pick<Entry, "answer" | "status" | "hash">) => boolean} services.remember false when it will not last
 */
export function hydrateExercise(section, data, { runtime, remembered, remember }) {
  const kind = KINDS[data.kind];
  if (!kind) throw new Error(`this page knows no exercise of kind “${data.kind}”`);
  const feedback = one(section, "[data-feedback]");
  const solution = one(section, "[data-solution]");
  const reveal = /** @type {HTMLButtonElement | null} */ (one(section, '[data-action="reveal"]'));
  /** Feedback that is still being computed for an earlier answer is dropped. */
  let attempt = 0;
  let shownUpdate = -1;
  let lasting = true;

  /** @param {"open" | Entry["status"]} status */
  function setStatus(status) {
    section.dataset.status = status;
    if (reveal) reveal.disabled = status === "open";
  }

  function showSolution(open = true) {
    if (!solution || !reveal) return;
    if (open && solution.childNodes.length === 0) solution.append(builtFragment(data.solutionHtml));
    solution.hidden = !open;
    reveal.setAttribute("aria-expanded", String(open));
    setText(reveal, open ? "Hide the solution" : "Show the solution");
  }

  /** @param {Entry["status"]} status */
  function save(status) {
    setStatus(status);
    section.removeAttribute("data-changed");
    one(section, ".changed")?.remove();
    lasting = remember({ answer: kind.read(section), status, hash: data.hash });
    shownUpdate = remembered()?.updated ?? shownUpdate;
  }

  /** @param {Node[]} nodes */
  function say(...nodes) {
    feedback?.replaceChildren(...nodes);
  }

  /** @param {import("./choice.js").Verdict} verdict */
  async function explain(verdict) {
    attempt += 1;
    const mine = attempt;
    const lines = await runAnswers(verdict.chosen, verdict.right, runtime);
    if (mine !== attempt) return;
    // Everything at once, so that a screen reader hears it once.
    const head = element("p", { class: "verdict" }, verdict.correct ? "Right." : "Not this one.");
    say(head, builtFragment(verdict.chosen.feedbackHtml), ...runNodes(lines));
    if (!lasting) feedback?.append(element("p", { class: "unsaved" }, UNSAVED));
  }

  function check() {
    const answer = kind.read(section);
    const verdict = answer === null ? null : kind.judge(data, answer);
    kind.mark(section, verdict);
    if (!verdict) {
      say(element("p", {}, kind.missing));
      return;
    }
    const opened = solution !== null && solution.childNodes.length > 0;
    save(verdict.correct ? "correct" : opened ? "revealed" : "tried");
    void explain(verdict);
  }

  function toggleSolution() {
    const open = Boolean(solution?.hidden);
    showSolution(open);
    if (open) save("revealed");
  }

  function forget() {
    attempt += 1;
    shownUpdate = -1;
    kind.clear(section);
    kind.mark(section, null);
    say();
    solution?.replaceChildren();
    showSolution(false);
    one(section, ".changed")?.remove();
    section.removeAttribute("data-changed");
    setStatus("open");
  }

  /** Show what is remembered: at the start, after an import, when another tab has answered, when all was forgotten. */
  function refresh() {
    const entry = remembered();
    if (!entry) {
      if (shownUpdate >= 0) forget();
      return;
    }
    if (entry.updated === shownUpdate) return;
    forget();
    shownUpdate = entry.updated;
    const found = kind.restore(section, entry.answer);
    setStatus(entry.status);
    if (entry.hash !== data.hash) {
      section.dataset.changed = "";
      const kept = found
        ? "Your answer is kept; check it again."
        : `You answered “${kind.words(entry.answer)}”, which is no longer among the options.`;
      const words = `This exercise has changed since you answered. ${kept}`;
      feedback?.before(element("p", { class: "changed" }, words));
      return;
    }
    const verdict = found ? kind.judge(data, kind.read(section)) : null;
    kind.mark(section, verdict);
    if (verdict) void explain(verdict);
    if (entry.status === "revealed") showSolution();
  }

  one(section, '[data-action="check"]')?.addEventListener("click", check);
  reveal?.addEventListener("click", toggleSolution);
  section.addEventListener("input", () => kind.mark(section, null));
  kind.clear(section); // a browser may have restored a choice; what is remembered is what counts
  refresh();
  return { refresh };
}

/** The exercise kind `choice`: one right option among several, each with feedback of its own. */

import { all } from "../lib/dom.js";

/** @typedef {import("./page-data.js").ExerciseData} ExerciseData */
/** @typedef {import("./page-data.js").Option} Option */
/** @typedef {{ option: number, text: string }} ChoiceAnswer the text finds the option again when the author moves it */
/** @typedef {{ correct: boolean, chosen: Option, right: Option | undefined }} Verdict */
/**
 * What the exercise's frame asks of a kind.
 * @typedef {object} Kind
 * @property {string} missing what to say when there is no answer yet
 * @property {(section: HTMLElement) => unknown} read the answer as it stands, or null
 * @property {(section: HTMLElement, answer: unknown) => boolean} restore false when the answer no longer exists here
 * @property {(answer: unknown) => string} words the answer as its reader would put it
 * @property {(data: ExerciseData, answer: any) => Verdict | null} judge
 * @property {(section: HTMLElement, verdict: Verdict | null) => void} mark the answer as right or wrong, or as neither
 * @property {(section: HTMLElement) => void} clear
 */

/** @param {HTMLElement} section */
function radios(section) {
  return all(section, 'input[type="radio"]').filter((node) => node instanceof HTMLInputElement);
}

/** @param {HTMLInputElement} radio */
function textOf(radio) {
  return radio.closest("label")?.textContent?.trim().replace(/\s+/g, " ").slice(0, 500) ?? "";
}

/** @type {Kind} */
export const choice = {
  missing: "Choose one of the answers first.",
  read(section) {
    const radio = radios(section).find(({ checked }) => checked);
    return radio ? { option: Number(radio.value), text: textOf(radio) } : null;
  },
  restore(section, answer) {
    const text = choice.words(answer);
    const radio = radios(section).find((candidate) => textOf(candidate) === text);
    if (radio) radio.checked = true;
    return radio !== undefined;
  },
  words(answer) {
    const { text } = /** @type {Partial<ChoiceAnswer>} */ (answer ?? {});
    return typeof text === "string" ? text : "";
  },
  judge({ options }, answer) {
    const chosen = options[/** @type {ChoiceAnswer} */ (answer).option];
    return chosen ? { correct: chosen.correct, chosen, right: options.find(({ correct }) => correct) } : null;
  },
  mark(section, verdict) {
    for (const radio of radios(section)) {
      const label = radio.closest("label");
      label?.removeAttribute("data-mark");
      if (verdict && radio.checked) label?.setAttribute("data-mark", verdict.correct ? "right" : "wrong");
    }
  },
  clear(section) {
    for (const radio of radios(section)) radio.checked = false;
  },
};

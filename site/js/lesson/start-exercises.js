/** Brings every exercise of a lesson to life, with what is remembered of it. */

import { all, one, setText } from "../lib/dom.js";
import { hydrateExercise } from "./exercise.js";
import { attempt } from "./page.js";

/** @typedef {import("./exercise.js").Exercise} Exercise */
/** @typedef {import("./progress-record.js").Entry} Entry */

const BROKEN =
  "This exercise did not start. Its worked solution is in the Markdown copy of this lesson, linked below.";

/**
 * @param {import("./page-data.js").LessonData["exercises"]} data
 * @param {object} services
 * @param {import("./exercise-runs.js").Runtime} services.runtime
 * @param {import("./progress.js").Progress} services.progress
 * @param {string} services.lesson
 * @returns {Exercise[]}
 */
export function startExercises(data, { runtime, progress, lesson }) {
  /** @type {Exercise[]} */
  const exercises = [];
  for (const section of all(document, "section[data-exercise]")) {
    const id = section.dataset.exercise ?? "";
    const start = () => {
      const services = {
        runtime,
        remembered: () => progress.read(lesson).exercises.get(id),
        /** @param {Pick<Entry, "answer" | "status" | "hash">} entry */
        remember: (entry) => progress.saveExercise(lesson, id, entry),
      };
      exercises.push(hydrateExercise(section, data[id], services));
    };
    attempt(`exercise “${id}”`, start, () => setText(one(section, "[data-feedback]"), BROKEN));
  }
  return exercises;
}

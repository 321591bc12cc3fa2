/** What `lessons/<id>-<hash>.data.js` leaves for the scripts: everything of a lesson that is not in its HTML. */

/** @typedef {{ call: string, args: Record<string, unknown> }} Run one call of the core */
/**
 * @typedef {object} Option
 * @property {boolean} correct
 * @property {string} feedbackHtml rendered by the build
 * @property {Run | null} run what this answer computes
 * @property {{ value: unknown, display: string } | null} [result] of the run, when the page was built
 */
/** @typedef {{ kind: string, hash: string, options: Option[], solutionHtml: string }} ExerciseData */
/** @typedef {{ id: string, call: string, args: Record<string, unknown>, value: unknown, tolerance: number, display: string }} Fixture */
/**
 * @typedef {object} LessonData
 * @property {{ id: string, title: string, version: string, artifact: string }} lesson
 * @property {{ worker: string, plotly: string, runtime: string }} assets addresses relative to the page
 * @property {Record<string, { spec: import("../widgets/types.js").Spec, frame: import("../widgets/types.js").Model }>} widgets
 * @property {Record<string, ExerciseData>} exercises
 * @property {Fixture[]} fixtures
 */

/** Null when the file did not arrive. @returns {LessonData | null} */
export function lessonData() {
  return /** @type {{ lessonData?: LessonData }} */ (globalThis).lessonData ?? null;
}

/**
 * What is remembered of a lesson, checked and merged. Pure. Whatever comes from storage or a file goes through `checked`,
 * so hostile or damaged text can at worst be refused.
 */

/**
 * @typedef {object} Entry one exercise
 * @property {unknown} answer as its kind wrote it
 * @property {"tried" | "correct" | "revealed"} status
 * @property {boolean} solved it was answered correctly at some time
 * @property {string} hash of the exercise that was answered
 * @property {number} updated a clock reading in milliseconds that only ever grows for one exercise
 */
/** @typedef {{ values: Record<string, number>, updated: number }} Position the controls of one widget, as last seen */
/** @typedef {{ exercises: Map<string, Entry>, controls: Map<string, Position> }} LessonRecord */

const NAME = /^[a-z0-9][a-z0-9_-]{0,99}$/;
const HASH = /^[0-9a-f]{1,64}$/;
const LONGEST_ANSWER = 20_000;
const LAST_DATE = 8.64e15;

/** Names that lessons, exercises, widgets and controls can have; `__proto__` is none. @param {string} text */
export function isName(text) {
  return NAME.test(text);
}

/** @returns {LessonRecord} */
export function emptyRecord() {
  return { exercises: new Map(), controls: new Map() };
}

/** @param {unknown} raw @returns {raw is Record<string, unknown>} */
export function isObject(raw) {
  return typeof raw === "object" && raw !== null && !Array.isArray(raw);
}

/** @param {unknown} raw */
function isMoment(raw) {
  return Number.isSafeInteger(raw) && Number(raw) >= 0 && Number(raw) <= LAST_DATE;
}

/** What is wrong with an exercise's entry, or "". @param {unknown} raw */
function entryProblem(raw) {
  if (!isObject(raw)) return "it is not an object";
  if (raw.status !== "tried" && raw.status !== "correct" && raw.status !== "revealed")
    return "its status is none of tried, correct, revealed";
  if (typeof raw.hash !== "string" || !HASH.test(raw.hash))
    return "its hash is not made of hexadecimal digits";
  if (!isMoment(raw.updated)) return "its time is not a whole number of milliseconds";
  if (raw.answer === undefined) return "it holds no answer";
  if (JSON.stringify(raw.answer).length > LONGEST_ANSWER) return "its answer is too long";
  return "";
}

/** What is wrong with a widget's position, or "". @param {unknown} raw */
function positionProblem(raw) {
  if (!isObject(raw) || !isObject(raw.values)) return "it holds no values";
  if (!isMoment(raw.updated)) return "its time is not a whole number of milliseconds";
  for (const [name, value] of Object.entries(raw.values)) {
    if (!isName(name)) return `“${name.slice(0, 40)}” is no name of a control`;
    if (!Number.isFinite(value)) return `${name} is not a number`;
  }
  return "";
}

/**
 * The parts of a lesson's record that can be trusted, and one sentence for each part that cannot.
 * @param {unknown} raw @param {string} lesson for the sentences
 * @returns {{ record: LessonRecord, problems: string[] }}
 */
export function checked(raw, lesson) {
  const record = emptyRecord();
  /** @type {string[]} */
  const problems = [];
  if (!isObject(raw)) return { record, problems: [`Lesson “${lesson}” is not an object.`] };

  /** @param {"exercises" | "controls"} part @param {(raw: unknown) => string} problemOf @param {(name: string, raw: any) => void} keep */
  function each(part, problemOf, keep) {
    const entries = /** @type {Record<string, unknown>} */ (raw)[part] ?? {};
    if (!isObject(entries)) {
      problems.push(`“${part}” of lesson “${lesson}” is not an object.`);
      return;
    }
    for (const [name, entry] of Object.entries(entries)) {
      const problem = isName(name) ? problemOf(entry) : "that is no name";
      if (problem) problems.push(`“${name.slice(0, 40)}” in lesson “${lesson}” was left out: ${problem}.`);
      else keep(name, entry);
    }
  }

  each("exercises", entryProblem, (name, { answer, status, solved, hash, updated }) => {
    record.exercises.set(name, {
      answer,
      status,
      solved: solved === true || status === "correct",
      hash,
      updated,
    });
  });
  each("controls", positionProblem, (name, { values, updated }) => {
    record.controls.set(name, { values: { ...values }, updated });
  });
  return { record, problems };
}

/**
 * Newest wins, exercise by exercise; what was solved once stays solved.
 * @param {LessonRecord} ours @param {LessonRecord} theirs
 * @returns {{ record: LessonRecord, taken: number, kept: number, same: number }} counts of exercises of `theirs`
 */
export function merged(ours, theirs) {
  const record = { exercises: new Map(ours.exercises), controls: new Map(ours.controls) };
  const counts = { taken: 0, kept: 0, same: 0 };
  for (const [name, entry] of theirs.exercises) {
    const mine = ours.exercises.get(name);
    const newest = !mine || entry.updated > mine.updated ? entry : mine;
    record.exercises.set(name, { ...newest, solved: entry.solved || (mine?.solved ?? false) });
    if (newest === entry) counts.taken += 1;
    else if (mine && mine.updated > entry.updated) counts.kept += 1;
    else counts.same += 1;
  }
  for (const [name, position] of theirs.controls) {
    if (position.updated > (ours.controls.get(name)?.updated ?? -1)) record.controls.set(name, position);
  }
  return { record, ...counts };
}

/** @param {LessonRecord} record */
export function plain(record) {
  return { exercises: Object.fromEntries(record.exercises), controls: Object.fromEntries(record.controls) };
}

/**
 * Progress in the browser's store, one text per lesson. Every write first reads what other tabs have written, and changes
 * only its own part, so tabs do not overwrite each other.
 */

import { checked, emptyRecord, isName, merged, plain } from "./progress-record.js";

/** @typedef {import("./progress-record.js").Entry} Entry */
/** @typedef {import("./progress-record.js").LessonRecord} LessonRecord */
/** @typedef {ReturnType<typeof createProgress>} Progress */

const LESSON = "lesson:";

/**
 * @param {import("../lib/storage.js").Store} store
 * @param {() => number} [clock] milliseconds
 */
export function createProgress(store, clock = Date.now) {
  /** A text that is damaged counts as empty; it is replaced by the next answer. @param {string} lesson */
  function read(lesson) {
    const text = store.get(LESSON + lesson);
    if (text === null) return emptyRecord();
    try {
      return checked(JSON.parse(text), lesson).record;
    } catch {
      return emptyRecord();
    }
  }

  /** @param {string} lesson @param {LessonRecord} record */
  function write(lesson, record) {
    return store.set(LESSON + lesson, JSON.stringify(plain(record)));
  }

  /** Later than anything seen of it, also when the clock was set back. @param {{ updated: number } | undefined} before */
  function stamp(before) {
    return Math.max(clock(), (before?.updated ?? 0) + 1);
  }

  return {
    read,
    /** True when it will last. @param {string} lesson @param {string} exercise @param {Pick<Entry, "answer" | "status" | "hash">} entry */
    saveExercise(lesson, exercise, entry) {
      const record = read(lesson);
      const before = record.exercises.get(exercise);
      const solved = entry.status === "correct" || (before?.solved ?? false);
      record.exercises.set(exercise, { ...entry, solved, updated: stamp(before) });
      return write(lesson, record);
    },
    /** @param {string} lesson @param {ReadonlyMap<string, Record<string, number>>} positions */
    saveControls(lesson, positions) {
      const record = read(lesson);
      for (const [widget, values] of positions) {
        record.controls.set(widget, { values, updated: stamp(record.controls.get(widget)) });
      }
      return write(lesson, record);
    },
    /** Every lesson of this site that something is known about. @returns {Map<string, LessonRecord>} */
    lessons() {
      const names = store.names(LESSON).map((name) => name.slice(LESSON.length));
      return new Map(names.filter(isName).map((lesson) => [lesson, read(lesson)]));
    },
    /** @param {ReadonlyMap<string, LessonRecord>} lessons */
    mergeIn(lessons) {
      const sum = { taken: 0, kept: 0, same: 0, lasting: true };
      for (const [lesson, theirs] of lessons) {
        const { record, taken, kept, same } = merged(read(lesson), theirs);
        sum.taken += taken;
        sum.kept += kept;
        sum.same += same;
        sum.lasting = write(lesson, record) && sum.lasting;
      }
      return sum;
    },
    clear() {
      for (const name of store.names(LESSON)) store.remove(name);
    },
    /** Whether a key of the browser's store is one of ours. @param {string | null} key null: everything was cleared */
    owns: (key) => key === null || key.startsWith(store.prefix + LESSON),
  };
}

/** Progress as one file that people can read, carry to another browser and load there. Pure. */

import { counted } from "../lib/format.js";
import { checked, isName, isObject, plain } from "./progress-record.js";

/** @typedef {import("./progress-record.js").LessonRecord} LessonRecord */

export const FORMAT = "policygrad-progress";
export const VERSION = 1;
export const LARGEST = 2_000_000; // characters; a course of answers is far below it

/** @param {ReadonlyMap<string, LessonRecord>} lessons @param {string} title of the course */
export function exportText(lessons, title) {
  const content = Object.fromEntries([...lessons].map(([id, record]) => [id, plain(record)]));
  const about = `Answers and positions of controls from “${title}”. Load this file in the Progress menu of the site.`;
  return `${JSON.stringify({ format: FORMAT, version: VERSION, about, lessons: content }, null, 2)}\n`;
}

/**
 * @param {string} text of a file that anybody may have made
 * @returns {{ lessons: Map<string, LessonRecord>, problems: string[], refused: string }} `refused` says why nothing of it can be used
 */
export function readExport(text) {
  /** @type {Map<string, LessonRecord>} */
  const lessons = new Map();
  /** @type {string[]} */
  const problems = [];
  /** @param {string} refused */
  const refuse = (refused) => ({ lessons: new Map(), problems: [], refused });

  if (text.length > LARGEST) return refuse("The file is too large to be a progress file.");
  let raw;
  try {
    raw = JSON.parse(text);
  } catch {
    return refuse("The file is not JSON, so it is not a progress file, or it was cut off.");
  }
  if (!isObject(raw) || raw.format !== FORMAT)
    return refuse(`The file does not say that it is a progress file: “format” should be “${FORMAT}”.`);
  if (!Number.isInteger(raw.version) || Number(raw.version) < 1)
    return refuse("The file's “version” is not a whole number from 1 on.");
  if (Number(raw.version) > VERSION) {
    return refuse(
      `The file has version ${raw.version}; this page reads up to version ${VERSION}. A newer copy of the site can load it.`,
    );
  }
  if (!isObject(raw.lessons)) return refuse("The file holds no “lessons”.");
  for (const [id, lesson] of Object.entries(raw.lessons)) {
    if (!isName(id)) {
      problems.push(`“${id.slice(0, 40)}” was left out: that is no name of a lesson.`);
      continue;
    }
    const result = checked(lesson, id);
    lessons.set(id, result.record);
    problems.push(...result.problems);
  }
  return { lessons, problems, refused: "" };
}

/** What an import did, in words. @param {{ taken: number, kept: number, same: number, lasting: boolean }} sum @param {string[]} problems */
export function importWords({ taken, kept, same, lasting }, problems) {
  const words = [`${counted(taken, "answer")} taken from the file.`];
  if (kept > 0) words.push(`${counted(kept, "answer")} here ${kept === 1 ? "is" : "are"} newer and stayed.`);
  if (same > 0) words.push(`${counted(same, "answer")} ${same === 1 ? "was" : "were"} here already.`);
  if (!lasting)
    words.push("This browser does not keep data for this page, so the answers last until it is closed.");
  words.push(...problems.slice(0, 5));
  if (problems.length > 5) words.push(`${problems.length - 5} more entries were left out.`);
  return words.join(" ");
}

/** Runs the mistakes: what an answer computes, beside what the question asks for, by Python in this tab when it is there. */

import { agree } from "../lib/agree.js";
import { element } from "../lib/dom.js";
import { pause } from "../lib/timing.js";

/** @typedef {import("./page-data.js").Option} Option */
/** @typedef {Pick<import("../runtime/client.js").Runtime, "call" | "status">} Runtime */
/** @typedef {{ title: string, code: string, text: string, live: boolean }} Line */

const PATIENCE = 1500; // milliseconds; after that the stored result is shown

/** The call as Python would write it. @param {import("./page-data.js").Run} run */
export function callText({ call, args }) {
  const [, name, path] = /^(\w+)(.*)$/.exec(call) ?? ["", call, ""];
  const written = Object.entries(args).map(
    ([key, value]) => `${key}=${JSON.stringify(value)?.replaceAll(",", ", ")}`,
  );
  return `${name}(${written.join(", ")})${path}`;
}

/**
 * @param {string} title what this line stands for
 * @param {Option} option
 * @param {Runtime} runtime
 * @returns {Promise<Line | null>}
 */
async function runOption(title, { run, result }, runtime) {
  if (!run) return null;
  const stored = { title, code: callText(run), text: result?.display ?? "", live: false };
  if (runtime.status.state !== "ready") return stored.text ? stored : null;
  try {
    const call = runtime.call({ kind: "call", call: run.call, args: run.args });
    const answer = await Promise.race([call, pause(PATIENCE)]);
    if (answer === undefined) return stored.text ? stored : null;
    // The stored text has the author's rounding and unit; it is shown as long as the number behind it is the same.
    const same = result && agree(answer.value ?? answer, result.value, 1e-9);
    return {
      ...stored,
      text: same ? stored.text : String(answer.value ?? JSON.stringify(answer)),
      live: true,
    };
  } catch {
    return stored.text ? stored : null;
  }
}

/**
 * @param {Option} chosen @param {Option | undefined} right
 * @param {Runtime} runtime
 * @returns {Promise<Line[]>}
 */
export async function runAnswers(chosen, right, runtime) {
  const lines = [runOption(chosen.correct ? "Your answer" : "What your answer computes", chosen, runtime)];
  if (right && right !== chosen) lines.push(runOption("What the question asks for", right, runtime));
  return (await Promise.all(lines)).filter((line) => line !== null);
}

/** @param {Line[]} lines @returns {Node[]} */
export function runNodes(lines) {
  if (lines.length === 0) return [];
  const list = element("dl", { class: "runs" });
  for (const { title, code, text } of lines) {
    const value = element("dd", {}, element("code", {}, code), " ", element("output", {}, `= ${text}`));
    list.append(element("div", {}, element("dt", {}, title), value));
  }
  const origin = lines.every(({ live }) => live)
    ? "Computed just now by Python in this tab."
    : "Computed when this page was built; Python is not ready in this tab.";
  return [list, element("p", { class: "runs-origin" }, origin)];
}

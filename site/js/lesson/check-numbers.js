/** "Recompute every number on this page": each fixture is one call of the core, made again in the reader's own tab. */

import { agree } from "../lib/agree.js";
import { all, one, setText } from "../lib/dom.js";
import { counted } from "../lib/format.js";

/** @typedef {import("./page-data.js").Fixture} Fixture */
/** @typedef {{ fixture: Fixture, found: string }} Difference */

/**
 * @param {Fixture[]} fixtures
 * @param {(call: string, args: Record<string, unknown>) => Promise<unknown>} compute
 * @param {(done: number) => void} onProgress
 * @returns {Promise<Difference[]>}
 */
export async function differences(fixtures, compute, onProgress = () => {}) {
  /** @type {Difference[]} */
  const found = [];
  for (const [i, fixture] of fixtures.entries()) {
    const value = await compute(fixture.call, fixture.args);
    if (!agree(value, fixture.value, fixture.tolerance))
      found.push({ fixture, found: JSON.stringify(value) });
    onProgress(i + 1);
  }
  return found;
}

/** @param {number} total @param {Difference[]} different */
export function resultWords(total, different) {
  const words = `${total - different.length} of ${total} agree with Python in this tab.`;
  if (different.length === 0) return words;
  const list = different.map(
    ({ fixture, found }) => `${fixture.id}: the page says ${fixture.display}, Python ${found}`,
  );
  return `${words} ${counted(different.length, "number differs", "numbers differ")}: ${list.join("; ")}.`;
}

/**
 * @param {Fixture[]} fixtures
 * @param {Pick<import("../runtime/client.js").Runtime, "call" | "start" | "status">} runtime
 */
export function bindCheckNumbers(fixtures, runtime) {
  const button = one(document, '[data-action="check-numbers"]');
  const result = one(document, "[data-check-result]");
  let busy = false;

  /** @param {string} call @param {Record<string, unknown>} args */
  async function compute(call, args) {
    const answer = await runtime.call({ kind: "call", call, args });
    return answer !== null && typeof answer === "object" && "value" in answer ? answer.value : answer;
  }

  async function check() {
    if (busy) return;
    busy = true;
    result?.removeAttribute("data-agree");
    runtime.start();
    if (runtime.status.state !== "ready") setText(result, "Waiting for Python to start.");
    try {
      const different = await differences(fixtures, compute);
      const ids = new Set(different.map(({ fixture }) => fixture.id));
      for (const node of all(document, "[data-fixture]"))
        node.toggleAttribute("data-differs", ids.has(node.dataset.fixture ?? ""));
      setText(result, resultWords(fixtures.length, different));
      if (result) result.dataset.agree = String(different.length === 0);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      setText(result, `The numbers could not be recomputed: ${message} They are as the build computed them.`);
    }
    busy = false;
  }

  button?.addEventListener("click", check);
}

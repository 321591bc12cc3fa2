/**
 * `npm test`: set up, then every check, each under a heading with its time. All run, also after a failure; a skipped
 * test is a failure, because nobody reads what was not run.
 */

import { inside, venvCommand, venvPython } from "./paths.mjs";
import { run } from "./run.mjs";
import { listFiles } from "./runtime/hash.mjs";
import { runMain, say, since } from "./say.mjs";
import { setUp } from "./setup.mjs";

/** @typedef {{ name: string, command: string, args: string[], env?: Record<string, string>, unwanted?: RegExp }} Check */

/** The lines with which pytest and Node's test runner count what they did not run. */
const NOT_RUN =
  /^ℹ (skipped|todo) [1-9]\d*$|^# (skipped|todo) [1-9]\d*$|\b[1-9]\d* (skipped|xfailed|xpassed|deselected)\b/m;

/** @param {string} script a package's own script, run by this Node @param {...string} args */
const nodeTool = (script, ...args) => ({
  command: process.execPath,
  args: [inside("node_modules", script), ...args],
});

/** @param {string} chromium @returns {Check[]} */
function checks(chromium) {
  const ruff = venvCommand("ruff");
  const tests = listFiles(inside("tests", "js"), (name) => /\.test\.m?js$/.test(name));
  return [
    { name: "ruff format", command: ruff, args: ["format", "--check", "."] },
    { name: "ruff check", command: ruff, args: ["check", "."] },
    { name: "mypy", command: venvPython, args: ["-m", "mypy"] },
    { name: "biome", ...nodeTool("@biomejs/biome/bin/biome", "ci", "--error-on-warnings", "--colors=off") },
    { name: "tsc", ...nodeTool("typescript/bin/tsc", "-p", ".") },
    {
      name: "node --test",
      command: process.execPath,
      args: ["--test", "--test-reporter=spec", ...tests.map((name) => inside("tests", "js", name))],
      unwanted: NOT_RUN,
    },
    { name: "build.py check", command: venvPython, args: [inside("build.py"), "check"] },
    {
      name: "pytest",
      command: venvPython,
      args: ["-m", "pytest", "-n", "2"],
      env: { CHROMIUM: chromium },
      unwanted: NOT_RUN,
    },
  ];
}

/** @param {Check} check @returns {Promise<string>} "" when it passed, else why not */
async function perform({ name, command, args, env = {}, unwanted }) {
  process.stderr.write(`\n── ${name} ${"─".repeat(Math.max(0, 60 - name.length))}\n`);
  const from = performance.now();
  const { code, output } = await run(command, args, { env, show: true });
  const skipped = unwanted?.exec(output);
  const why = code !== 0 ? `exit code ${code}` : skipped ? `not everything ran: ${skipped[0].trim()}` : "";
  say(why ? "failed" : "passed", `${name}, ${since(from)}${why ? ` (${why})` : ""}`);
  return why;
}

await runMain(async () => {
  const from = performance.now();
  const { chromium } = await setUp({ forTests: true });
  const failed = [];
  for (const check of checks(chromium)) {
    const why = await perform(check);
    if (why) failed.push(`${check.name}: ${why}`);
  }
  process.stderr.write("\n");
  if (failed.length === 0) say("all", `checks passed in ${since(from)}`);
  else say("FAILED", `${failed.length} of the checks, after ${since(from)}\n  ${failed.join("\n  ")}`);
  return failed.length === 0 ? 0 : 1;
});

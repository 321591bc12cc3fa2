/**
 * `npm run bench`: set up, then run every `*_bench.py` and `*.bench.mjs` of tests/bench, one after the other, and write
 * what each measured into PERFORMANCE.md. `npm run bench -- boot` runs only those whose name begins so.
 *
 * A file prints its result as one line of JSON on standard output (see tests/bench/report.mjs), progress on standard error.
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { writeResult } from "../tests/bench/report.mjs";
import { inside, root, venvPython } from "./paths.mjs";
import { runMain, SetUpError, say, since } from "./say.mjs";
import { setUp } from "./setup.mjs";

/** @param {string[]} wanted beginnings of names; none means all @returns {string[]} */
function benches(wanted) {
  return readdirSync(inside("tests", "bench"))
    .filter((name) => /_bench\.py$|\.bench\.mjs$/.test(name))
    .filter((name) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)))
    .sort();
}

/** @param {string} name @param {string} chromium @returns {Promise<string>} what it printed */
function measure(name, chromium) {
  const command = name.endsWith(".py") ? venvPython : process.execPath;
  return new Promise((resolve, reject) => {
    const child = spawn(command, [inside("tests", "bench", name)], {
      cwd: root,
      env: { ...process.env, CHROMIUM: chromium, NODE: process.execPath, PYTHONPATH: inside("py") },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(output) : reject(new SetUpError(`${name} ended with exit code ${code}`)),
    );
  });
}

await runMain(async () => {
  const { chromium } = await setUp({ forTests: true });
  const failed = [];
  for (const name of benches(process.argv.slice(2))) {
    const from = performance.now();
    say("bench", name);
    try {
      const lines = (await measure(name, chromium)).trim().split("\n");
      for (const line of lines) writeResult(path.join(root, "PERFORMANCE.md"), JSON.parse(line));
      say("written", `PERFORMANCE.md, after ${since(from)}`);
    } catch (error) {
      say("failed", error instanceof Error ? error.message : String(error));
      failed.push(name);
    }
  }
  return failed.length === 0 ? 0 : 1;
});

/** Other programs, run without a shell. */
import { spawn } from "node:child_process";
import { root } from "./paths.mjs";

/**
 * @typedef {object} Outcome
 * @property {number} code exit code; 1 when a signal ended the program, 127 when it is not there
 * @property {string} output what it wrote, both streams in order ("" when it wrote to the terminal)
 */

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, show?: boolean }} [options] `show`: also pass its output on
 * @returns {Promise<Outcome>}
 */
export function run(command, args, { cwd = root, env = {}, show = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (text) => {
        output += text;
        if (show) process.stderr.write(text);
      });
    }
    child.on("error", (error) => resolve({ code: 127, output: `${output}${error.message}\n` }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

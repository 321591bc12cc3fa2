/**
 * The page's Python in Node: `node tools/runtime/engine.mjs quick|plain` prints one line with the versions, then answers
 * each line of standard input, one request of the bridge, with one line. Both ways to start are those of the page.
 */
import { createInterface } from "node:readline";
import { FILE } from "../../site/js/runtime/manifest.js";
import { openBridge, plainStart, quickStart, unpack } from "../../site/js/runtime/start.js";
import { runMain, SetUpError } from "../say.mjs";
import { FolderSource } from "./folder-source.mjs";
import { prepareRuntime } from "./prepare.mjs";

const VERSIONS = `
import json, sys, numpy, policygrad
json.dumps({"python": sys.version.split()[0], "platform": sys.platform, "numpy": numpy.__version__, "core": policygrad.__version__})
`;

/** @param {string} way @param {FolderSource} source */
async function startPython(way, source) {
  if (way === "quick") return quickStart(source);
  if (way !== "plain") throw new SetUpError(`the way to start is "quick" or "plain", not "${way}"`);
  const python = await plainStart(source, () => {});
  unpack(python, await source.bytes(FILE.core));
  return python;
}

await runMain(async () => {
  const python = await startPython(process.argv[2], new FolderSource(await prepareRuntime()));
  const answer = openBridge(python);
  process.stdout.write(`${python.runPython(VERSIONS)}\n`);
  for await (const line of createInterface({ input: process.stdin }))
    process.stdout.write(`${answer(line)}\n`);
});

/** `node_modules`, installed from the lock file, without running the packages' own install scripts. */
import { existsSync, readFileSync } from "node:fs";
import { inside, onPath } from "./paths.mjs";
import { run } from "./run.mjs";
import { sha256 } from "./runtime/hash.mjs";
import { SetUpError, say, since } from "./say.mjs";
import { readStamp, removeStamp, writeStamp } from "./stamp.mjs";

const OLDEST = 20;
const stampFile = inside("node_modules", ".set-up.json");

/** @returns {void} */
export function checkNode() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < OLDEST) {
    throw new SetUpError(
      `Node ${OLDEST} or newer is needed; this is Node ${process.versions.node}.`,
      "Install a newer one from nodejs.org or with the system's packages.",
    );
  }
}

/** @returns {string[]} the words that start npm: the very npm that runs this, when there is one */
function npm() {
  const running = process.env.npm_execpath;
  if (running?.endsWith(".js") && existsSync(running)) return [process.execPath, running];
  const found = onPath("npm");
  if (!found)
    throw new SetUpError("npm was not found.", "It comes with Node; on Debian: apt-get install npm");
  return [found];
}

/** @returns {Promise<void>} */
export async function setUpNodeModules() {
  const text = ["package.json", "package-lock.json"]
    .map((name) => readFileSync(inside(name), "utf8"))
    .join("\n");
  const wanted = { lock: sha256(text), platform: `${process.platform} ${process.arch}` };
  const stamp = readStamp(stampFile);
  if (stamp.lock === wanted.lock && stamp.platform === wanted.platform) return;
  const from = performance.now();
  say("node", "installing package-lock.json into node_modules");
  removeStamp(stampFile);
  const [command, ...args] = npm();
  const { code, output } = await run(command, [
    ...args,
    "ci",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ]);
  if (code !== 0) {
    throw new SetUpError(
      `The Node packages could not be installed:\n${output.trim()}`,
      "The first set-up needs the npm registry. Run the command again when it can be reached.",
    );
  }
  writeStamp(stampFile, wanted);
  say("node", `ready in ${since(from)}`);
}

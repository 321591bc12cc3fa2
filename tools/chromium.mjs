/** A Chromium for the tests: one that is there, else Playwright's own, else the system's package. */
import { existsSync } from "node:fs";
import { onPath, venvPython } from "./paths.mjs";
import { run } from "./run.mjs";
import { SetUpError, say } from "./say.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];

/** True when it starts at all: a stub, or one whose system libraries are missing, does not. @param {string | undefined} file */
async function works(file) {
  if (!file || !existsSync(file)) return false;
  // On Windows `--version` opens a window; there its presence has to do.
  return process.platform === "win32" || (await run(file, ["--version"])).code === 0;
}

async function alreadyThere() {
  for (const file of [...NAMES.map(onPath), ...PLACES]) {
    if (await works(file)) return file;
  }
  return undefined;
}

const WHERE =
  "from playwright.sync_api import sync_playwright as s\nwith s() as p: print(p.chromium.executable_path)";

async function playwrightsOwn() {
  const { code, output } = await run(venvPython, ["-c", WHERE]);
  const file = output.trim();
  return code === 0 && (await works(file)) ? file : undefined;
}

async function installPlaywrights() {
  say("chromium", "none here; asking Playwright for its own");
  const { code, output } = await run(venvPython, ["-m", "playwright", "install", "chromium"]);
  if (code !== 0) say("chromium", `Playwright could not bring it: ${output.trim().split("\n")[0]}`);
  return playwrightsOwn();
}

async function installSystems() {
  const apt = onPath("apt-get");
  if (!apt || process.getuid?.() !== 0) return undefined;
  say("chromium", "installing the system's package");
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run(apt, ["update", "-q"], { env });
  const { code, output } = await run(apt, ["install", "-y", "-q", "--no-install-recommends", "chromium"], {
    env,
  });
  if (code !== 0) say("chromium", `apt-get could not: ${output.trim().split("\n").at(-1)}`);
  return alreadyThere();
}

/** @returns {Promise<string>} path of a Chromium that starts */
export async function findChromium() {
  const wanted = process.env.CHROMIUM;
  if (wanted) {
    if (await works(wanted)) return wanted;
    throw new SetUpError(`CHROMIUM=${wanted} does not start.`);
  }
  for (const look of [alreadyThere, playwrightsOwn, installPlaywrights, installSystems]) {
    const file = await look();
    if (file) return file;
  }
  throw new SetUpError(
    "The tests of the built page need a Chromium, and none was found or could be installed.",
    "Install one (on Debian, as root: apt-get install chromium), or name one: CHROMIUM=/path/to/chromium npm test",
  );
}

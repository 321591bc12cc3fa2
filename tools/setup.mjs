/**
 * Brings everything that a command needs, in this order, and only what is not there yet: the Node packages, the
 * Python environment, the runtime files of the page and, for tests, a Chromium. A second run does nothing and needs no
 * network; an interrupted one goes on; two at once wait for each other.
 */

import { withLock } from "./lock.mjs";
import { checkNode, setUpNodeModules } from "./node-modules.mjs";
import { inside } from "./paths.mjs";
import { setUpPython } from "./python.mjs";

/**
 * @param {{ forTests?: boolean }} [options]
 * @returns {Promise<{ chromium: string }>} path of the Chromium, "" when it was not asked for
 */
export async function setUp({ forTests = false } = {}) {
  checkNode();
  return withLock(inside(".cache", "set-up.lock"), async () => {
    await setUpNodeModules();
    await setUpPython(forTests ? "test" : "build");
    // These import nothing of node_modules but read it, so they come after it is there.
    const { prepareRuntime } = await import("./runtime/prepare.mjs");
    await prepareRuntime();
    if (!forTests) return { chromium: "" };
    const { findChromium } = await import("./chromium.mjs");
    return { chromium: await findChromium() };
  });
}

/** `npm start`: set up, then build the site and serve it on 127.0.0.1:8000 (another port with PORT=). */
import { spawn } from "node:child_process";
import { inside, root, venvPython } from "./paths.mjs";
import { runMain, SetUpError, say } from "./say.mjs";
import { setUp } from "./setup.mjs";

/** @returns {string} */
function port() {
  const wanted = process.env.PORT || "8000";
  if (!/^\d+$/.test(wanted) || Number(wanted) > 65_535)
    throw new SetUpError(`PORT=${wanted} is not a port number.`);
  return wanted;
}

/** Runs build.py in the terminal itself, so that Ctrl-C reaches it. @param {string[]} args @returns {Promise<number>} */
function build(...args) {
  return new Promise((resolve) => {
    const child = spawn(venvPython, [inside("build.py"), ...args], { cwd: root, stdio: "inherit" });
    const pass = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
    process.on("SIGINT", () => {}); // the terminal sends it to build.py too, which says goodbye
    process.on("SIGTERM", pass);
    child.on("error", () => resolve(1));
    child.on("close", (code) => resolve(code ?? 0));
  });
}

await runMain(async () => {
  const at = port();
  await setUp();
  say("site", "building");
  return build("serve", "--port", at);
});

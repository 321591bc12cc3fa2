/** Where things are. Everything that is made and not committed lives in `.venv`, `node_modules`, `.cache` and `dist`. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/** @param {...string} parts @returns {string} a path inside the project */
export const inside = (...parts) => path.join(root, ...parts);

const onWindows = process.platform === "win32";

/** The virtual environment's Python. */
export const venvPython = onWindows
  ? inside(".venv", "Scripts", "python.exe")
  : inside(".venv", "bin", "python");

/** @param {string} name @returns {string} a command of the virtual environment */
export function venvCommand(name) {
  return onWindows ? inside(".venv", "Scripts", `${name}.exe`) : inside(".venv", "bin", name);
}

/** Downloads that outlive a clone: shared by every copy of the project on this machine. */
export function userCache() {
  const base = process.env.XDG_CACHE_HOME || path.join(homedir(), ".cache");
  return path.join(base, "policygrad-lessons");
}

/** @param {string} command @returns {string | undefined} its full path, when it is on PATH */
export function onPath(command) {
  const endings = onWindows ? [".exe", ".cmd", ""] : [""];
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    for (const ending of endings) {
      const candidate = path.join(folder, command + ending);
      if (folder && existsSync(candidate)) return candidate;
    }
  }
  return undefined;
}

/** Keeps a cache folder from growing: the newest few entries stay, an hour's grace for those that a test may be using. */
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import path from "node:path";

const KEPT = 3;
const GRACE = 60 * 60 * 1000;

/** @param {string} folder @param {string} current the entry in use now; it counts as the newest */
export function keepNewest(folder, current) {
  if (!existsSync(folder)) return;
  const now = new Date();
  utimesSync(path.join(folder, current), now, now);
  const entries = readdirSync(folder)
    .map((name) => path.join(folder, name))
    .map((entry) => ({ entry, time: statSync(entry).mtimeMs }))
    .sort((a, b) => b.time - a.time);
  for (const { entry, time } of entries.slice(KEPT)) {
    if (now.getTime() - time > GRACE) rmSync(entry, { recursive: true, force: true });
  }
}

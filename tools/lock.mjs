/**
 * One set-up at a time: a lock folder that names its owner. A lock whose owner no longer runs is taken over, so a set-up
 * that was interrupted never blocks the next one.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { say } from "./say.mjs";

const POLL = 200;
/** A lock folder without an owner file: its maker died between two system calls. */
const ORPHAN_AFTER = 5000;

/** @param {number} pid */
function runs(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** @param {string} folder @returns {boolean} true when the lock's owner is gone */
function isStale(folder) {
  try {
    const owner = JSON.parse(readFileSync(path.join(folder, "owner.json"), "utf8"));
    return owner.host === hostname() && !runs(owner.pid);
  } catch {
    try {
      return Date.now() - statSync(folder).mtimeMs > ORPHAN_AFTER;
    } catch {
      return false;
    }
  }
}

/**
 * Removes a lock that was found stale, by way of another name: if a third process has taken it meanwhile, it is its lock
 * that moved, and it moves back.
 * @param {string} folder
 */
function removeStale(folder) {
  const aside = `${folder}.${process.pid}`;
  try {
    renameSync(folder, aside);
    if (isStale(aside)) rmSync(aside, { recursive: true, force: true });
    else renameSync(aside, folder);
  } catch {
    // Somebody else was quicker; the next look at the lock tells.
  }
}

/** @param {string} folder */
function take(folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    return false;
  }
  writeFileSync(path.join(folder, "owner.json"), JSON.stringify({ pid: process.pid, host: hostname() }));
  return true;
}

/**
 * Runs `body` while no other process holds the same lock.
 * @template T
 * @param {string} folder the lock; its parent folder is made when missing
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function withLock(folder, body) {
  mkdirSync(path.dirname(folder), { recursive: true });
  let told = false;
  while (!take(folder)) {
    if (isStale(folder)) {
      removeStale(folder);
      continue;
    }
    if (!told) {
      say("waiting", `another set-up is at work (${path.basename(folder)})`);
      told = true;
    }
    await sleep(POLL);
  }
  try {
    return await body();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

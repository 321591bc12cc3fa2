import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { withLock } from "../../../tools/lock.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "policygrad-lock-"));
after(() => rmSync(folder, { recursive: true }));

test("two at once take turns", async () => {
  const lock = path.join(folder, "turns.lock");
  let inside = 0;
  let most = 0;
  const body = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await sleep(20);
    inside -= 1;
  };
  await Promise.all([withLock(lock, body), withLock(lock, body), withLock(lock, body)]);
  assert.equal(most, 1);
  assert.equal(existsSync(lock), false);
});

test("a lock is given back also when the work fails", async () => {
  const lock = path.join(folder, "failing.lock");
  await assert.rejects(
    withLock(lock, () => Promise.reject(new Error("no network"))),
    { message: "no network" },
  );
  assert.equal(await withLock(lock, async () => "next"), "next");
});

test("the lock of a process that has ended is taken over", async () => {
  const lock = path.join(folder, "left.lock");
  const { stdout } = await promisify(execFile)(process.execPath, ["-p", "process.pid"]);
  mkdirSync(lock);
  writeFileSync(path.join(lock, "owner.json"), JSON.stringify({ pid: Number(stdout), host: hostname() }));
  assert.equal(await withLock(lock, async () => "mine"), "mine");
});

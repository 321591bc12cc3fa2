import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { hashEntries, listFiles } from "../../../tools/runtime/hash.mjs";
import { checkAgainstPyodide, pyodideFolder, readLock } from "../../../tools/runtime/lock-file.mjs";
import { keepNewest } from "../../../tools/runtime/prune.mjs";
import { readZip } from "../../../tools/runtime/zip.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "policygrad-tools-"));
after(() => rmSync(folder, { recursive: true }));

test("members are taken out of a zip file by name", () => {
  const members = readZip(path.join(pyodideFolder, "python_stdlib.zip"), (name) =>
    /^json\/\w+\.pyc?$/.test(name),
  );
  assert.ok(members.length >= 4);
  assert.ok(members.every(([, bytes]) => bytes.length > 100));
  const names = members.map(([name]) => name);
  assert.deepEqual(names, [...names].sort());
});

test("what is not a zip file is refused", () => {
  const file = path.join(folder, "no.zip");
  writeFileSync(file, "x".repeat(1000));
  assert.throws(() => readZip(file, () => true), { message: "not a zip file" });
});

test("the locked wheel is the one that Pyodide itself names", () => {
  const lock = readLock();
  assert.doesNotThrow(() => checkAgainstPyodide(lock));
  const wrong = structuredClone(lock);
  wrong.numpy.sha256 = "0".repeat(64);
  assert.throws(() => checkAgainstPyodide(wrong), /name different NumPy wheels/);
});

test("a hash over files changes with a name and with a byte, not with the folder's order", () => {
  const one = hashEntries([["a", "1"]]);
  assert.notEqual(one, hashEntries([["b", "1"]]));
  assert.notEqual(one, hashEntries([["a", "2"]]));
  mkdirSync(path.join(folder, "tree", "deep"), { recursive: true });
  for (const name of ["b.py", "a.py", "deep/c.py"]) writeFileSync(path.join(folder, "tree", name), "");
  assert.deepEqual(listFiles(path.join(folder, "tree")), ["a.py", "b.py", "deep/c.py"]);
});

test("a cache keeps its newest entries, and any that may still be in use", () => {
  const cache = path.join(folder, "cache");
  const hours = (/** @type {number} */ ago) => new Date(Date.now() - ago * 3_600_000);
  for (const [name, ago] of /** @type {[string, number][]} */ ([
    ["old", 9],
    ["older", 10],
    ["b", 2],
    ["c", 3],
    ["now", 4],
  ])) {
    mkdirSync(path.join(cache, name), { recursive: true });
    utimesSync(path.join(cache, name), hours(ago), hours(ago));
  }
  keepNewest(cache, "now");
  const left = ["now", "b", "c", "old", "older"].filter((name) => existsSync(path.join(cache, name)));
  assert.deepEqual(left, ["now", "b", "c"]);
  keepNewest(path.join(folder, "nothing"), "x");
});

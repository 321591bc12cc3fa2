import assert from "node:assert/strict";
import { test } from "node:test";
import { createStore, keyPrefix, siteRoot } from "../../../site/js/lib/storage.js";
import { memoryArea } from "./memory-area.js";

test("two copies of the site on one host do not see each other's values", () => {
  const area = memoryArea();
  const a = createStore(area, keyPrefix("https://example.org/a/"));
  const b = createStore(area, keyPrefix("https://example.org/b/"));
  a.set("theme", "dark");
  assert.equal(b.get("theme"), null);
  assert.deepEqual([...area.entries.keys()], ["policygrad:/a/:theme"]);
  assert.deepEqual(a.names(), ["theme"]);
  assert.deepEqual(b.names(), []);
});

test("a full store keeps the new value for this page and says that it will not last", () => {
  const area = memoryArea(10);
  const store = createStore(area, "p:");
  assert.equal(store.set("x", "short"), true);
  assert.equal(store.lasting, true);
  assert.equal(store.set("x", "much too long for it"), false);
  assert.equal(store.get("x"), "much too long for it");
  assert.equal(store.lasting, false);
  assert.equal(store.set("x", "short"), true);
  assert.equal(store.lasting, true);
});

test("a blocked store works as long as the page lives", () => {
  const throws = () => {
    throw new Error("SecurityError");
  };
  const blocked = { getItem: throws, setItem: throws, removeItem: throws, key: throws, length: 0 };
  for (const area of [null, blocked]) {
    const store = createStore(area, "p:");
    assert.equal(store.get("x"), null);
    assert.equal(store.set("x", "1"), false);
    assert.equal(store.get("x"), "1");
    assert.deepEqual(store.names(), ["x"]);
    store.remove("x");
    assert.equal(store.get("x"), null);
  }
});

test("names are those that start with a given text, in order", () => {
  const store = createStore(memoryArea(), "p:");
  for (const name of ["lesson:b", "theme", "lesson:a"]) store.set(name, "1");
  assert.deepEqual(store.names("lesson:"), ["lesson:a", "lesson:b"]);
});

test("every page of a copy, also the index with its empty root, has the same place in the store", () => {
  const folder = "https://example.org/some/where%20else/";
  assert.equal(siteRoot("", `${folder}index.html#a-lesson`), folder);
  assert.equal(siteRoot("", `${folder}?from=mail`), folder);
  assert.equal(siteRoot(undefined, folder), folder);
  assert.equal(siteRoot("../", `${folder}lessons/a.html?ppo-clip.ratio=1#b`), folder);
});

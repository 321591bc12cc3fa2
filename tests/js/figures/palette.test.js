import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inkOf, livePalette, lookOf, ROLES, staticPalette } from "../../../site/js/figures/palette.js";

const css = (/** @type {string} */ name) =>
  readFileSync(new URL(`../../../site/css/${name}`, import.meta.url), "utf8");
const AGREED = [
  ..."objective-positive objective-negative objective-zero unclipped clipped old new reference clip slope".split(
    " ",
  ),
  ..."p q positive negative kl reward curve edge outside".split(" "),
];
const VARIABLES = ["--plot-ink", "--plot-ink-soft", "--plot-grid", "--plot-axis"];

test("every agreed role has a look, and there are no others", () => {
  assert.deepEqual(Object.keys(ROLES).sort(), [...AGREED].sort());
});

test("every role has a colour in the light and in the dark style sheet", () => {
  for (const file of ["tokens.css", "tokens-dark.css"]) {
    const text = css(file);
    for (const variable of [...AGREED.map((role) => `--role-${role}`), ...VARIABLES]) {
      assert.match(text, new RegExp(`^\\s*${variable}:\\s*\\S+;`, "m"), `${file} lacks ${variable}`);
    }
  }
});

test("roles that may meet in one panel differ in more than colour", () => {
  const different = (
    /** @type {string} */ a,
    /** @type {string} */ b,
    /** @type {(keyof import("../../../site/js/figures/palette.js").Look)[]} */ ...keys
  ) => keys.some((key) => JSON.stringify(lookOf(a)[key]) !== JSON.stringify(lookOf(b)[key]));
  assert.ok(different("unclipped", "clipped", "dash"));
  assert.ok(different("unclipped", "objective-positive", "dash", "width"));
  assert.ok(different("old", "new", "hollow"));
  assert.ok(different("new", "outside", "symbol"));
  assert.ok(different("clipped", "outside", "dash"));
});

test("static pictures name variables, so that the style sheet decides in the dark and in print", () => {
  const palette = staticPalette();
  assert.equal(palette.role("clip"), "var(--role-clip)");
  assert.equal(palette.ink, "var(--plot-ink)");
});

test("the label of a pale band takes the colour of the band's edge", () => {
  assert.equal(inkOf("clip", staticPalette()), "var(--role-edge)");
  assert.equal(inkOf("kl", staticPalette()), "var(--role-kl)");
});

test("live plots get the colours that hold at their place, each read once", () => {
  let reads = 0;
  const getPropertyValue = (/** @type {string} */ name) => {
    reads += 1;
    return name === "--role-kl" ? "" : ` ${name}-colour `;
  };
  Reflect.set(globalThis, "getComputedStyle", () => ({ getPropertyValue }));
  const palette = livePalette(/** @type {Element} */ ({}));
  assert.equal(palette.role("new"), "--role-new-colour");
  const before = reads;
  palette.role("new");
  assert.equal(reads, before);
  assert.throws(() => palette.role("kl"), /the style sheet has no --role-kl/);
  Reflect.deleteProperty(globalThis, "getComputedStyle");
});

/** How a live plot ends: Plotly missing, failing, or not wanted any more. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { createStage, shows } from "./live-plot-stage.js";
import { ppoClip } from "./samples.js";

/** @type {ReturnType<typeof createStage>} */
let stage;
/** @type {typeof stage.page} */
let page;

beforeEach(() => {
  stage = createStage();
  ({ page } = stage);
});
afterEach(() => stage.leave());

test("when Plotly does not load, the picture goes on following the numbers", async () => {
  const plot = stage.start();
  page.on.near();
  await stage.scriptSays("error");
  plot.update(ppoClip(1.9));
  await stage.settle();
  assert.ok(page.picture("wide").includes(shows(1.9)));
  assert.equal(page.box.dataset.drawn, "picture");
});

test("a script that is not Plotly counts as not loaded", async () => {
  stage.start();
  page.on.near();
  await stage.scriptSays("load");
  assert.equal(page.host(), null);
});

test("when Plotly fails at a drawing, the picture takes its place", async () => {
  const plot = stage.start({ figure: ppoClip() });
  await stage.plotlyArrives(() => Promise.reject(new Error("no canvas")));
  await stage.settle();
  assert.equal(page.host(), null);
  plot.update(ppoClip(0.4));
  page.frame();
  assert.ok(page.picture("wide").includes(shows(0.4)));
});

test("destroy() leaves the static pictures at the present numbers and stops listening", async () => {
  const plot = stage.start({ figure: ppoClip() });
  await stage.plotlyArrives();
  await stage.settle();
  plot.update(ppoClip(0.25));
  plot.destroy();
  assert.equal(page.host(), null);
  assert.equal(page.box.dataset.drawn, undefined);
  assert.ok(page.picture("wide").includes(shows(0.25)) && page.picture("narrow").includes(shows(0.25)));
  assert.equal(page.frame(), 0);
  assert.deepEqual(
    Object.keys(page.on).filter((name) => ["width", "theme", "beforeprint"].includes(name)),
    [],
  );
});

test("a figure that is destroyed while Plotly loads stays a picture", async () => {
  const plot = stage.start({ figure: ppoClip() });
  page.on.near();
  plot.destroy();
  Reflect.set(globalThis, "Plotly", { react: async () => {}, purge: () => {} });
  await stage.scriptSays("load");
  assert.equal(page.host(), null);
});

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { at } from "./helpers.js";
import { createStage, shows } from "./live-plot-stage.js";
import { ppoClip } from "./samples.js";

/** @type {ReturnType<typeof createStage>} */
let stage;
/** @type {typeof stage.page} */
let page;
/** @type {typeof stage.drawn} */
let drawn;

beforeEach(() => {
  stage = createStage();
  ({ page, drawn } = stage);
});
afterEach(() => stage.leave());

test("Plotly is asked for only when the figure is near, once for all figures of a page", () => {
  stage.start();
  assert.equal(page.head.children.length, 0);
  page.on.near();
  stage.start();
  page.on.near();
  assert.equal(page.head.children.length, 1);
  assert.equal(at(page.head.children[0], "src"), stage.plotlyUrl);
});

test("the static picture follows the numbers before Plotly is there", () => {
  const plot = stage.start();
  plot.update(ppoClip(0.6));
  page.frame();
  assert.ok(page.picture("wide").includes(shows(0.6)));
});

test("the newest of many updates is drawn, once per frame", () => {
  const plot = stage.start();
  for (const r of [0.1, 0.2, 0.3]) plot.update(ppoClip(r));
  assert.equal(page.frame(), 1);
  assert.ok(page.picture("wide").includes(shows(0.3)));
  assert.equal(page.frame(), 0);
});

test("the live plot is unseen until its first drawing is complete", async () => {
  let finish = () => {};
  stage.start({ figure: ppoClip() });
  await stage.plotlyArrives(
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  await stage.settle();
  assert.equal(drawn.length, 1);
  assert.equal(page.box.dataset.drawn, "picture");
  finish();
  await page.wait(0);
  assert.equal(page.box.dataset.drawn, "plotly");
});

test("while a control moves the picture shows; Plotly draws the last numbers when they rest", async () => {
  const plot = stage.start({ figure: ppoClip() });
  await stage.plotlyArrives();
  await stage.settle();
  for (const r of [0.5, 0.6, 0.7]) {
    plot.update(ppoClip(r));
    page.frame();
    await page.wait(50);
    assert.equal(page.box.dataset.drawn, "picture");
    assert.ok(page.picture("wide").includes(shows(r)));
  }
  assert.equal(drawn.length, 1);
  await page.wait(150);
  assert.equal(drawn.length, 2);
  assert.equal(page.box.dataset.drawn, "plotly");
  assert.ok(drawn[1].data.some((trace) => trace.text?.includes(shows(0.7))));
});

test("a drawing that is overtaken by newer numbers is not shown", async () => {
  let finish = () => {};
  const plot = stage.start({ figure: ppoClip() });
  await stage.plotlyArrives(
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  await stage.settle();
  plot.update(ppoClip(0.5));
  finish();
  await page.wait(0);
  assert.equal(page.box.dataset.drawn, "picture");
});

test("the live plot fills the box in the proportions of the picture that shows", async () => {
  stage.start({ figure: ppoClip() });
  await stage.plotlyArrives();
  await stage.settle();
  assert.deepEqual([drawn[0].layout.width, drawn[0].layout.height], [680, 380]);
  page.state.narrow = true;
  page.box.clientWidth = 656;
  page.on.width();
  await stage.settle();
  assert.deepEqual([drawn[1].layout.width, drawn[1].layout.height], [656, 580]);
});

test("another theme colours the live plot anew", async () => {
  stage.start({ figure: ppoClip() });
  await stage.plotlyArrives();
  await stage.settle();
  page.state.colour = "white";
  page.on.theme();
  await stage.settle();
  assert.deepEqual(
    drawn.map(({ layout }) => layout.font.color),
    ["black", "white"],
  );
});

test("before printing both pictures hold the present numbers", () => {
  for (const event of ["beforeprint", "print"]) {
    const plot = stage.start();
    plot.update(ppoClip(event === "print" ? 0.9 : 1.1));
    page.frame();
    page.on[event]();
    const text = shows(event === "print" ? 0.9 : 1.1);
    assert.ok(page.picture("wide").includes(text) && page.picture("narrow").includes(text), event);
  }
});

test("a finger or a mouse button on the figure is not the start of a drag", async () => {
  stage.start({ figure: ppoClip() });
  await stage.plotlyArrives();
  for (const type of ["touchstart", "mousedown"]) {
    let stopped = false;
    page.host().handlers[type]({
      stopPropagation: () => {
        stopped = true;
      },
    });
    assert.ok(stopped, type);
  }
});

test("the live plot is silent for screen readers", async () => {
  stage.start({ figure: ppoClip() });
  await stage.plotlyArrives();
  assert.equal(page.host().attributes["aria-hidden"], "true");
});

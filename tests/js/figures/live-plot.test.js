import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { createLivePlot } from "../../../site/js/figures/live-plot.js";
import { fakePage } from "./fake-page.js";
import { at } from "./helpers.js";
import { ppoClip } from "./samples.js";

/** @type {ReturnType<typeof fakePage>} */
let page;
/** @type {{data: any[], layout: any}[]} */
let drawn;
let count = 0;

beforeEach(() => {
  page = fakePage();
  drawn = [];
  count += 1;
  mock.method(console, "warn", () => {});
});
afterEach(() => {
  page.leave();
  mock.restoreAll();
});

/** A script of its own for each test, because scripts are shared by all figures of a page. */
const start = (options = {}) => createLivePlot(page.box, { plotlyUrl: `plotly-${count}.js`, ...options });

/** The figure comes near, its script arrives. @param {() => Promise<void>} [react] */
async function plotlyArrives(react = async () => {}) {
  page.on.near();
  Reflect.set(globalThis, "Plotly", {
    react: (/** @type {unknown} */ _, /** @type {any[]} */ data, /** @type {any} */ layout) => {
      drawn.push({ data, layout });
      return react();
    },
    purge: () => {},
  });
  at(page.head.children.at(-1), "handlers").load();
  page.on.width?.();
  await page.wait(0);
}

async function settle() {
  page.frame();
  await page.wait(150);
}

const shows = (/** @type {number} */ r) => `r = ${r.toFixed(2)}`;

test("Plotly is asked for only when the figure is near, once for all figures of a page", () => {
  start();
  assert.equal(page.head.children.length, 0);
  page.on.near();
  start();
  page.on.near();
  assert.equal(page.head.children.length, 1);
  assert.equal(at(page.head.children[0], "src"), `plotly-${count}.js`);
});

test("the static picture follows the numbers before Plotly is there", () => {
  const plot = start();
  plot.update(ppoClip(0.6));
  page.frame();
  assert.ok(page.picture("wide").includes(shows(0.6)));
});

test("the newest of many updates is drawn, once per frame", () => {
  const plot = start();
  for (const r of [0.1, 0.2, 0.3]) plot.update(ppoClip(r));
  assert.equal(page.frame(), 1);
  assert.ok(page.picture("wide").includes(shows(0.3)));
  assert.equal(page.frame(), 0);
});

test("the live plot is unseen until its first drawing is complete", async () => {
  let finish = () => {};
  start({ figure: ppoClip() });
  await plotlyArrives(
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  await settle();
  assert.equal(drawn.length, 1);
  assert.equal(page.box.dataset.drawn, "picture");
  finish();
  await page.wait(0);
  assert.equal(page.box.dataset.drawn, "plotly");
});

test("while a control moves the picture shows; Plotly draws the last numbers when they rest", async () => {
  const plot = start({ figure: ppoClip() });
  await plotlyArrives();
  await settle();
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
  const plot = start({ figure: ppoClip() });
  await plotlyArrives(
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  await settle();
  plot.update(ppoClip(0.5));
  finish();
  await page.wait(0);
  assert.equal(page.box.dataset.drawn, "picture");
});

test("the live plot fills the box in the proportions of the picture that shows", async () => {
  start({ figure: ppoClip() });
  await plotlyArrives();
  await settle();
  assert.deepEqual([drawn[0].layout.width, drawn[0].layout.height], [680, 380]);
  page.state.narrow = true;
  page.box.clientWidth = 656;
  page.on.width();
  await settle();
  assert.deepEqual([drawn[1].layout.width, drawn[1].layout.height], [656, 620]);
});

test("another theme colours the live plot anew", async () => {
  start({ figure: ppoClip() });
  await plotlyArrives();
  await settle();
  page.state.colour = "white";
  page.on.theme();
  await settle();
  assert.deepEqual(
    drawn.map(({ layout }) => layout.font.color),
    ["black", "white"],
  );
});

test("when Plotly does not load, the picture goes on following the numbers", async () => {
  const plot = start();
  page.on.near();
  at(page.head.children.at(-1), "handlers").error();
  await page.wait(0);
  plot.update(ppoClip(1.9));
  await settle();
  assert.ok(page.picture("wide").includes(shows(1.9)));
  assert.equal(page.box.dataset.drawn, "picture");
});

test("a script that is not Plotly counts as not loaded", async () => {
  start();
  page.on.near();
  at(page.head.children.at(-1), "handlers").load();
  await page.wait(0);
  assert.equal(page.host(), null);
});

test("when Plotly fails at a drawing, the picture takes its place", async () => {
  const plot = start({ figure: ppoClip() });
  await plotlyArrives(() => Promise.reject(new Error("no canvas")));
  await settle();
  assert.equal(page.host(), null);
  plot.update(ppoClip(0.4));
  page.frame();
  assert.ok(page.picture("wide").includes(shows(0.4)));
});

test("before printing both pictures hold the present numbers", () => {
  for (const event of ["beforeprint", "print"]) {
    const plot = start();
    plot.update(ppoClip(event === "print" ? 0.9 : 1.1));
    page.frame();
    page.on[event]();
    const text = shows(event === "print" ? 0.9 : 1.1);
    assert.ok(page.picture("wide").includes(text) && page.picture("narrow").includes(text), event);
  }
});

test("a finger or a mouse button on the figure is not the start of a drag", async () => {
  start({ figure: ppoClip() });
  await plotlyArrives();
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
  start({ figure: ppoClip() });
  await plotlyArrives();
  assert.equal(page.host().attributes["aria-hidden"], "true");
});

test("destroy() leaves the static pictures at the present numbers and stops listening", async () => {
  const plot = start({ figure: ppoClip() });
  await plotlyArrives();
  await settle();
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
  const plot = start({ figure: ppoClip() });
  page.on.near();
  plot.destroy();
  Reflect.set(globalThis, "Plotly", { react: async () => {}, purge: () => {} });
  at(page.head.children.at(-1), "handlers").load();
  await page.wait(0);
  assert.equal(page.host(), null);
});

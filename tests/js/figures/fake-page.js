/**
 * As much of a browser as a live plot needs, with time in the test's hands: frames and timers run when the test says so.
 */
import { mock } from "node:test";

export class FakeElement {
  /** @param {string} tag */
  constructor(tag) {
    this.tag = tag;
    this.className = "";
    /** @type {Record<string, string>} */
    this.dataset = {};
    /** @type {Record<string, string>} */
    this.attributes = {};
    /** @type {(FakeElement | string)[]} */
    this.children = [];
    /** @type {FakeElement | null} */
    this.parent = null;
    /** @type {Record<string, (event?: unknown) => void>} */
    this.handlers = {};
    this.clientWidth = 680;
    this.src = "";
  }
  /** @param {string} name @param {string} value */
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  /** @param {string} type @param {(event?: unknown) => void} handler */
  addEventListener(type, handler) {
    this.handlers[type] = handler;
  }
  /** @param {...(FakeElement | string)} parts */
  append(...parts) {
    for (const part of parts) if (part instanceof FakeElement) part.parent = this;
    this.children.push(...parts);
  }
  /** @param {...(FakeElement | string)} parts */
  replaceChildren(...parts) {
    this.children = [];
    this.append(...parts);
  }
  remove() {
    if (this.parent) this.parent.children = this.parent.children.filter((child) => child !== this);
    this.parent = null;
  }
  /** @param {string} selector ".a.b", looked for among the children @returns {FakeElement | null} */
  querySelector(selector) {
    const wanted = selector.split(".").filter(Boolean).join(" ");
    const elements = this.children.filter((child) => child instanceof FakeElement);
    return elements.find((child) => child.className === wanted) ?? null;
  }
  /** @returns {string} all text inside */
  get text() {
    return this.children.map((child) => (child instanceof FakeElement ? child.text : child)).join(" ");
  }
}

/** @param {{narrow?: boolean}} [options] */
export function fakePage({ narrow = false } = {}) {
  const frames = /** @type {Map<number, () => void>} */ (new Map());
  const on = /** @type {Record<string, () => void>} */ ({});
  const head = new FakeElement("head");
  const state = { narrow, colour: "black", frames: 0 };
  /** @param {string} name */
  const observer = (name) =>
    class {
      /** @param {(entries: unknown[]) => void} then */
      constructor(then) {
        on[name] = () => then([{ isIntersecting: true, contentRect: { width: box.clientWidth } }]);
      }
      observe() {}
      disconnect() {
        delete on[name];
      }
    };
  const create = (/** @type {string} */ tag) => new FakeElement(tag);
  const globals = {
    document: {
      documentElement: create("html"),
      head,
      createElement: create,
      createElementNS: (/** @type {string} */ _, /** @type {string} */ tag) => create(tag),
    },
    IntersectionObserver: observer("near"),
    ResizeObserver: observer("width"),
    MutationObserver: observer("theme"),
    matchMedia: (/** @type {string} */ query) => ({
      matches: query === "print",
      addEventListener: (/** @type {string} */ _, /** @type {() => void} */ then) => {
        on[query] = then;
      },
      removeEventListener() {},
    }),
    addEventListener: (/** @type {string} */ type, /** @type {() => void} */ then) => {
      on[type] = then;
    },
    removeEventListener: (/** @type {string} */ type) => delete on[type],
    getComputedStyle: (/** @type {FakeElement} */ element) => ({
      display: element.className === `picture ${state.narrow ? "wide" : "narrow"}` ? "none" : "block",
      getPropertyValue: () => state.colour,
    }),
    requestAnimationFrame: (/** @type {() => void} */ run) => {
      state.frames += 1;
      frames.set(state.frames, run);
      return state.frames;
    },
    cancelAnimationFrame: (/** @type {number} */ id) => frames.delete(id),
  };
  for (const [name, value] of Object.entries(globals)) Reflect.set(globalThis, name, value);

  const box = create("div");
  for (const size of ["wide", "narrow"]) {
    const picture = create("div");
    picture.className = `picture ${size}`;
    box.append(picture);
  }
  mock.timers.enable({ apis: ["setTimeout"] });
  return {
    box: /** @type {any} */ (box),
    head,
    on,
    state,
    /** @param {"wide" | "narrow"} size */
    picture: (size) => box.querySelector(`.picture.${size}`)?.text ?? "",
    host: () => /** @type {any} */ (box.querySelector(".plot-live")),
    frame() {
      const waiting = [...frames.values()];
      frames.clear();
      for (const run of waiting) run();
      return waiting.length;
    },
    /** Let timers of the next `milliseconds` run, and the promises behind them. @param {number} milliseconds */
    async wait(milliseconds) {
      mock.timers.tick(milliseconds);
      for (let i = 0; i < 10; i += 1) await Promise.resolve();
    },
    leave() {
      mock.timers.reset();
      for (const name of [...Object.keys(globals), "Plotly"]) Reflect.deleteProperty(globalThis, name);
    },
  };
}

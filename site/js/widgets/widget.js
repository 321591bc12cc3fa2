/**
 * One way to bring every widget to life. The page arrives with its first frame; from here on the controls ask the core
 * for a model of their position, and the newest answer fills figure, readouts, sentence and table in one frame.
 */

import { one, setAttribute, setNotice, setText } from "../lib/dom.js";
import { eachFrame } from "../lib/timing.js";
import { SUPERSEDED } from "../runtime/client.js";
import { PythonUnavailable } from "../runtime/outcomes.js";
import { bindActions } from "./actions.js";
import { onGrid, sameValues } from "./control-values.js";
import { bindControls } from "./controls.js";
import { bindReadouts } from "./readouts.js";
import { widgetState } from "./state.js";

/** @typedef {import("./types.js").Model} Model */
/** @typedef {import("./types.js").Spec} Spec */
/** @typedef {import("./types.js").Values} Values */
/** @typedef {ReturnType<typeof hydrateWidget>} Widget */
/**
 * @typedef {object} Services
 * @property {Pick<import("../runtime/client.js").Runtime, "latest" | "start" | "status">} runtime
 * @property {{ values: Values, notices: string[] }} start where a link, or the reader's last visit, puts the controls
 * @property {(box: HTMLElement, figure: any) => { update: (figure: any) => void }} createPlot
 * @property {(id: string, values: Values) => void} onMove
 * @property {(id: string, model: Model) => void} onModel
 */

const STANDS = "The picture shows the first frame only; the numbers follow the controls.";

/**
 * @param {HTMLElement} section
 * @param {{ spec: Spec, frame: Model }} data
 * @param {Services} services
 */
export function hydrateWidget(section, { spec, frame }, services) {
  const { runtime } = services;
  const id = section.id;
  let values = { ...frame.params, ...onGrid(spec.controls, services.start.values) };
  let drawn = frame.params; // the position that the figure shows
  let live = false;
  let problem = "";
  let said = services.start.notices;
  let modelSaid = frame.notices;
  let stands = "";

  const notice = one(section, "[data-notice]");
  const box = one(section, "[data-plot]");
  const readouts = bindReadouts(section);
  const controls = bindControls(section, spec.controls, { values: () => values, move });
  const plot = box ? livePlot(box) : null;
  bindActions(section, spec, { values: () => values, move, reset, hold: readouts.hold });

  const frames = eachFrame((/** @type {{ model: Model, asked: Values }} */ { model, asked }) => {
    readouts.show(model);
    services.onModel(id, model);
    drawn = asked;
    // The core may put controls elsewhere (probabilities that do not fit together); the sliders follow it.
    if (asked === values && !sameValues(values, model.params)) {
      values = { ...values, ...onGrid(spec.controls, model.params) };
      drawn = values;
      controls.show(values);
      services.onMove(id, values);
    }
    controls.describe(model);
    modelSaid = model.notices;
    live = true;
    showState();
  });

  /** The numbers follow the controls also where the picture cannot. @param {HTMLElement} around */
  function livePlot(around) {
    try {
      return services.createPlot(around, frame.figure);
    } catch (error) {
      console.warn(`The picture of “${id}” stays as it is.`, error);
      stands = STANDS;
      return null;
    }
  }

  function showState() {
    const moved = !sameValues(values, drawn);
    const { state, words } = widgetState({ runtime: runtime.status.state, moved, live, problem });
    setAttribute(section, "data-state", state);
    setText(one(section, "[data-widget-status]"), words);
    setNotice(notice, [...said, ...modelSaid, stands].join(" ").trim());
  }

  /** Ask for the model of the present position. @returns {Promise<boolean>} false when it could not be computed */
  async function ask() {
    const asked = values;
    try {
      const answer = await runtime.latest(id, { kind: "view", view: spec.view, params: asked });
      if (answer === SUPERSEDED) return true;
      problem = "";
      plot?.update(answer.figure);
      frames.put({ model: answer, asked });
      return true;
    } catch (error) {
      if (asked !== values) return false;
      const message = error instanceof Error ? error.message : String(error);
      problem = error instanceof PythonUnavailable && runtime.status.failure ? "" : message;
      showState();
      return false;
    }
  }

  /** @param {Values} changes @param {string[]} [notices] why the values are not what was asked for */
  function move(changes, notices = []) {
    const wanted = { ...values, ...changes };
    said = notices;
    const moved = !sameValues(values, wanted);
    if (moved) values = wanted;
    controls.show(values);
    if (!moved) {
      showState();
      return Promise.resolve(true);
    }
    readouts.moved();
    services.onMove(id, values);
    runtime.start();
    const answered = ask();
    showState();
    return answered;
  }

  function reset() {
    move(frame.params);
  }

  controls.describe(frame);
  controls.show(values);
  showState();

  return {
    id,
    move,
    reset,
    /** Which values a button in the prose may set. @param {Record<string, unknown>} wanted */
    set: (wanted) => move(onGrid(spec.controls, wanted)),
    /** Python has changed its state: once it is ready, the present position is asked, whatever came before. */
    runtimeChanged() {
      if (runtime.status.state === "ready") {
        problem = "";
        void ask();
      }
      showState();
    },
    /** After the page came back from the browser's cache, or the browser restored old form values. */
    resync() {
      controls.show(values);
      if (runtime.status.state === "ready") void ask();
    },
  };
}

/** The buttons of a widget: one update, play, set, another seed, reset. What they do is data from the view. */

import { all } from "../lib/dom.js";
import { nearestStep } from "./control-values.js";
import { createPlayer } from "./player.js";

/** @typedef {import("./types.js").Action} Action */
/** @typedef {import("./types.js").Control} Control */
/** @typedef {import("./types.js").Values} Values */
/**
 * @typedef {object} Target the widget, as its buttons see it
 * @property {() => Values} values
 * @property {(changes: Values, notices?: string[]) => Promise<boolean>} move
 * @property {() => void} reset
 * @property {(playing: boolean) => void} hold
 */

/** Where an action takes its control; at the end of the range it stays, or starts again. @param {Action} action @param {Control} control @param {number} value */
export function afterAction(action, control, value) {
  if (action.kind === "set") return nearestStep(control, action.to ?? control.default);
  const next = value + (action.by ?? control.step);
  if (action.wrap && next > control.max) return control.min;
  if (action.wrap && next < control.min) return nearestStep(control, control.max);
  return nearestStep(control, next);
}

/**
 * @param {HTMLElement} section
 * @param {{ controls: Control[], actions: Action[] }} spec
 * @param {Target} target
 */
export function bindActions(section, spec, target) {
  /** @type {(() => void)[]} */
  const stops = [];
  for (const button of all(section, "[data-act]")) {
    if (button.dataset.act === "reset") {
      button.addEventListener("click", () => {
        for (const stop of stops) stop();
        target.reset();
      });
      continue;
    }
    const action = spec.actions[Number(button.dataset.act)];
    const control = spec.controls.find(({ name }) => name === action?.control);
    if (!action || !control) continue;
    if (action.kind === "play") stops.push(bindPlayer(button, action, control, target));
    else button.addEventListener("click", () => act(action, control, target));
  }
}

/** @param {Action} action @param {Control} control @param {Target} target */
function act(action, control, target) {
  const before = target.values()[control.name];
  const after = afterAction(action, control, before);
  const stuck = action.kind === "add" && after === before;
  target.move({ [control.name]: after }, stuck ? [`${control.label} ${after} is the last.`] : []);
}

/** @param {HTMLElement} button @param {Action} action @param {Control} control @param {Target} target */
function bindPlayer(button, action, control, target) {
  const player = createPlayer({
    value: () => target.values()[control.name],
    next: (value) => afterAction({ ...action, wrap: false }, control, value),
    first: control.min,
    move: (value) => target.move({ [control.name]: value }),
    onChange(playing) {
      button.setAttribute("aria-pressed", String(playing));
      target.hold(playing);
    },
  });
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", player.toggle);
  return player.stop;
}

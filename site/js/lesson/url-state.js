/**
 * The state of the controls in the page's address, `?ppo-clip.ratio=1.4`: only what differs from the first frame, and
 * every other part of the query kept as it was written. Reading and writing are pure; the writer at the end is not.
 */

import { debounced } from "../lib/timing.js";
import { sameValues, settle } from "../widgets/control-values.js";

/** @typedef {import("../widgets/types.js").Spec} Spec */
/** @typedef {import("../widgets/types.js").Model} Model */
/** @typedef {import("../widgets/types.js").Values} Values */
/** @typedef {Record<string, { spec: Spec, frame: Model }>} Widgets */
/** @typedef {{ values: Values, notices: string[] }} Start */

/** A malformed escape is part of somebody's query, not an error. @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** @param {string} part one `name=value` of a query */
function split(part) {
  const at = part.indexOf("=");
  const name = decoded(at < 0 ? part : part.slice(0, at));
  const dot = name.lastIndexOf(".");
  return {
    widget: dot < 0 ? "" : name.slice(0, dot),
    control: name.slice(dot + 1),
    text: at < 0 ? "" : decoded(part.slice(at + 1)),
  };
}

/** @param {string} search */
function parts(search) {
  return search.replace(/^\?/, "").split("&").filter(Boolean);
}

/**
 * What the address says about each widget that it names. The first of two equal names counts.
 * @param {string} search @param {Widgets} widgets
 * @returns {Map<string, Start>}
 */
export function readLink(search, widgets) {
  /** @type {Map<string, Start>} */
  const starts = new Map();
  for (const part of parts(search)) {
    const { widget, control: name, text } = split(part);
    if (!Object.hasOwn(widgets, widget)) continue;
    const { spec, frame } = widgets[widget];
    const start = starts.get(widget) ?? { values: {}, notices: [] };
    starts.set(widget, start);
    const control = spec.controls.find((candidate) => candidate.name === name);
    if (!control) {
      start.notices.push(`The link sets “${name.slice(0, 40)}”, which this figure does not have.`);
    } else if (!Object.hasOwn(start.values, name)) {
      const { value, notice } = settle(control, text, frame.params[name]);
      start.values[name] = value;
      if (notice) start.notices.push(`In the link: ${notice}`);
    }
  }
  return starts;
}

/**
 * The query for these positions. Widgets that are not among them keep what the query says about them.
 * @param {string} search @param {Widgets} widgets @param {ReadonlyMap<string, Values>} positions
 */
export function writeLink(search, widgets, positions) {
  const others = parts(search).filter((part) => !positions.has(split(part).widget));
  const own = [...positions].flatMap(([id, values]) => {
    const { spec, frame } = widgets[id];
    return spec.controls
      .filter(({ name }) => !sameValues({ [name]: values[name] }, { [name]: frame.params[name] }))
      .map(({ name }) => `${encodeURIComponent(id)}.${encodeURIComponent(name)}=${values[name]}`);
  });
  const query = [...others, ...own].join("&");
  return query === "" ? "" : `?${query}`;
}

// Browsers refuse more than about a hundred address changes in half a minute.
const REST = 400;

/** @param {Widgets} widgets */
export function createLinkWriter(widgets) {
  /** @type {Map<string, Values>} */
  const positions = new Map();

  function write() {
    const search = writeLink(location.search, widgets, positions);
    if (search === location.search) return;
    try {
      history.replaceState(history.state, "", `${location.pathname}${search}${location.hash}`);
    } catch {
      // Refused: the address is then a little behind, and the next rest of the controls tries again.
    }
  }

  const writing = debounced(write, REST);
  return {
    /** @param {string} id @param {Values} values */
    put(id, values) {
      positions.set(id, values);
      writing.later();
    },
    now: writing.now,
    /** Steps in the page's history have addresses of their own; the controls stay where they are. */
    again: write,
  };
}

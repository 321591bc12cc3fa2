/**
 * A range input and a number field for each control, kept in agreement. The range is native, so keys and screen readers
 * work as everywhere; a number field may hold half a number while it is typed, and the slider waits for a whole one.
 */

import { element, one, setAttribute, setText } from "../lib/dom.js";
import { nearestStep, notANumber, settle, shown } from "./control-values.js";

/** @typedef {import("./types.js").Control} Control */
/** @typedef {import("./types.js").Values} Values */
/** @typedef {{ control: Control, range: HTMLInputElement, number: HTMLInputElement | null }} Pair */

/**
 * @param {HTMLElement} section
 * @param {Control[]} controls
 * @param {{ values: () => Values, move: (changes: Values, notices: string[]) => void }} widget
 */
export function bindControls(section, controls, widget) {
  const pairs = controls.flatMap((control) => {
    const range = section.querySelector(`input[type="range"][name="${control.name}"]`);
    const number = section.querySelector(`input[data-number-for="${control.name}"]`);
    if (!(range instanceof HTMLInputElement)) return [];
    return [{ control, range, number: number instanceof HTMLInputElement ? number : null }];
  });
  /** The field that is being typed in keeps its text until it is left or confirmed. @type {HTMLInputElement | null} */
  let typing = null;

  // A field whose number was changed says why, to those who cannot see the notice appear.
  const notice = section.querySelector("[data-notice]");
  if (notice) notice.id ||= `${section.id}-notice`;

  for (const pair of pairs) {
    if (notice) pair.number?.setAttribute("aria-describedby", notice.id);
    bindRange(pair, widget);
    if (pair.number)
      bindNumber(pair, pair.number, widget, (field) => {
        typing = field;
      });
  }

  return {
    /** @param {Values} values */
    show(values) {
      for (const { control, range, number } of pairs) {
        const value = values[control.name];
        if (range.valueAsNumber !== value) {
          range.value = String(value);
          // Until the core has put it into its own words.
          setAttribute(range, "aria-valuetext", `${shown(control, value)} ${control.unit ?? ""}`.trim());
        }
        if (number && number !== typing && number.value !== String(value)) number.value = String(value);
      }
    },
    /** What the core says about the controls. @param {Pick<import("./types.js").Model, "spoken" | "unused">} model */
    describe({ spoken, unused = [] }) {
      for (const { control, range } of pairs) {
        showUnused(range, unused.includes(control.name) ? spoken[control.name] : "");
        if (control.name in spoken) setAttribute(range, "aria-valuetext", spoken[control.name]);
      }
    },
  };
}

/** A control without effect says why; it can still be moved. @param {HTMLInputElement} range @param {string} why */
function showUnused(range, why) {
  const row = range.closest("[data-control]");
  if (!row) return;
  row.toggleAttribute("data-unused", why !== "");
  // Where the reason has stood once its line stays, so that nothing below moves when it comes and goes.
  const line = one(row, "[data-why]");
  if (line) setText(line, why);
  else if (why) row.append(element("span", { class: "why", "data-why": "" }, why));
}

/** @param {Pair} pair @param {Parameters<typeof bindControls>[2]} widget */
function bindRange({ control, range }, widget) {
  range.addEventListener("input", () => widget.move({ [control.name]: range.valueAsNumber }, []));
  // A finger that only scrolls the page may start on a slider, which jumps to it: it is put back.
  let before = range.valueAsNumber;
  range.addEventListener("pointerdown", () => {
    before = range.valueAsNumber;
  });
  range.addEventListener("pointercancel", () => widget.move({ [control.name]: before }, []));
  // Browsers disagree about what a page is; the view says it.
  range.addEventListener("keydown", (event) => {
    const pages = { PageUp: 1, PageDown: -1 }[event.key];
    if (pages === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    widget.move({ [control.name]: nearestStep(control, range.valueAsNumber + pages * control.page) }, []);
  });
}

/**
 * @param {Pair} pair @param {HTMLInputElement} number @param {Parameters<typeof bindControls>[2]} widget
 * @param {(field: HTMLInputElement | null) => void} setTyping
 */
function bindNumber({ control }, number, widget, setTyping) {
  // Some browsers silently drop a decimal comma or a true minus sign, and “0,5” would become 5.
  number.addEventListener("beforeinput", (event) => {
    const typed = event.data ?? "";
    if (!/^[\d.,+−-]*$/.test(typed) || !/[,−]/.test(typed)) return;
    event.preventDefault();
    document.execCommand("insertText", false, typed.replace(",", ".").replace("−", "-"));
  });
  number.addEventListener("input", () => {
    setTyping(number);
    const value = number.valueAsNumber;
    if (value >= control.min && value <= control.max && nearestStep(control, value) === value) {
      widget.move({ [control.name]: value }, []);
    }
  });
  number.addEventListener("change", () => {
    setTyping(null);
    const now = widget.values()[control.name];
    // The browser keeps text that is no number to itself.
    const settled = number.validity.badInput
      ? notANumber(control, "What was typed", now)
      : settle(control, number.value, now);
    number.value = String(settled.value);
    widget.move({ [control.name]: settled.value }, settled.notice ? [settled.notice] : []);
  });
  number.addEventListener("blur", () => setTyping(null));
  // Scrolling the page over a field that has the focus must not turn its number.
  number.addEventListener("wheel", () => number.blur(), { passive: true });
}

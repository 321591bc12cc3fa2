/**
 * Roles to looks. Colours live in the style sheet (`--role-<role>`, light and dark); dash, width and symbol live here, so that
 * colour never carries a meaning alone.
 * @import {Palette} from "./types.js"
 * @typedef {{width: number, dash: number[], symbol: string, size: number, hollow: boolean, ink: string}} Look
 */

/** @type {Look} */
const PLAIN = { width: 2, dash: [], symbol: "circle", size: 9, hollow: false, ink: "" };

/** @param {Partial<Look>} look @returns {Look} */
const look = (look) => Object.freeze({ ...PLAIN, ...look });

/** `ink` names the role whose colour the label takes when the role's own is too pale to read. */
export const ROLES = Object.freeze({
  "objective-positive": look({ width: 3 }),
  "objective-negative": look({ width: 3 }),
  "objective-zero": look({ width: 3 }),
  unclipped: look({ width: 1.5, dash: [7, 4] }),
  clipped: look({ width: 1.75, dash: [1.75, 3.5] }),
  old: look({ width: 1.25, dash: [5, 4], hollow: true, size: 9 }),
  new: look({ size: 11 }),
  reference: look({ width: 1.25, dash: [5, 4], symbol: "diamond", hollow: true }),
  clip: look({ ink: "edge" }),
  edge: look({ width: 1, dash: [3, 3] }),
  slope: look({ width: 2.25 }),
  p: look({}),
  q: look({ hollow: true }),
  positive: look({ width: 1.5, size: 8 }),
  negative: look({ width: 1.5, size: 8, symbol: "square" }),
  kl: look({ width: 2.25, symbol: "diamond", size: 8 }),
  reward: look({ width: 2.25, symbol: "square", size: 8 }),
  curve: look({ width: 2.25, size: 8 }),
  outside: look({ width: 2.25, symbol: "diamond", size: 9 }),
});

/** @param {string} role @returns {Look} */
export function lookOf(role) {
  const found = /** @type {Record<string, Look>} */ (ROLES)[role];
  if (!Object.hasOwn(ROLES, role))
    throw new Error(`unknown role "${role}"; known: ${Object.keys(ROLES).join(", ")}`);
  return found;
}

/** The colour of a label of this role. @param {string} role @param {Palette} palette */
export const inkOf = (role, palette) => palette.role(lookOf(role).ink || role);

/** @param {(variable: string) => string} read @returns {Palette} */
function paletteFrom(read) {
  return {
    font: read("--sans"),
    paper: read("--plot-paper"),
    ink: read("--plot-ink"),
    soft: read("--plot-ink-soft"),
    grid: read("--plot-grid"),
    axis: read("--plot-axis"),
    role: (name) => {
      lookOf(name);
      return read(`--role-${name}`);
    },
  };
}

/** For pictures inside a page: the style sheet decides, also in the dark and in print. @returns {Palette} */
export const staticPalette = () => paletteFrom((variable) => `var(${variable})`);

/**
 * For Plotly, which wants real colours: the values that hold at `element` now.
 * @param {Element} element @returns {Palette}
 */
export function livePalette(element) {
  const computed = getComputedStyle(element);
  /** @type {Map<string, string>} */
  const known = new Map();
  return paletteFrom((variable) => {
    const value = known.get(variable) ?? computed.getPropertyValue(variable).trim();
    known.set(variable, value);
    if (!value) throw new Error(`the style sheet has no ${variable}`);
    return value;
  });
}

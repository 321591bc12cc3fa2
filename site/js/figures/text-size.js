/**
 * Estimated text widths. figure() runs without a DOM, so labels are kept apart by an estimate that is a little too wide
 * for the usual system faces; the same text has the same width on every machine.
 */

/** Widths in ems. Whatever is not listed counts as a lower-case letter. */
const CLASSES = Object.freeze(
  /** @type {[RegExp, number][]} */ ([
    [/[ijlI.,:;'’|!()[\]·]/u, 0.31],
    [/[ftr/\s]/u, 0.37],
    [/[₀-₉ᵢₜ⁰¹²³⁻]/u, 0.42],
    [/[mwMWÊ‖—]/u, 0.88],
    [/[A-ZΑ-Ω+−=<>≤≥×]/u, 0.68],
    [/[0-9]/u, 0.62],
  ]),
);
const LETTER = 0.58;
const BOLD = 1.06;

/** @param {string} text @param {number} size font size in pixels @param {boolean} [bold] */
export function textWidth(text, size, bold = false) {
  let ems = 0;
  for (const letter of text) ems += CLASSES.find(([pattern]) => pattern.test(letter))?.[1] ?? LETTER;
  return ems * size * (bold ? BOLD : 1);
}

/**
 * Break text at spaces so that no line is wider than `width`; one word too wide stays whole.
 * @param {string} text @param {number} width @param {number} size @param {boolean} [bold] @returns {string[]}
 */
export function wrapText(text, width, size, bold = false) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ").filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(`${last} ${word}`, size, bold) <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

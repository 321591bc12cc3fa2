/** How numbers become text. The full number always stands in `data-value`; only the text inside is for reading. */

const MINUS = "−";

/** Every digit, as `data-value` holds it; the bridge sends infinities as text already. @param {number | string | null} value */
export function fullPrecision(value) {
  return value === null ? "" : String(value);
}

/** Fixed decimals with a true minus sign, and no sign on a zero. @param {number} value @param {number} decimals */
export function fixed(value, decimals) {
  if (value === Number.POSITIVE_INFINITY) return "∞";
  if (value === Number.NEGATIVE_INFINITY) return `${MINUS}∞`;
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/** "1 answer", "2 answers". @param {number} number @param {string} noun @param {string} [plural] */
export function counted(number, noun, plural = `${noun}s`) {
  return `${number} ${number === 1 ? noun : plural}`;
}

/**
 * Read a number as people write it: true minus, comma for the decimal point, ∞. NaN when it is none.
 * @param {string} text
 */
export function parseNumber(text) {
  const plain = text
    .trim()
    .replace(/^[−–]/, "-")
    .replace(/^([^.,]*),([^.,]*)$/, "$1.$2");
  if (/^[+-]?(∞|infinity|inf)$/i.test(plain)) return plain.startsWith("-") ? -Infinity : Infinity;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : Number.NaN;
}

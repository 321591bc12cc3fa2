/** Whether two results of the core are the same, number by number. Infinities and NaN arrive as text and must be equal. */

/**
 * @param {unknown} found @param {unknown} expected
 * @param {number} tolerance relative to the expected number, or absolute, whichever allows more
 * @returns {boolean}
 */
export function agree(found, expected, tolerance) {
  if (typeof found === "number" && typeof expected === "number") {
    return Math.abs(found - expected) <= tolerance * Math.max(1, Math.abs(expected));
  }
  if (Array.isArray(found) && Array.isArray(expected)) {
    return found.length === expected.length && found.every((item, i) => agree(item, expected[i], tolerance));
  }
  if (isRecord(found) && isRecord(expected)) {
    const names = Object.keys({ ...found, ...expected });
    return names.every((name) => agree(found[name], expected[name], tolerance));
  }
  return found === expected;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

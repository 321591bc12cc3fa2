/** A store like the browser's, with room for so many characters. @param {number} [room] */
export function memoryArea(room = Infinity) {
  /** @type {Map<string, string>} */
  const entries = new Map();
  return {
    entries,
    get length() {
      return entries.size;
    },
    /** @param {number} i */
    key: (i) => [...entries.keys()][i] ?? null,
    /** @param {string} key */
    getItem: (key) => entries.get(key) ?? null,
    /** @param {string} key @param {string} value */
    setItem(key, value) {
      if (value.length > room) throw new Error("QuotaExceededError");
      entries.set(key, value);
    },
    /** @param {string} key */
    removeItem: (key) => void entries.delete(key),
  };
}

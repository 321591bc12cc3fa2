/**
 * The browser's store for this site. Keys carry the path of the site's root, so two copies of the site on one host do
 * not mix. A store that is blocked or full is not an error: values then live as long as the page, and `lasting` says so.
 */

/** @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">} Area */
/** @typedef {ReturnType<typeof createStore>} Store */

/**
 * Absolute URL of the folder that holds index.html. On the index page `data-root` is empty, and an empty address is the
 * page itself, not its folder.
 * @param {string | undefined} root as `data-root` says it @param {string} pageUrl
 */
export function siteRoot(root, pageUrl) {
  return new URL(root || ".", pageUrl).href;
}

/** @param {string} rootUrl absolute URL of the folder that holds index.html */
export function keyPrefix(rootUrl) {
  return `policygrad:${new URL(rootUrl).pathname}:`;
}

/** Reading `localStorage` itself throws where the browser blocks it. @returns {Area | null} */
export function browserArea() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/**
 * @param {Area | null} area
 * @param {string} prefix
 */
export function createStore(area, prefix) {
  /** What could not be written: it stands before the area, which may hold an older value. @type {Map<string, string>} */
  const unsaved = new Map();

  /** @template T @param {() => T} action @param {T} otherwise */
  function attempt(action, otherwise) {
    try {
      return action();
    } catch {
      return otherwise;
    }
  }

  return {
    prefix,
    /** False once something could not be kept beyond this page. */
    get lasting() {
      return area !== null && unsaved.size === 0;
    },
    /** @param {string} name @returns {string | null} */
    get(name) {
      return unsaved.get(name) ?? attempt(() => area?.getItem(prefix + name) ?? null, null);
    },
    /** True when the value will still be there tomorrow. @param {string} name @param {string} text */
    set(name, text) {
      const kept = attempt(() => {
        area?.setItem(prefix + name, text);
        return area !== null;
      }, false);
      if (kept) unsaved.delete(name);
      else unsaved.set(name, text);
      return kept;
    },
    /** @param {string} name */
    remove(name) {
      unsaved.delete(name);
      attempt(() => area?.removeItem(prefix + name), undefined);
    },
    /** Names under this prefix that start with `start`, in alphabetical order. @param {string} [start] */
    names(start = "") {
      const stored = attempt(() => {
        const keys = area ? Array.from({ length: area.length }, (_, i) => area.key(i) ?? "") : [];
        return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
      }, []);
      return [...new Set([...stored, ...unsaved.keys()])].filter((name) => name.startsWith(start)).sort();
    },
  };
}

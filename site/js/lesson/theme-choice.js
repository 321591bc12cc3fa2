/** Which theme holds: the reader's choice where there is one, otherwise what the system prefers. */

export const DARK = "(prefers-color-scheme: dark)";
/** The system paints every page in colours of the reader's own; what is drawn must then suit those. */
export const FORCED = "(forced-colors: active)";

/** @param {string | null} chosen @returns {"light" | "dark"} */
export function themeOf(chosen) {
  const free = !matchMedia(FORCED).matches;
  if (free && (chosen === "light" || chosen === "dark")) return chosen;
  return matchMedia(DARK).matches ? "dark" : "light";
}

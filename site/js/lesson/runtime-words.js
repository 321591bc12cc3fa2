/** Where Python is, in words: what happened, what still works, what to do. Pure. */

/** @typedef {import("../runtime/outcomes.js").RuntimeStatus} RuntimeStatus */
/** @typedef {import("../runtime/outcomes.js").Failure} Failure */
/** @typedef {{ online: boolean, saveData: boolean, file: boolean, slow: boolean }} Surroundings `file`: the page was opened from a disk */
/** @typedef {{ line: string, works: string, todo: string, details: string, button: string }} RuntimeWords */

const WORKS =
  "Still working: the text, the formulas, the stored first frame of every figure, and the exercises with stored results.";

/** @param {RuntimeStatus} status @param {Surroundings} around @returns {RuntimeWords} */
export function runtimeWords(status, around) {
  const nothing = { line: "", works: "", todo: "", details: "", button: "" };
  switch (status.state) {
    case "static":
      if (!around.saveData) return nothing;
      return {
        ...nothing,
        line: "Saving data: Python starts when you move a control.",
        button: "Start Python",
      };
    case "starting":
      return { ...nothing, line: startingWords(status, around) };
    case "ready":
      return { ...nothing, line: "Python is ready" };
    case "failed":
      return { ...failureWords(status.failure, around), works: WORKS, details: detailsOf(status.failure) };
  }
}

/** @param {RuntimeStatus} status @param {Surroundings} around */
function startingWords({ stage, restarts }, around) {
  const words = stage || "Starting Python";
  if (restarts > 0) return `Python stopped and starts again (${restarts}): ${words}`;
  if (!around.online) return `Offline, using what this browser has kept: ${words}`;
  return around.slow ? `${words}. This takes longer than usual; you can read on meanwhile.` : words;
}

/** @param {Failure | null} failure @param {Surroundings} around @returns {Omit<RuntimeWords, "works" | "details">} */
function failureWords(failure, around) {
  const button = "Restart Python";
  if (around.file) {
    return {
      line: "Python cannot run in a page that was opened as a file.",
      todo: "Serve the folder, for example with “python -m http.server”, and open the address that it prints.",
      button: "",
    };
  }
  if (failure?.kind === "blocked") {
    return {
      line: "This browser did not let Python start.",
      todo: "A setting or an extension may forbid workers on this page. Allow them, then restart.",
      button,
    };
  }
  if (failure?.kind === "crash") {
    return {
      line: "Python stopped several times.",
      todo: "The tab may be short of memory. Close other tabs, then restart.",
      button,
    };
  }
  const message = failure?.message ?? "The reason is not known.";
  const file = failure?.file && !message.includes(failure.file) ? ` (${failure.file})` : "";
  const again = failure?.file
    ? "a file of this copy of the site is missing or altered."
    : "open the page in a current version of another browser.";
  return {
    line: `Python did not start. ${message}${file}`,
    todo: around.online
      ? `Restart Python. If it fails again, ${again}`
      : "You are offline. Python starts by itself when the connection is back.",
    button,
  };
}

/** @param {Failure | null} failure */
function detailsOf(failure) {
  return failure ? [failure.file, failure.message, failure.detail].filter(Boolean).join("\n") : "";
}

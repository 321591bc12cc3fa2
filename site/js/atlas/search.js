/** Which lessons a few typed words mean. Pure: every word must begin a word of the title, the topic or the id. */

/** Lower case, without accents, split at everything that is neither letter nor digit. @param {string} text */
function wordsOf(text) {
  const bare = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return bare.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * @param {string} query
 * @returns {(...texts: string[]) => boolean} true when every word of the query is found among the texts
 */
export function matcher(query) {
  const wanted = wordsOf(query);
  return (...texts) => {
    const words = texts.flatMap(wordsOf);
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  };
}

/** @param {number} found @param {number} total @param {string} query */
export function countWords(found, total, query) {
  const lessons = total === 1 ? "lesson" : "lessons";
  if (query.trim() === "") return `${total} ${lessons}`;
  return found === 0 ? `No lesson matches “${query.trim()}”` : `${found} of ${total} ${lessons}`;
}

/**
 * Puts a benchmark's result between its markers in PERFORMANCE.md. A result is what a file of this folder prints:
 *
 *   {"name": "boot", "settings": ["sentence", …], "columns": ["", "this page", …], "rows": [["warm", "0.6 s", …], …]}
 *
 * and it replaces the text between `<!-- bench:boot -->` and `<!-- /bench -->`.
 */
import { readFileSync, writeFileSync } from "node:fs";

/** @typedef {{ name: string, settings?: string[], columns?: string[], rows: (string | number)[][] }} Result */

/** @param {(string | number)[]} cells */
const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;

/** @param {Result} result @returns {string} the table and its settings, as Markdown */
export function toMarkdown({ settings = [], columns, rows }) {
  const [head, ...body] = columns ? [columns, ...rows] : rows;
  // The first column names what was measured; the numbers stand to the right.
  const rule = head.map((_, i) => (i === 0 ? "---" : "--:"));
  const table = [line(head), line(rule), ...body.map(line)].join("\n");
  return settings.length === 0 ? table : `${table}\n\n${settings.join("\n")}`;
}

/**
 * @param {string} text of PERFORMANCE.md
 * @param {Result} result
 * @returns {string} the text with this result in its place
 * @throws {Error} when the markers are not there exactly once
 */
export function insertResult(text, result) {
  const open = `<!-- bench:${result.name} -->`;
  const close = "<!-- /bench -->";
  const parts = text.split(open);
  if (parts.length !== 2) throw new Error(`PERFORMANCE.md must hold ${open} exactly once`);
  const end = parts[1].indexOf(close);
  if (end < 0) throw new Error(`PERFORMANCE.md has no ${close} after ${open}`);
  return `${parts[0]}${open}\n${toMarkdown(result)}\n${parts[1].slice(end)}`;
}

/** @param {string} file @param {Result} result */
export function writeResult(file, result) {
  writeFileSync(file, insertResult(readFileSync(file, "utf8"), result));
}

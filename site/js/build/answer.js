/**
 * The answers of the builder's renderer: one JSON text in, one object out. Nothing throws; what cannot be rendered is answered
 * with {"id": …, "ok": false, "message": …}.
 */
import katex from "katex";
import { figure } from "../figures/figure.js";
import { staticPalette } from "../figures/palette.js";
import { figureSize } from "../figures/size.js";
import { svg } from "../figures/svg.js";

/** Links, pictures and raw HTML: KaTeX asks before it makes them. @param {{command: string}} context @returns {never} */
function refuse({ command }) {
  throw new Error(`${command} is not allowed in formulas`);
}

/** @param {{tex?: unknown, display?: unknown}} request */
function math({ tex, display }) {
  if (typeof tex !== "string") throw new Error('"tex" must be text');
  const html = katex.renderToString(tex, {
    displayMode: display === true,
    output: "htmlAndMathml",
    strict: "error",
    throwOnError: true,
    trust: refuse,
  });
  return { html };
}

/** @param {{frame?: any, size?: unknown}} request */
function picture({ frame, size }) {
  if (size !== "wide" && size !== "narrow") throw new Error('"size" must be "wide" or "narrow"');
  if (!Array.isArray(frame?.figure?.panels))
    throw new Error('"frame" must be a view model with figure.panels');
  const box = figureSize(frame.figure, size);
  return {
    svg: svg(figure(frame.figure, { palette: staticPalette(), ...box, narrow: size === "narrow" })),
    ...box,
  };
}

const OPERATIONS = new Map(
  /** @type {[unknown, (request: any) => object][]} */ ([
    ["math", math],
    ["picture", picture],
  ]),
);

/** @param {string} line @returns {object} */
export function answer(line) {
  let id = null;
  try {
    const request = JSON.parse(line);
    if (typeof request !== "object" || request === null) throw new Error("a request is a JSON object");
    id = request.id ?? null;
    const operation = OPERATIONS.get(request.op);
    if (!operation)
      throw new Error(
        `unknown op ${JSON.stringify(request.op)}; known: ${[...OPERATIONS.keys()].join(", ")}`,
      );
    return { id, ok: true, ...operation(request) };
  } catch (error) {
    return { id, ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

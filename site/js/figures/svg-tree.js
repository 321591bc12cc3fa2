/**
 * A picture as a small tree, written as text at build time and as DOM nodes in the page: no markup is ever parsed there.
 * @typedef {{tag: string, attributes: Record<string, string | number | undefined>, children: (SvgNode | string)[]}} SvgNode
 */

const NAMESPACE = "http://www.w3.org/2000/svg";
const ESCAPES = Object.freeze({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" });

/**
 * @param {string} tag @param {SvgNode["attributes"]} attributes undefined ones are left out
 * @param {(SvgNode | string)[]} [children] @returns {SvgNode}
 */
export const node = (tag, attributes, children = []) => ({ tag, attributes, children });

/** Hundredths of a pixel: finer differences are not visible, and processors differ in the last bits. @param {number} value */
export function rounded(value) {
  if (!Number.isFinite(value)) throw new Error(`a picture cannot hold the coordinate ${value}`);
  return Math.round(value * 100) / 100 + 0;
}

/** @param {string | number} value */
const attributeText = (value) => (typeof value === "number" ? String(rounded(value)) : value);

/** @param {string} text */
const escaped = (text) =>
  text.replace(/[&<>"]/g, (letter) => ESCAPES[/** @type {keyof typeof ESCAPES} */ (letter)]);

/** @param {SvgNode | string} part @returns {string} */
export function svgText(part) {
  if (typeof part === "string") return escaped(part);
  const attributes = Object.entries(part.attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(attributeText(value ?? ""))}"`)
    .join("");
  if (part.children.length === 0) return `<${part.tag}${attributes}/>`;
  return `<${part.tag}${attributes}>${part.children.map(svgText).join("")}</${part.tag}>`;
}

/** @param {SvgNode} part @param {Document} document @returns {SVGElement} */
export function svgElement(part, document) {
  const element = document.createElementNS(NAMESPACE, part.tag);
  for (const [name, value] of Object.entries(part.attributes)) {
    if (value !== undefined && name !== "xmlns") element.setAttribute(name, attributeText(value));
  }
  for (const child of part.children) {
    element.append(typeof child === "string" ? child : svgElement(child, document));
  }
  return /** @type {SVGElement} */ (element);
}

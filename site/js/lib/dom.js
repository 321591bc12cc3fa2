/** The few things that the page's scripts do to the document. Text is always set as text. */

/** @param {ParentNode} root @param {string} selector @returns {HTMLElement | null} */
export function one(root, selector) {
  return root.querySelector(selector);
}

/** @param {ParentNode} root @param {string} selector @returns {HTMLElement[]} */
export function all(root, selector) {
  return [...root.querySelectorAll(selector)].filter((node) => node instanceof HTMLElement);
}

/** Touches the document only when the text differs, so that live regions and layout stay quiet. @param {Element | null} node @param {string} text */
export function setText(node, text) {
  if (node && node.textContent !== text) node.textContent = text;
}

/** @param {Element | null} node @param {string} name @param {string} value */
export function setAttribute(node, name, value) {
  if (node && node.getAttribute(name) !== value) node.setAttribute(name, value);
}

/** Show text, or hide the element when there is none. @param {HTMLElement | null} node @param {string} text */
export function setNotice(node, text) {
  if (!node) return;
  setText(node, text);
  node.hidden = text === "";
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, string>} [attributes] @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/**
 * The only place where HTML becomes nodes: feedback, hints and solutions that the build rendered and escaped. Nothing
 * that was typed, stored, imported or computed at run time may come here. The parsed document is inert: it runs no script.
 * @param {string} html
 */
export function builtFragment(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const fragment = document.createDocumentFragment();
  fragment.append(...parsed.body.childNodes);
  return fragment;
}

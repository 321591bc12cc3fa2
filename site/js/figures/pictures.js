/**
 * The two pictures that a figure arrives with, wide and narrow; the style sheet shows one of them. Drawing one again costs a
 * fraction of a Plotly drawing, so they are what follows a moving control, and what goes on paper.
 * @import {Figure} from "./types.js"
 */
import { figure } from "./figure.js";
import { staticPalette } from "./palette.js";
import { figureSize } from "./size.js";
import { svgTree } from "./svg.js";
import { svgElement } from "./svg-tree.js";

/** @typedef {"wide" | "narrow"} Size */
export const SIZES = /** @type {const} */ (["wide", "narrow"]);

/** @param {Element} box @param {Figure} model @param {Size} size */
export function drawPicture(box, model, size) {
  const drawing = { palette: staticPalette(), ...figureSize(model, size), narrow: size === "narrow" };
  const tree = svgTree(figure(model, drawing));
  box.querySelector(`.picture.${size}`)?.replaceChildren(svgElement(tree, document));
}

/** Which of the two the style sheet shows now. @param {Element} box @returns {Size} */
export function shownSize(box) {
  const narrow = box.querySelector(".picture.narrow");
  return narrow !== null && getComputedStyle(narrow).display !== "none" ? "narrow" : "wide";
}

/**
 * The two pictures that a figure arrives with, wide and narrow; the style sheet shows one of them. They are drawn again when the
 * numbers have changed and Plotly is not there to show them: before it is loaded, when it cannot be, and on paper.
 * @import {Figure} from "./types.js"
 */
import { figure } from "./figure.js";
import { staticPalette } from "./palette.js";
import { figureSize } from "./size.js";
import { svgTree } from "./svg.js";
import { svgElement } from "./svg-tree.js";

const SIZES = /** @type {const} */ (["wide", "narrow"]);

/** @param {Element} box @param {Figure} model */
export function redrawPictures(box, model) {
  for (const size of SIZES) {
    const place = box.querySelector(`.picture.${size}`);
    if (!place) continue;
    const drawing = { palette: staticPalette(), ...figureSize(model, size), narrow: size === "narrow" };
    place.replaceChildren(svgElement(svgTree(figure(model, drawing)), document));
  }
}

/** Which of the two the style sheet shows now. @param {Element} box */
export function showsNarrow(box) {
  const narrow = box.querySelector(".picture.narrow");
  return narrow !== null && getComputedStyle(narrow).display !== "none";
}

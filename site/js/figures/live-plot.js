/**
 * The live figure in its box, drawn in two ways that look the same. The static picture follows every change at once, in the
 * next animation frame and for a tenth of what Plotly takes; newest wins. When the numbers have rested for a moment, Plotly draws
 * the same figure unseen over the picture and is shown when that drawing is complete, for its labels under the pointer.
 * So nothing flashes or jumps, and if Plotly cannot be loaded only those labels are missing.
 *
 * Nothing here moves by itself: a change is drawn at once, so readers who want less motion see the same.
 * @import {Figure, Palette} from "./types.js"
 * @import {PlotlyApi} from "./plotly-loader.js"
 * @import {Size} from "./pictures.js"
 */
import { figure } from "./figure.js";
import { onColours, onPrint, onWidth, whenNear } from "./page-changes.js";
import { livePalette } from "./palette.js";
import { drawPicture, SIZES, shownSize } from "./pictures.js";
import { createPlotHost, loadPlotly, PLOT_CONFIG } from "./plotly-loader.js";
import { figureSize } from "./size.js";

/** Milliseconds without a change after which Plotly draws. */
const REST = 150;

/**
 * @param {HTMLElement} box holds `.picture.wide` and `.picture.narrow`; its data-drawn says what shows: "picture" or "plotly"
 * @param {{plotlyUrl: string, figure?: Figure}} options `figure` is what the pictures show
 */
export function createLivePlot(box, { plotlyUrl, figure: first }) {
  const host = createPlotHost();
  /** @type {Figure | undefined} */
  let model = first;
  /** The pictures that show an older model. @type {Set<Size>} */
  const stale = new Set();
  /** @type {PlotlyApi | undefined} */
  let plotly;
  /** @type {Palette | undefined} */
  let palette;
  let width = 0;
  let frame = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let rest;
  let gone = false;

  /** @param {Size} size */
  function truePicture(size) {
    if (model && stale.delete(size)) drawPicture(box, model, size);
  }

  function drawNow() {
    frame = 0;
    truePicture(shownSize(box));
    box.dataset.drawn = "picture";
    clearTimeout(rest);
    rest = setTimeout(settle, REST);
  }

  /** Something changed: numbers, width or colours. */
  function changed() {
    if (frame === 0 && !gone) frame = requestAnimationFrame(drawNow);
  }

  async function settle() {
    if (!plotly || !model || width === 0) return;
    const shown = model;
    try {
      const size = shownSize(box);
      const design = figureSize(shown, size);
      palette ??= livePalette(box);
      const place = {
        palette,
        width,
        height: (width * design.height) / design.width,
        narrow: size === "narrow",
      };
      const { data, layout } = figure(shown, place);
      await plotly.react(host, data, layout, PLOT_CONFIG);
      if (plotly && frame === 0 && shown === model) box.dataset.drawn = "plotly";
    } catch (error) {
      giveUp(error);
    }
  }

  /** @param {unknown} error */
  function giveUp(error) {
    console.warn("This figure follows its controls, but has no labels under the pointer.", error);
    plotly = undefined;
    host.remove();
    changed();
  }

  const stops = [
    whenNear(box, () => {
      loadPlotly(plotlyUrl).then((api) => {
        if (gone) return;
        plotly = api;
        box.append(host);
        changed();
      }, giveUp);
    }),
    onWidth(box, (now) => {
      width = now;
      changed();
    }),
    onColours(() => {
      palette = undefined;
      changed();
    }),
    onPrint(() => SIZES.forEach(truePicture)),
  ];

  return {
    /** Show these numbers, in the next animation frame. @param {Figure} next */
    update(next) {
      model = next;
      for (const size of SIZES) stale.add(size);
      changed();
    },
    /** Take the width of the box anew, where no observer sees its change. */
    resize() {
      width = box.clientWidth;
      changed();
    },
    /** Back to the static pictures, at the present numbers. */
    destroy() {
      gone = true;
      for (const stop of stops) stop();
      cancelAnimationFrame(frame);
      clearTimeout(rest);
      SIZES.forEach(truePicture);
      plotly?.purge(host);
      plotly = undefined;
      host.remove();
      delete box.dataset.drawn;
    },
  };
}

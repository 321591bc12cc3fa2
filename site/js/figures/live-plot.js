/**
 * The live figure in its box. Plotly draws unseen over the static picture and is shown when its first drawing is complete, in the
 * same place and size, so nothing flashes or jumps. Until then, and for ever if Plotly cannot be loaded, the static picture
 * follows the numbers instead. Newest wins: however many updates arrive, one is drawn per animation frame.
 *
 * Nothing here moves by itself: a change is drawn at once, so readers who want less motion see the same.
 * @import {Figure, Palette} from "./types.js"
 * @import {PlotlyApi} from "./plotly-loader.js"
 */
import { figure } from "./figure.js";
import { onColours, onPrint, onWidth, whenNear } from "./page-changes.js";
import { livePalette } from "./palette.js";
import { redrawPictures, showsNarrow } from "./pictures.js";
import { loadPlotly } from "./plotly-loader.js";
import { figureSize } from "./size.js";

const CONFIG = Object.freeze({
  displayModeBar: false,
  displaylogo: false,
  scrollZoom: false,
  doubleClick: false,
  showTips: false,
  showAxisDragHandles: false,
  responsive: false,
});

/** Plotly would take these for the start of a drag; a finger that starts on a figure scrolls the page. */
const NOT_FOR_PLOTLY = ["touchstart", "mousedown"];

function createHost() {
  const host = document.createElement("div");
  host.className = "plot-live";
  host.setAttribute("aria-hidden", "true");
  for (const type of NOT_FOR_PLOTLY) {
    host.addEventListener(type, (event) => event.stopPropagation(), { capture: true, passive: true });
  }
  return host;
}

/**
 * @param {HTMLElement} box holds `.picture.wide` and `.picture.narrow`; gets data-drawn="plotly" once the live plot shows, or
 *   data-drawn="picture" when there will be none
 * @param {{plotlyUrl: string, figure?: Figure}} options `figure` is what the pictures show
 */
export function createLivePlot(box, { plotlyUrl, figure: first }) {
  const host = createHost();
  /** @type {Figure | undefined} */
  let model = first;
  /** @type {PlotlyApi | undefined} */
  let plotly;
  /** @type {Palette | undefined} */
  let palette;
  let width = 0;
  let request = 0;
  let picturesTrue = true;
  let gone = false;

  function schedule() {
    if (request === 0) request = requestAnimationFrame(draw);
  }

  function draw() {
    request = 0;
    if (!model) return;
    if (plotly && width > 0) void drawLive(plotly, model);
    else if (!plotly) truePictures();
  }

  /** @param {PlotlyApi} api @param {Figure} shown */
  async function drawLive(api, shown) {
    try {
      const narrow = showsNarrow(box);
      const size = figureSize(shown, narrow ? "narrow" : "wide");
      palette ??= livePalette(box);
      const { data, layout } = figure(shown, {
        palette,
        width,
        height: (width * size.height) / size.width,
        narrow,
      });
      await api.react(host, data, layout, CONFIG);
      if (plotly) box.dataset.drawn = "plotly";
    } catch (error) {
      giveUp(error);
    }
  }

  /** Draw the present numbers into the static pictures, unless they are there already. */
  function truePictures() {
    if (picturesTrue || !model) return;
    picturesTrue = true;
    redrawPictures(box, model);
  }

  /** @param {unknown} error */
  function giveUp(error) {
    console.warn("The figure stays a static picture that follows the numbers.", error);
    plotly = undefined;
    host.remove();
    box.dataset.drawn = "picture";
    truePictures();
  }

  const stops = [
    whenNear(box, () => {
      loadPlotly(plotlyUrl).then((api) => {
        if (gone) return;
        plotly = api;
        box.append(host);
        schedule();
      }, giveUp);
    }),
    onWidth(box, (now) => {
      width = now;
      schedule();
    }),
    onColours(() => {
      palette = undefined;
      schedule();
    }),
    onPrint(truePictures),
  ];

  return {
    /** Show these numbers, in the next animation frame. @param {Figure} next */
    update(next) {
      model = next;
      picturesTrue = false;
      schedule();
    },
    /** Take the width of the box anew, where no observer sees its change. */
    resize() {
      width = box.clientWidth;
      schedule();
    },
    /** Back to the static picture, at the present numbers. */
    destroy() {
      gone = true;
      for (const stop of stops) stop();
      cancelAnimationFrame(request);
      truePictures();
      plotly?.purge(host);
      plotly = undefined;
      host.remove();
      delete box.dataset.drawn;
    },
  };
}

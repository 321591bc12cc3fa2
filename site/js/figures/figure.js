/**
 * A view model's figure as Plotly `{data, layout}`. Pure: no DOM, no Plotly, so it runs in Node for the static pictures and
 * in the page for the live ones, and both come out alike.
 * @import {Figure, Frame, Palette, Plain, PlotlyFigure, Style} from "./types.js"
 */
import { pageAxes, panelAxes, titlesOf } from "./axes.js";
import { barTrace } from "./bars.js";
import { framesOf } from "./frames.js";
import { labelsOf } from "./labels.js";
import { bandShape, lineTrace, pointTrace, ruleShape, segmentTrace, textTrace } from "./marks.js";
import { figureSize } from "./size.js";
import { PLAIN } from "./type-sizes.js";

/** @param {Frame} frame @param {Style} style @returns {Plain[]} */
function tracesOf(frame, style) {
  const { bars = [], lines = [], segments = [], points = [] } = frame.panel;
  const axes = { xaxis: frame.xAxis, yaxis: frame.yAxis };
  return [
    ...bars.map((_, i) => barTrace(frame, bars, i, style)),
    ...lines.map((line) => lineTrace(frame, line, style)),
    ...segments.map((segment) => segmentTrace(frame, segment, style)),
    ...(points.length > 0 ? [pointTrace(frame, points, style)] : []),
    textTrace(labelsOf(frame, style), style, axes, frame.dataX, frame.dataY),
  ];
}

/** @param {Frame} frame @param {Style} style @returns {Plain[]} */
function shapesOf(frame, style) {
  return [
    ...(frame.panel.bands ?? []).map((band) => bandShape(frame, band, style)),
    ...(frame.panel.rules ?? []).map((rule) => ruleShape(frame, rule, style)),
  ];
}

/**
 * @param {Figure} figure
 * @param {{palette: Palette, width: number, height: number, narrow: boolean}} drawing width and height in CSS pixels, in the
 *   proportion of figureSize(); another width scales text, lines and marks alike.
 * @returns {PlotlyFigure}
 */
export function figure(figure, { palette, width, height, narrow }) {
  const size = figureSize(figure, narrow ? "narrow" : "wide");
  const style = { palette, scale: width / size.width, narrow };
  const frames = framesOf(figure, narrow);
  const titles = frames.flatMap((frame) => titlesOf(frame, palette));
  const same = /** @param {number} pixel */ (pixel) => pixel;
  return {
    data: [
      textTrace(titles, style, { xaxis: "x", yaxis: "y" }, same, same),
      ...frames.flatMap((frame) => tracesOf(frame, style)),
    ],
    layout: {
      width,
      height,
      margin: { l: 0, r: 0, t: 0, b: 0, pad: 0, autoexpand: false },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: palette.font, size: PLAIN.tick * style.scale, color: palette.ink },
      showlegend: false,
      dragmode: false,
      hovermode: "closest",
      hoverlabel: {
        bgcolor: palette.paper,
        font: { family: palette.font, size: PLAIN.axis, color: palette.ink },
      },
      uirevision: "fixed",
      barmode: "overlay",
      shapes: frames.flatMap((frame) => shapesOf(frame, style)),
      ...pageAxes(size),
      ...Object.assign({}, ...frames.map((frame) => panelAxes(frame, style, size))),
    },
  };
}

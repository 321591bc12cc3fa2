/**
 * The panel language: what a view of the Python core says about a picture. Plain data, no colours and no pixels:
 * a `role` names the meaning, palette.js gives it a look.
 *
 * @typedef {{label: string, unit?: string, range?: number[], ticks?: number[], categories?: string[]}} PanelAxis
 * @import {TypeSizes} from "./type-sizes.js"
 * @typedef {{role: string, from: number, to: number, axis?: "x" | "y", label?: string}} Band
 * @typedef {{role: string, label?: string, x: (number | null)[], y: (number | null)[], label_at?: number}} Line
 * @typedef {{role: string, x: number, y: number, label?: string}} Point
 * @typedef {{role: string, x: number[], y: number[], label?: string, arrow?: boolean}} Segment
 * @typedef {{role: string, axis: "x" | "y", at: number, label?: string}} Rule
 * @typedef {{role: string | string[], label?: string, x: string[], y: number[], text?: string[]}} Bars
 * @typedef {{id: string, title?: string, main?: boolean, x: PanelAxis, y: PanelAxis, bands?: Band[], lines?: Line[], points?: Point[],
 *   segments?: Segment[], rules?: Rule[], bars?: Bars[]}} Panel
 * @typedef {{panels: Panel[]}} Figure
 *
 * A rectangle in pixels of the design size; y grows downwards.
 * @typedef {{left: number, top: number, right: number, bottom: number}} Box
 *
 * @typedef {{values: number[], texts: string[]}} Ticks
 *
 * One panel with its place: `cell` is all of it, `plot` the part inside the axes, and the functions go between data and pixels.
 * `titles` are the lines of text around it; with `xTitleBetween` the x title stands between the x ticks.
 * @typedef {{panel: Panel, cell: Box, plot: Box, index: number, xAxis: string, yAxis: string,
 *   type: TypeSizes, titles: {title: string[], y: string[], x: string[]}, ticks: {x: Ticks, y: Ticks}, xTitleBetween: boolean,
 *   px: (x: number) => number, py: (y: number) => number, dataX: (px: number) => number, dataY: (py: number) => number}} Frame
 *
 * @typedef {{font: string, paper: string, ink: string, soft: string, grid: string, axis: string,
 *   role: (name: string) => string}} Palette
 *
 * A piece of text with its anchor in pixels of the design size.
 * @typedef {{text: string, x: number, y: number, anchor: "left" | "center" | "right", size: number, color: string,
 *   bold?: boolean}} PlacedText
 *
 * What is common to all marks of one drawing. `scale` is drawn width over design width.
 * @typedef {{palette: Palette, scale: number, narrow: boolean}} Style
 *
 * @typedef {{[key: string]: unknown}} Plain
 * @typedef {{data: Plain[], layout: Plain}} PlotlyFigure
 */

// A module of types only; this makes it one.
export const PANEL_MARKS = Object.freeze(["bands", "lines", "points", "segments", "rules", "bars"]);

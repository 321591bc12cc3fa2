/**
 * What a view of the core says about itself (spec) and about one position of its controls (model). Plain JSON from
 * `policygrad.views`; the page adds nothing to it.
 */

/**
 * @typedef {object} Control
 * @property {string} name
 * @property {string} label
 * @property {string} [symbol]
 * @property {number} min
 * @property {number} max
 * @property {number} step
 * @property {number} page what PageUp and PageDown add
 * @property {number} default
 * @property {number} decimals
 * @property {string} [unit]
 * @property {number[]} [stops]
 */
/** @typedef {{ control: string, label: string, kind: "add" | "play" | "set", by?: number, to?: number, wrap?: boolean }} Action */
/** @typedef {{ view: string, title: string, controls: Control[], outputs: object[], actions: Action[] }} Spec */
/** @typedef {Record<string, number>} Values one number for each control */
/** @typedef {{ name: string, label: string, value: number | string | null, text: string, unit: string }} Output */
/** @typedef {{ value: number | string | null, text: string }} Cell */
/** @typedef {{ caption: string, columns: { label: string, unit: string }[], rows: Cell[][] }} Table */
/**
 * @typedef {object} Model
 * @property {Values} params
 * @property {string[]} notices
 * @property {Output[]} outputs
 * @property {Record<string, string>} spoken
 * @property {string[]} [unused] controls that have no effect at this position
 * @property {{ case: string, label: string }} state
 * @property {string} summary
 * @property {any} figure
 * @property {Table} table
 */

export {};

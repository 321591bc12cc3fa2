/**
 * Hand-written panels with curves over updates or epochs.
 * @import {Figure, Panel} from "../../../site/js/figures/types.js"
 */

/** @param {number} n @param {number} from @param {number} to */
export const steps = (n, from, to) => Array.from({ length: n + 1 }, (_, i) => from + ((to - from) * i) / n);

/** @param {number} now @returns {Figure} */
export function reinforce(now = 8) {
  const xs = steps(40, 0, 40);
  const prob = xs.map((t) => 0.5 + 0.32 * (1 - Math.exp(-t / 9)));
  /** @param {string} id @param {string} role @param {string} title @param {string} unit @param {number[]} range @param {number[]} ys @param {Partial<Panel>} more @returns {Panel} */
  const panel = (id, role, title, unit, range, ys, more = {}) => ({
    id,
    title: "",
    x: { label: "update", range: [0, 40], ticks: [0, 10, 20, 30, 40] },
    y: { label: title, unit, range },
    lines: [{ role, label: "", x: xs, y: ys }],
    points: [{ role: "new", x: now, y: ys[now], label: ys[now].toFixed(3) }],
    ...more,
  });
  return {
    panels: [
      panel("prob", "curve", "probability of action 1", "", [0, 1], prob, {
        rules: [{ role: "reference", axis: "y", at: 0.5, label: "reference" }],
      }),
      panel(
        "reward",
        "reward",
        "expected reward",
        "reward units",
        [-0.5, 1.5],
        prob.map((p) => p * 1.2 - 0.2),
      ),
      panel(
        "kl",
        "kl",
        "KL to the reference",
        "nats",
        [0, 0.4],
        prob.map((p) => p * Math.log(2 * p) + (1 - p) * Math.log(2 - 2 * p)),
      ),
    ],
  };
}

/** @returns {Figure} */
export function notABound() {
  const xs = steps(10, 0, 10);
  /** @param {number} k */
  const ratio = (k) => xs.map((t) => Math.exp(k * (1 - Math.exp(-t / 4))));
  return {
    panels: [
      {
        id: "ratios",
        title: "Ratios of the eight samples",
        main: true,
        x: { label: "epoch", range: [0, 10], ticks: [0, 2, 4, 6, 8, 10] },
        y: { label: "probability ratio r", range: [0, 2.5] },
        bands: [{ role: "clip", axis: "y", from: 0.8, to: 1.2, label: "1 − ε to 1 + ε" }],
        lines: [
          ...[-0.5, -0.3, -0.12, 0.05, 0.12, 0.21].map((k) => ({
            role: "curve",
            label: "",
            x: xs,
            y: ratio(k),
          })),
          { role: "outside", label: "largest", x: xs, y: ratio(0.6), label_at: 0.8 },
        ],
      },
      {
        id: "fractions",
        title: "Share of the samples",
        x: { label: "epoch", range: [0, 10], ticks: [0, 2, 4, 6, 8, 10] },
        y: { label: "fraction", range: [0, 1] },
        lines: [
          {
            role: "outside",
            label: "outside",
            x: xs,
            y: xs.map((t) => Math.min(0.75, t / 10)),
            label_at: 0.7,
          },
          {
            role: "clipped",
            label: "clipped",
            x: xs,
            y: xs.map((t) => Math.min(0.5, t / 16)),
            label_at: 0.9,
          },
        ],
      },
      {
        id: "kl",
        title: "Distance from the old policy",
        x: { label: "epoch", range: [0, 10], ticks: [0, 2, 4, 6, 8, 10] },
        y: { label: "KL", unit: "nats", range: [0, 0.1] },
        lines: [
          { role: "kl", label: "KL(old ‖ new)", x: xs, y: xs.map((t) => 0.0009 * t * t), label_at: 0.6 },
        ],
      },
    ],
  };
}

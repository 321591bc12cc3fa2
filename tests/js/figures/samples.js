/**
 * Hand-written panels in the shape of the four views of the first lesson; sample-runs.js holds those with curves over time.
 * @import {Figure, Panel} from "../../../site/js/figures/types.js"
 */
import { notABound, reinforce, steps } from "./sample-runs.js";

/** @param {number} v @param {number} low @param {number} high */
const clip = (v, low, high) => Math.min(Math.max(v, low), high);

/** @param {number} r @param {number} a @param {number} eps @returns {Figure} */
export function ppoClip(r = 1.4, a = 2, eps = 0.2) {
  const xs = steps(100, 0, 2);
  /** @param {number} x */
  const term = (x) => Math.min(x * a, clip(x, 1 - eps, 1 + eps) * a);
  const slope = term(r) === r * a ? a : 0;
  return {
    panels: [
      {
        id: "objective",
        title: "",
        x: { label: "probability ratio r", range: [0, 2], ticks: [0, 0.5, 1, 1.5, 2] },
        y: {
          label: "contribution to the objective",
          unit: "reward units",
          range: [-6.6, 6.6],
          ticks: [-6, -3, 0, 3, 6],
        },
        bands: [{ role: "clip", from: 1 - eps, to: 1 + eps, label: "1 − ε to 1 + ε" }],
        rules: [{ role: "old", axis: "x", at: 1, label: "old policy" }],
        lines: [
          { role: "unclipped", label: "unclipped r·A", x: xs, y: xs.map((x) => x * a), label_at: 0.9 },
          {
            role: "clipped",
            label: "clip(r)·A",
            x: xs,
            y: xs.map((x) => clip(x, 1 - eps, 1 + eps) * a),
            label_at: 0.15,
          },
          {
            role: a > 0 ? "objective-positive" : a < 0 ? "objective-negative" : "objective-zero",
            label: "PPO term",
            x: xs,
            y: xs.map(term),
            label_at: 0.9,
          },
        ],
        points: [{ role: "new", x: r, y: term(r), label: `r = ${r.toFixed(2)}` }],
        segments: [
          {
            role: "slope",
            x: [r, r + 0.25],
            y: [term(r), term(r) + 0.25 * slope],
            label: `slope ${slope}`.replace("-", "−"),
            arrow: true,
          },
        ],
      },
    ],
  };
}

/** @param {number[]} p @param {number[]} q @returns {Figure} */
export function kl(p = [0.7, 0.3], q = [0.5, 0.5]) {
  const names = ["a₁", "a₂", "a₃"].slice(0, p.length);
  /** @param {number[]} v @param {number[]} w */
  const terms = (v, w) => v.map((x, i) => (x === 0 ? 0 : x * Math.log(x / w[i])));
  /** @param {number} v @param {number} n */
  const text = (v, n) => v.toFixed(n).replace("-", "−");
  /** @param {string} id @param {string} title @param {number[]} values @returns {Panel} */
  const direction = (id, title, values) => ({
    id,
    title,
    x: { label: "action", categories: names },
    y: { label: "contribution", unit: "nats", range: [-0.4, 0.8], ticks: [-0.4, 0, 0.4, 0.8] },
    bars: [true, false].map((sign) => {
      const kept = names.map((name, i) => ({ name, v: values[i] })).filter(({ v }) => v >= 0 === sign);
      return {
        role: sign ? "positive" : "negative",
        label: "",
        x: kept.map(({ name }) => name),
        y: kept.map(({ v }) => v),
        text: kept.map(({ v }) => text(v, 3)),
      };
    }),
  });
  return {
    panels: [
      {
        id: "distributions",
        title: "Two policies",
        x: { label: "action", categories: names },
        y: { label: "probability", range: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1] },
        bars: [
          { role: "p", label: "p", x: names, y: p, text: p.map((v) => text(v, 2)) },
          { role: "q", label: "q", x: names, y: q, text: q.map((v) => text(v, 2)) },
        ],
      },
      direction("pq", "KL(p ‖ q) = 0.0823", terms(p, q)),
      direction("qp", "KL(q ‖ p) = 0.0872", terms(q, p)),
    ],
  };
}

/** @type {Record<string, Figure>} */
export const SAMPLES = {
  "ppo-clip": ppoClip(),
  "ppo-clip-negative": ppoClip(1.4, -2),
  kl: kl(),
  "kl-three": kl([0.6, 0.3, 0.1], [0.2, 0.3, 0.5]),
  "two-action-reinforce": reinforce(),
  "clip-is-not-a-bound": notABound(),
};

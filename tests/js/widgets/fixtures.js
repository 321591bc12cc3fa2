/** Controls and a view as the core describes them, small enough to read. */

/** @type {import("../../../site/js/widgets/types.js").Control} */
export const RATIO = {
  name: "ratio",
  label: "Probability ratio",
  symbol: "r",
  min: 0,
  max: 2,
  step: 0.01,
  page: 0.1,
  default: 1.4,
  decimals: 2,
  unit: "",
};

/** @type {import("../../../site/js/widgets/types.js").Control} */
export const ADVANTAGE = {
  ...RATIO,
  name: "advantage",
  label: "Advantage",
  min: -3,
  max: 3,
  step: 0.1,
  default: 2,
  decimals: 1,
};

/** @type {import("../../../site/js/widgets/types.js").Control} */
export const STEP = {
  ...RATIO,
  name: "step",
  label: "Update",
  min: 0,
  max: 40,
  step: 1,
  page: 10,
  default: 0,
  decimals: 0,
};

/** @param {Record<string, number>} params @returns {import("../../../site/js/widgets/types.js").Model} */
export function frame(params) {
  return {
    params,
    notices: [],
    outputs: [],
    spoken: {},
    state: { case: "inside", label: "inside" },
    summary: "",
    figure: { panels: [] },
    table: { caption: "", columns: [], rows: [] },
  };
}

/** Two widgets of a lesson, as the page's data holds them. */
export const WIDGETS = {
  "ppo-clip": {
    spec: { view: "ppo-clip", title: "Clip", controls: [RATIO, ADVANTAGE], outputs: [], actions: [] },
    frame: frame({ ratio: 1.4, advantage: 2 }),
  },
  kl: {
    spec: {
      view: "kl",
      title: "KL",
      controls: [{ ...RATIO, name: "p_1", max: 1 }],
      outputs: [],
      actions: [],
    },
    frame: frame({ p_1: 0.7 }),
  },
};

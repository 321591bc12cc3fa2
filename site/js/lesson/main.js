/** Brings a lesson page to life, part by part; a part that fails says so and leaves the others alone. */

import { createLivePlot } from "../figures/live-plot.js";
import { all, one, setText } from "../lib/dom.js";
import { afterFirstPaint } from "../lib/timing.js";
import { createRuntime } from "../runtime/client.js";
import { hydrateWidget } from "../widgets/widget.js";
import { bindCheckNumbers } from "./check-numbers.js";
import { hydrateExercise } from "./exercise.js";
import { bindLiveNumbers, bindSetButtons } from "./linked-prose.js";
import { attempt, startPage } from "./page.js";
import { lessonData } from "./page-data.js";
import { createPositions } from "./positions.js";
import { bindPrint } from "./print.js";
import { bindRuntimeStatus, savesData } from "./runtime-status.js";

/** @typedef {import("../widgets/widget.js").Widget} Widget */
/** @typedef {import("./exercise.js").Exercise} Exercise */
/** @typedef {import("./page-data.js").LessonData} LessonData */

/** @type {Map<string, Widget>} */
const widgets = new Map();
/** @type {Exercise[]} */
const exercises = [];

const progress = startPage(() => {
  for (const exercise of exercises) exercise.refresh();
});
attempt("printing", bindPrint);

const data = lessonData();
if (data) startLesson(data);
else {
  document.documentElement.dataset.runtime = "failed";
  const words =
    "The data file of this lesson did not load, so nothing here moves. The text is complete. Reload the page to try again.";
  setText(one(document, "[data-runtime-status]"), words);
}

/** @param {LessonData} data */
function startLesson({ lesson, assets, widgets: widgetData, exercises: exerciseData, fixtures }) {
  /** @param {string} path */
  const absolute = (path) => new URL(path, location.href).href;
  const runtime = createRuntime({
    workerUrl: absolute(assets.worker),
    config: { runtime: absolute(assets.runtime) },
    onStatus() {
      attempt("status line", () => showRuntime?.());
      for (const widget of widgets.values()) attempt(`figure “${widget.id}”`, widget.runtimeChanged);
    },
  });
  const showRuntime = attempt("status line", () => bindRuntimeStatus(runtime));
  const positions = createPositions(widgetData, progress, lesson.id);
  const onModel = bindLiveNumbers();

  for (const section of all(document, "section[data-widget]")) {
    const start = () => {
      const services = {
        runtime,
        start: positions.start(section.id),
        createPlot: (/** @type {HTMLElement} */ box) =>
          createLivePlot(box, { plotlyUrl: absolute(assets.plotly) }),
        onMove: positions.put,
        onModel,
      };
      widgets.set(section.id, hydrateWidget(section, widgetData[section.id], services));
    };
    attempt(`figure “${section.id}”`, start, () => {
      section.dataset.state = "error";
      setText(
        one(section, "[data-widget-status]"),
        "The controls of this figure did not start. Its first frame and its numbers are right.",
      );
    });
  }

  for (const section of all(document, "section[data-exercise]")) {
    const id = section.dataset.exercise ?? "";
    const start = () => {
      const services = {
        runtime,
        remembered: () => progress.read(lesson.id).exercises.get(id),
        remember: (/** @type {Parameters<typeof progress.saveExercise>[2]} */ entry) =>
          progress.saveExercise(lesson.id, id, entry),
      };
      exercises.push(hydrateExercise(section, exerciseData[id], services));
    };
    attempt(`exercise “${id}”`, start, () => {
      setText(
        one(section, "[data-feedback]"),
        "This exercise did not start. Its worked solution is on the solutions page of this lesson.",
      );
    });
  }

  attempt("links from the text to figures", () => bindSetButtons(widgets));
  attempt("check of the numbers", () => bindCheckNumbers(fixtures, runtime));
  addEventListener("pageshow", () => {
    for (const widget of widgets.values()) widget.resync();
  });
  if (!savesData()) afterFirstPaint(runtime.start);
}

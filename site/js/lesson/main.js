/** Brings a lesson page to life, part by part; a part that fails says so and leaves the others alone. */

import { one, setText } from "../lib/dom.js";
import { afterFirstPaint } from "../lib/timing.js";
import { createRuntime } from "../runtime/client.js";
import { bindCheckNumbers } from "./check-numbers.js";
import { bindContents } from "./contents.js";
import { bindSetButtons } from "./linked-prose.js";
import { attempt, startPage } from "./page.js";
import { lessonData } from "./page-data.js";
import { createPositions } from "./positions.js";
import { bindPrint } from "./print.js";
import { bindRuntimeStatus, savesData } from "./runtime-status.js";
import { startExercises } from "./start-exercises.js";
import { startWidgets } from "./start-widgets.js";

const NO_DATA =
  "The data file of this lesson did not load, so nothing here moves. The text is complete. Reload the page to try again.";

/** @type {import("./exercise.js").Exercise[]} */
let exercises = [];

const progress = startPage(() => {
  for (const exercise of exercises) exercise.refresh();
});
attempt("printing", bindPrint);
attempt("list of contents", bindContents);

const data = lessonData();
if (data) startLesson(data);
else {
  document.documentElement.dataset.runtime = "failed";
  setText(one(document, "[data-runtime-status]"), NO_DATA);
}

/** @param {import("./page-data.js").LessonData} data */
function startLesson({ lesson, assets, widgets: widgetData, exercises: exerciseData, fixtures }) {
  /** @param {string} path */
  const absolute = (path) => new URL(path, location.href).href;
  /** What follows Python's state, in this order. @type {[part: string, follow: () => void][]} */
  const followers = [];
  const runtime = createRuntime({
    workerUrl: absolute(assets.worker),
    config: { runtime: absolute(assets.runtime) },
    onStatus() {
      for (const [part, follow] of followers) attempt(part, follow);
    },
  });

  const showStatus = attempt("status line", () => bindRuntimeStatus(runtime));
  if (showStatus) followers.push(["status line", showStatus]);

  const positions = createPositions(widgetData, progress, lesson.id);
  const widgets = startWidgets(widgetData, { runtime, positions, plotlyUrl: absolute(assets.plotly) });
  for (const [id, widget] of widgets) followers.push([`figure “${id}”`, widget.runtimeChanged]);
  exercises = startExercises(exerciseData, { runtime, progress, lesson: lesson.id });

  attempt("links from the text to figures", () => bindSetButtons(widgets));
  attempt("check of the numbers", () => bindCheckNumbers(fixtures, runtime));
  addEventListener("pageshow", () => {
    for (const widget of widgets.values()) widget.resync();
  });
  if (!savesData()) afterFirstPaint(runtime.start);
}

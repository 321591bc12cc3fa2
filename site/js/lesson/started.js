/** The global name by which the page's script shows the script in its head that it runs. */
export const STARTED = "lessonPageStarted";

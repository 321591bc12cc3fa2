/**
 * `npm run test:compare`: the core beside PyTorch, rliable and others, which `npm test` does without. Sets up
 * `.venv-compare` and runs every tests/compare/compare_*.py there; further words go to pytest.
 *
 * `node tools/compare.mjs --set-up` only makes the environment.
 */
import { comparePython, setUpComparison } from "./compare-environment.mjs";
import { inside } from "./paths.mjs";
import { run } from "./run.mjs";
import { runMain } from "./say.mjs";

/** One thread: the arrays are small, and sums are then taken in one order. */
const ENVIRONMENT = { OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" };

await runMain(async () => {
  const words = process.argv.slice(2);
  await setUpComparison();
  if (words.includes("--set-up")) return 0;
  const args = ["-m", "pytest", "-o", "python_files=compare_*.py", inside("tests", "compare"), ...words];
  const { code } = await run(comparePython, args, { env: ENVIRONMENT, show: true });
  return code;
});

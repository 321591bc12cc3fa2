/**
 * Formulas and pictures for the builder, one JSON object a line in, one a line out, until the input ends:
 *   {"id": 1, "op": "math", "tex": …, "display": true}                → {"id": 1, "ok": true, "html": …}
 *   {"id": 2, "op": "picture", "frame": <view model>, "size": "wide"} → {"id": 2, "ok": true, "svg": …, "width": …, "height": …}
 *   anything else                                                     → {"id": …, "ok": false, "message": …}
 */
import { createInterface } from "node:readline";
import { answer } from "./answer.js";

for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
  if (line.trim() !== "") process.stdout.write(`${JSON.stringify(answer(line))}\n`);
}

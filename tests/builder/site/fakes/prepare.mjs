// Stands in for tools/runtime/prepare.mjs: says where the prepared files are.
import path from "node:path";
import { fileURLToPath } from "node:url";

console.log(path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../runtime-ready"));

// Stands in for site/js/build/render.mjs: the same protocol, and some ways to go wrong.
import readline from "node:readline";

function math({ tex, display }) {
  if (tex.includes("BROKEN")) throw new Error("no such command");
  const shown = tex.replaceAll("&", "&amp;").replaceAll("<", "&lt;") + (display ? " displayed" : "");
  return { html: `<span class="katex"><span class="mathnormal">${shown}</span></span>` };
}

function picture({ size, frame }) {
  if (!frame.figure) throw new Error("no figure");
  const [width, height] = size === "wide" ? [680, 380] : [328, 310];
  return { svg: `<svg viewBox="0 0 ${width} ${height}"><path d="M0 0"/></svg>` };
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const { id, op, tex } = request;
  if (tex === "HANG") continue;
  if (tex === "BABBLE") console.log("not json");
  else if (tex === "DIE") {
    console.error("the reason");
    process.exit(3);
  } else {
    try {
      console.log(JSON.stringify({ id, ok: true, ...(op === "math" ? math : picture)(request) }));
    } catch (error) {
      console.log(JSON.stringify({ id, ok: false, message: error.message }));
    }
  }
}

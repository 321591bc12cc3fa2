/** A static host with faults: each file can be sent in its own way. */
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";

/** @typedef {"plain" | "encoded" | "missing" | "altered" | "cut" | "dropped" | "stale-once" | "text"} Manner */

/** @param {Map<string, Uint8Array>} files as shipped @param {Record<string, Manner>} manners */
export async function startHost(files, manners) {
  /** @type {string[]} */
  const asked = [];
  const server = createServer((request, response) => {
    const name = (request.url ?? "").split("?")[0].split("/").at(-1) ?? "";
    const times = asked.filter((earlier) => earlier === name).length;
    asked.push(name);
    const bytes = Buffer.from(files.get(name) ?? []);
    const manner = manners[name] ?? "plain";
    const type = { "Content-Type": name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream" };
    const altered = Buffer.from(bytes);
    altered[altered.length >> 1] ^= 1;
    if (manner === "missing" || !files.has(name)) response.writeHead(404).end("not here");
    else if (manner === "dropped") {
      response.writeHead(200, { "Content-Length": bytes.length });
      response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
    } else if (manner === "encoded") response.writeHead(200, { "Content-Encoding": "gzip" }).end(bytes);
    else if (manner === "cut") response.writeHead(200).end(bytes.subarray(0, bytes.length >> 1));
    else if (manner === "altered") response.writeHead(200, type).end(altered);
    else if (manner === "stale-once") response.writeHead(200).end(times === 0 ? altered : bytes);
    else response.writeHead(200, manner === "text" ? { "Content-Type": "text/plain" } : type).end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    base: `http://127.0.0.1:${address.port}/any/prefix/runtime/`,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** @param {Uint8Array} bytes */
export const pack = (bytes) => new Uint8Array(gzipSync(bytes));

// Serves the built page with the large site behind it, and the chart that it is compared with.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const ECHARTS = createRequire(import.meta.url).resolve("echarts/dist/echarts.min.js");

/** Listens on a free port; `change` tells readers of events that a bar has another end. */
export function serve(dist, world) {
  const readers = new Set();
  let seq = 1;
  const answers = {
    session: { user: "user1", scope: "admin", admin: true, zone: "Asia/Shanghai", public: false, expires_at: null },
    jobs: { jobs: [], next: null },
    nodes: { nodes: [] },
    gpus: { gpus: [] },
    reservations: { reservations: [], left_out: 0 },
    timeline: { zone: "Asia/Shanghai", lanes: world.lanes, bars: world.bars, left_out: 0 },
  };
  const file = (name) => readFileSync(name === "/echarts.js" ? ECHARTS : name.startsWith("/chart") ? new URL(`.${name}`, import.meta.url) : join(dist, name));
  const server = createServer((asked, answer) => {
    const path = new URL(asked.url, "http://x").pathname;
    const api = path.match(/^\/api\/v1\/(\w+)/)?.[1];
    if (api === "events") {
      answer.writeHead(200, { "Content-Type": "text/event-stream" });
      answer.write(`id: ${seq}\n:\n\n`);
      readers.add(answer);
      asked.on("close", () => readers.delete(answer));
      return;
    }
    try {
      const [type, body] = path === "/world.json" ? ["application/json", JSON.stringify(world)]
        : api ? ["application/json", JSON.stringify({ seq, ...(answers[api] ?? {}) })]
          : [TYPES[extname(path)] ?? "text/html", file(path === "/" ? "/index.html" : normalize(path))];
      answer.writeHead(200, { "Content-Type": type }).end(body);
    } catch {
      answer.writeHead(404).end();
    }
  });
  const change = (bar) => {
    seq++;
    for (const reader of readers) reader.write(`id: ${seq}\nevent: upsert\ndata: ${JSON.stringify({ type: "bar", ...bar })}\n\n`);
  };
  return new Promise((done) => server.listen(0, "127.0.0.1", () =>
    done({ url: `http://127.0.0.1:${server.address().port}`, change, end: () => (server.closeAllConnections(), server.close()) })));
}

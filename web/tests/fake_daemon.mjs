// A daemon as far as the page can tell: serves the built file and a picture that does not change but in its time.
// node tests/fake_daemon.mjs [busy|idle|thousand|hostile] [PORT]
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { busy, hostile, idle } from "./pictures.mjs";
import { policy_of } from "./policy.mjs";

const file = fileURLToPath(new URL("../dist/index.html", import.meta.url));
const pictures = { busy, idle, hostile, thousand: () => busy(undefined, 1000) };

/** /trace/JOB of a job with ten partitions. */
function trace() {
  const traceEvents = [
    { name: "queue", ts: 0, dur: 900_000 },
    { name: "decode", ts: 0, dur: 180_000 },
    { name: "circuit", ts: 180_000, dur: 4000 },
  ];
  for (let item = 0; item < 10; ++item) {
    const at = 1_200_000 + 890_000 * item;
    traceEvents.push({ name: "witness", ts: at - 200_000, dur: 150_000, args: { item } });
    traceEvents.push({ name: "prove", ts: at, dur: 885_000, args: { item } });
    for (const [name, begin, dur] of [["evaluate", 0, 12_000], ["ntt", 12_000, 145_000], ["msm_h", 160_000, 420_000], ["msm_l", 580_000, 80_000], ["msm_a", 660_000, 60_000], ["msm_b_g2", 720_000, 150_000]])
      traceEvents.push({ name, ts: at + begin, dur, args: { item } });
    traceEvents.push({ name: "verify", ts: at + 880_000, dur: 3000, args: { item } });
  }
  return { displayTimeUnit: "ms", traceEvents };
}

export class FakeDaemon {
  constructor(picture, { viewers = 16, news = null } = {}) {
    this.picture = pictures[picture]();
    this.viewers = viewers;
    this.news = news; // changes the picture before each tick but the first
    this.open = new Set();
    this.tick = 1;
    this.server = createServer((request, response) => this.answer(request, response));
  }

  async start(port = 0) {
    await new Promise((resolve) => this.server.listen(port, "127.0.0.1", resolve));
    this.port = this.server.address().port;
    this.timer = setInterval(() => this.advance(), 1000);
    return this;
  }

  async stop() {
    clearInterval(this.timer);
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    this.open.clear();
  }

  get address() {
    return `http://127.0.0.1:${this.port}/`;
  }

  answer(request, response) {
    const path = request.url;
    if (path === "/") {
      const html = readFileSync(file, "utf8");
      return response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy_of(html) }).end(html);
    }
    if (path === "/events") return this.watch(response);
    if (path === "/healthz") return response.writeHead(200).end("{}");
    if (path.startsWith("/trace/")) return response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(trace()));
    response.writeHead(404).end("there is no such page\n");
  }

  watch(response) {
    if (this.open.size >= this.viewers) return response.writeHead(503).end("too many\n");
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    this.open.add(response);
    response.on("close", () => this.open.delete(response));
    this.tell(response, { tick: this.tick, whole: true, ...this.picture });
  }

  advance() {
    ++this.tick;
    this.picture.sections.clock = { now: this.picture.sections.clock.now + 1000 };
    const more = this.news?.(this.picture) ?? { sections: {}, items: [] };
    const sections = { clock: this.picture.sections.clock, ...more.sections };
    for (const response of this.open) this.tell(response, { tick: this.tick, whole: false, sections, items: more.items });
  }

  tell(response, message) {
    response.write(`data: ${JSON.stringify(message)}\n\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const daemon = await new FakeDaemon(process.argv[2] ?? "busy").start(Number(process.argv[3] ?? 9800));
  console.log(daemon.address);
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Change, Live, Parser, type Status } from "../src/api/live";

test("a stream of events is read whatever pieces it comes in", () => {
  const text = 'id: 7\n\n: still here\n\nid: 8\r\nevent: upsert\r\ndata: {"type":"bar",\r\ndata: "id":"job-1"}\r\n\r\nevent: resync\ndata: {}\n\n';
  const whole = new Parser().read(text);
  assert.deepEqual(whole, [
    { id: 7, event: "", data: "" },
    { id: 8, event: "upsert", data: '{"type":"bar",\n"id":"job-1"}' },
    { id: null, event: "resync", data: "{}" },
  ]);
  for (let size = 1; size < 9; size++) {
    const parser = new Parser();
    const found = [];
    for (let i = 0; i < text.length; i += size) found.push(...parser.read(text.slice(i, i + size)));
    assert.deepEqual(found, whole, `pieces of ${size}`);
  }
});

/** A daemon: each connection is a list of texts; the last one of all stays open. */
class Daemon {
  readonly asked: (string | null)[] = [];
  loads = 0;
  seq = 5;
  private open: ReadableStreamDefaultController<Uint8Array> | null = null;

  constructor(private readonly script: (string[] | "refuse" | "unreachable")[]) {}

  readonly fetcher = (async (_path: string, init: RequestInit) => {
    this.asked.push(new Headers(init.headers).get("Last-Event-ID"));
    const step = this.script.shift() ?? [];
    if (step === "unreachable") throw new TypeError("fetch failed");
    if (step === "refuse") return new Response("{}", { status: 503 });
    const isLast = this.script.length === 0;
    const body = new ReadableStream<Uint8Array>({
      start: (out) => {
        for (const text of step) out.enqueue(new TextEncoder().encode(text));
        if (isLast) this.open = out;
        else out.close();
        init.signal?.addEventListener("abort", () => out.error(new Error("aborted")));
      },
    });
    return new Response(body);
  }) as typeof fetch;

  say(text: string): void {
    this.open!.enqueue(new TextEncoder().encode(text));
  }
}

function event(seq: number, id: string): string {
  return `id: ${seq}\nevent: upsert\ndata: ${JSON.stringify({ type: "bar", id })}\n\n`;
}

async function until(what: () => boolean): Promise<void> {
  for (let i = 0; i < 1200 && !what(); i++) await new Promise((resolve) => setTimeout(resolve, 25));
  assert.ok(what(), "waited for 30 s");
}

function follow(daemon: Daemon): { live: Live; ids: string[]; pictures: () => number; statuses: Status[] } {
  const ids: string[] = [];
  const statuses: Status[] = [];
  let pictures = 0;
  const live = new Live({
    fetcher: daemon.fetcher,
    path: "events",
    load: async () => (daemon.loads++, daemon.seq),
    apply: (changes: Change[]) => {
      pictures++;
      ids.push(...changes.map(({ data }) => String(data.id)));
    },
    onStatus: (status) => statuses.push(status),
  });
  return { live, ids, pictures: () => pictures, statuses };
}

test("changes that come together make one picture", async () => {
  const daemon = new Daemon([[event(6, "a"), event(7, "b"), event(7, "c")]]);
  const { live, ids, pictures } = follow(daemon);
  await until(() => ids.length === 3);
  assert.equal(pictures(), 1);
  assert.deepEqual(daemon.asked, ["5"]);
  live.stop();
});

test("a stream that ends is taken up where it stopped, without reading everything again", async () => {
  const daemon = new Daemon([[event(6, "a")], "unreachable", "refuse", [event(7, "b")]]);
  const { live, ids, statuses } = follow(daemon);
  await until(() => ids.length === 2);
  assert.deepEqual(daemon.asked, ["5", "6", "6", "6"]);
  assert.equal(daemon.loads, 1);
  assert.ok(statuses.includes("lost"));
  assert.equal(statuses.at(-1), "live");
  live.stop();
});

test("after a resync, or what cannot be read, everything is read again", async () => {
  for (const text of ["event: resync\ndata: {}\n\n", "id: 6\nevent: upsert\ndata: {\n\n"]) {
    const daemon = new Daemon([[]]);
    const { live, ids } = follow(daemon);
    await until(() => daemon.asked.length === 1);
    daemon.seq = 40;
    daemon.say(text);
    await until(() => daemon.asked.length === 2);
    assert.equal(daemon.loads, 2);
    assert.equal(daemon.asked[1], "40");
    daemon.say(event(41, "z"));
    await until(() => ids.includes("z"));
    live.stop();
  }
});

test("nothing comes after the end", async () => {
  const daemon = new Daemon([[]]);
  const { live, ids } = follow(daemon);
  await until(() => daemon.asked.length === 1);
  daemon.say(event(6, "a"));
  live.stop();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(ids, []);
  assert.equal(daemon.asked.length, 1);
});

test("a laptop that woke up takes the stream up where it stopped", async () => {
  const daemon = new Daemon([[event(6, "a")]]);
  const { live, ids } = follow(daemon);
  await until(() => ids.length === 1);
  live.wake(); // heard of just now
  const { now } = Date;
  Date.now = () => now() + 3600_000;
  try {
    live.wake();
    await until(() => daemon.asked.length === 2);
    daemon.say(event(7, "b"));
    await until(() => ids.length === 2);
    assert.deepEqual([daemon.asked, daemon.loads], [["5", "6"], 1]);
  } finally {
    Date.now = now;
    live.stop();
  }
});

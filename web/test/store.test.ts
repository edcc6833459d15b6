import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../src/api/client";
import { Store } from "../src/timeline/store";
import { HOUR, T0, bar, lanesOf } from "./kit/scene";

type Globals = Record<"window" | "document" | "fetch", unknown>;

/** A browser of two events and a daemon that answers all questions and says what it is told to. */
function place(bars: ReturnType<typeof bar>[]) {
  const asked: string[] = [];
  const heard = new EventTarget();
  let out: ReadableStreamDefaultController<Uint8Array> | null = null;
  let seq = 1;
  const kept = { ...(globalThis as unknown as Globals) };
  Object.assign(globalThis, {
    window: heard,
    document: Object.assign(new EventTarget(), { hidden: false }),
    fetch: async (_path: string, { signal }: RequestInit) => new Response(new ReadableStream<Uint8Array>({
      start: (controller) => {
        out = controller;
        signal!.addEventListener("abort", () => controller.error(new Error("aborted")));
      },
    })),
  });
  const client = {
    get: async (path: string) => (asked.push(path), { lanes: lanesOf(1, 2), bars, seq, left_out: 0 }),
  } as unknown as Client;
  const say = (event: string, data: object): void =>
    out!.enqueue(new TextEncoder().encode(`id: ${++seq}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
  return { asked, client, say, isOpen: () => out !== null, end: () => Object.assign(globalThis, { window: kept.window, document: kept.document, fetch: kept.fetch }) };
}

async function until(what: () => boolean): Promise<void> {
  for (let i = 0; i < 1200 && !what(); i++) await new Promise((resolve) => setTimeout(resolve, 25));
  assert.ok(what(), "waited for 30 s");
}

test("the window in view and one on either side are loaded, and no more until it is left", async () => {
  const { asked, client, end } = place([]);
  const hours = (from: number, to: number) => ({ from: T0 + from * HOUR, to: T0 + to * HOUR });
  const question = (from: number, to: number) => `timeline?from=${T0 + from * HOUR}&to=${T0 + to * HOUR}`;
  const store = new Store(client, hours(0, 10));
  try {
    await until(() => asked.length === 1);
    store.look(hours(-10, 0));
    store.look(hours(8, 18));
    store.look(hours(12, 22));
    store.look(hours(13, 23)); // still the same movement
    await until(() => asked.length === 2);
    assert.deepEqual(asked, [question(-10, 20), question(2, 32)]);
  } finally {
    store.stop();
    end();
  }
});

test("changes within what is loaded are taken, others are as good as gone", async () => {
  const first = bar(["n1:0"], 1, 2, { state: "queued" });
  const { client, say, isOpen, asked, end } = place([first]);
  const store = new Store(client, { from: T0, to: T0 + 2 * HOUR });
  const names = (): string => [...store.model.bars.values()].map(({ label }) => label).join(" ");
  try {
    await until(() => isOpen() && store.status.value === "live");
    assert.equal(names(), first.label);
    say("upsert", { type: "bar", ...bar(["n1:1"], 1, 2, { label: "near" }) });
    say("upsert", { type: "bar", ...bar(["n1:1"], 100, 102, { label: "far" }) });
    say("upsert", { type: "bar", ...first, start_at: T0 + 90 * HOUR, end_at: T0 + 91 * HOUR });
    await until(() => names() === "near");
    say("upsert", { type: "bar", ...bar(["n2:0"], 1, 2, { label: "new node" }) });
    await until(() => asked.length === 2);
  } finally {
    store.stop();
    end();
  }
});

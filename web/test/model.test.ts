import assert from "node:assert/strict";
import { test } from "node:test";
import { type Bar, Model } from "../src/timeline/model";
import { packLane } from "../src/timeline/pack";
import { HOUR, T0, bar, lanesOf } from "./kit/scene";

function seen(model: Model, lane: number, from: number, to: number): string[] {
  const found: Bar[] = [];
  model.each(lane, T0 + from * HOUR, T0 + to * HOUR, (block) => found.push(block.bar));
  return found.map((one) => one.label!).sort();
}

test("lanes are in order of pool, node and GPU, numbers by their value", () => {
  const model = new Model([...lanesOf(11, 1, "b"), ...lanesOf(1, 2, "a")].reverse());
  const real = model.lanes.filter((lane) => !lane.isQueue);
  assert.deepEqual(real.map(({ pool, node, name }) => `${pool}/${node}:${name}`),
    ["a/n1:0", "a/n1:1", ...Array.from({ length: 11 }, (_, i) => `b/n${i + 1}:0`)]);
});

test("a lane tells the bars that have any instant in a window, and only those", () => {
  const model = new Model(lanesOf(1, 1), [
    bar(["n1:0"], 0, 10, { label: "long", state: "completed" }),
    bar(["n1:0"], 1, 2, { label: "short", state: "completed" }),
    bar(["n1:0"], 4, 5, { label: "late", state: "queued", end_p90_at: T0 + 8 * HOUR }),
    bar(["n1:0"], 12, 13, { label: "next", state: "queued" }),
  ]);
  for (const [from, to, labels] of [
    [-5, 0, []],
    [-5, 0.1, ["long"]],
    [1.5, 1.6, ["long", "short"]],
    [2, 3, ["long"]],
    [7, 7.5, ["late", "long"]],
    [10, 12, []],
    [11, 20, ["next"]],
    [13, 20, []],
  ] as const) {
    assert.deepEqual(seen(model, 0, from, to), labels, `${from} to ${to}`);
  }
});

test("a bar without a start was always, one without an end is for ever", () => {
  const model = new Model(lanesOf(1, 1), [
    bar(["n1:0"], 0, 0, { label: "down", kind: "down", start_at: null, end_at: null }),
    bar(["n1:0"], 2, 0, { label: "open", end_at: null }),
  ]);
  assert.deepEqual(seen(model, 0, -9999, -9998), ["down"]);
  assert.deepEqual(seen(model, 0, 9998, 9999), ["down", "open"]);
});

test("a job on neighbouring GPUs of a node is one block, and nodes stay apart", () => {
  const model = new Model(lanesOf(2, 4), [bar(["n1:2", "n1:1", "n1:3", "n2:0", "n2:1", "n2:3"], 0, 1)]);
  const [job] = [...model.bars.values()];
  assert.deepEqual(job!.blocks.map(({ first, last }) => [first, last]), [[1, 3], [4, 5], [7, 7]]);
  assert.equal(job!.memory, 6 * 80 * 2 ** 30);
});

test("changes put bars elsewhere, change them and take them away", () => {
  const first = bar(["n1:0"], 0, 4, { label: "moving", state: "queued" });
  const model = new Model(lanesOf(1, 2), [first]);
  model.update([{ ...first, lanes: ["n1:1"], start_at: T0 + 2 * HOUR }, bar(["n1:0"], 1, 2, { label: "new", state: "queued" })]);
  assert.deepEqual(seen(model, 0, 0, 9), ["new"]);
  assert.deepEqual(seen(model, 1, 0, 1), []);
  assert.deepEqual(seen(model, 1, 3, 4), ["moving"]);
  model.update([first.id, "job-unknown"]);
  assert.deepEqual(seen(model, 1, 0, 9), []);
  assert.equal(model.bars.size, 1);
});

test("what can be chosen from is counted as bars come and go", () => {
  const one = bar(["n1:0"], 0, 1, { user: "anna", class: "batch" });
  const model = new Model(lanesOf(1, 2), [one, bar(["n1:1"], 0, 1, { user: "bo", project: null })]);
  const counts = (what: keyof Model["counts"]) => Object.fromEntries(model.counts[what]);
  assert.deepEqual([counts("look"), counts("user"), counts("class")], [{ running: 2 }, { anna: 1, bo: 1 }, { batch: 1 }]);
  model.update([{ ...one, user: "bo", state: "completed" }]);
  assert.deepEqual([counts("look"), counts("user"), counts("project")], [{ running: 1, done: 1 }, { bo: 2 }, { vision: 1 }]);
  model.update([one.id]);
  assert.deepEqual([counts("look"), counts("user"), counts("class"), counts("project")], [{ running: 1 }, { bo: 1 }, {}, {}]);
});

test("after any changes the index tells what a look at every bar would", () => {
  let seed = 7;
  const random = (n: number): number => (seed = (seed * 48271) % 2147483647) % n;
  const model = new Model(lanesOf(2, 4));
  const known = new Map<string, ReturnType<typeof bar>>();
  for (let i = 0; i < 600; i++) {
    const ids = [...known.keys()];
    const lanes = [...new Set([0, 1, 2].map(() => `n${1 + random(2)}:${random(4)}`))];
    const from = random(100);
    const made = bar(lanes, from, from + 1 + random(20), { state: "completed" });
    const old = ids.length > 20 ? ids[random(ids.length)]! : null;
    const change = old && random(2) ? old : { ...made, id: old ?? made.id };
    model.update([change]);
    if (typeof change === "string") known.delete(change);
    else known.set(change.id, change);
    const lane = random(8);
    const at = random(110);
    const expected = [...known.values()]
      .filter((one) => one.lanes.includes(model.lanes[lane]!.id) && one.start_at! < T0 + (at + 5) * HOUR && one.end_at! > T0 + at * HOUR)
      .map((one) => one.label!).sort();
    assert.deepEqual(seen(model, lane, at, at + 5), expected, `step ${i}`);
  }
});

test("bars of a node that only counts its GPUs lie beside each other while there is room", () => {
  const lane = { id: "c1", node: "c1", pool: "default", gpu: null, gpus: 4, type: null, mem_bytes: null };
  const model = new Model([lane], [
    bar(["c1"], 0, 4, { gpus: 2, label: "a" }), bar(["c1"], 1, 3, { gpus: 1, label: "b" }), bar(["c1"], 4, 6, { gpus: 3, label: "c" }),
  ]);
  const rows = Object.fromEntries([...model.bars.values()].map((one) => [one.label, one.blocks.map(({ first, last }) => [first, last])]));
  assert.deepEqual(rows, { a: [[0, 1]], b: [[2, 2]], c: [[0, 2]] });
  model.update([[...model.bars.values()].find((one) => one.label === "a")!.id]);
  const b = [...model.bars.values()].find((one) => one.label === "b")!;
  assert.deepEqual(b.blocks.map(({ first, last }) => [first, last]), [[0, 0]]);
});

test("packing gives what overlaps different rows, and the last ones where all are taken", () => {
  const item = (start: number, end: number, gpus: number) => ({ start, end, gpus });
  const packed = packLane([item(0, 9, 1), item(0, 9, 1), item(1, 2, 1), item(9, 10, 2)], 2, 1);
  assert.deepEqual(packed.map(([, rows]) => rows), [[0], [1], [1], [0, 1]]);
});

test("what waits without a GPU has rows of its own, and no more than it needs", () => {
  const model = new Model(lanesOf(1, 1), [bar([], 0, 2, { state: "queued", gpus: 8 }), bar([], 1, 2, { state: "queued", gpus: 8 })]);
  assert.equal(model.queueRows(), 2);
  assert.equal(new Model(lanesOf(1, 1)).queueRows(), 0);
});

test("hostile names are made harmless before they are drawn or looked for", () => {
  const model = new Model(lanesOf(1, 1), [bar(["n1:0"], 0, 1, { label: `\u202e<img>\u0000${"x".repeat(10000)}`, user: "a\nb" })]);
  const [one] = [...model.bars.values()];
  assert.ok(one!.title.length < 200);
  assert.doesNotMatch(one!.title, /[\u0000-\u001f\u202e]/);
  assert.doesNotMatch(one!.owner, /\n/);
});

test("bars of lanes that are not there are kept, and on no lane", () => {
  const model = new Model(lanesOf(1, 1), [bar(["gone:0"], 0, 1)]);
  assert.equal(model.bars.size, 1);
  assert.deepEqual(seen(model, 0, 0, 1), []);
});

test("earlier attempts of a job are bars of their own, over as far as the colours say", () => {
  const now = bar(["n1:0"], 4, 6, { attempt: 3 });
  const model = new Model(lanesOf(1, 1), [now,
    bar(["n1:0"], 0, 1, { id: `${now.id}.1`, ref: now.ref, state: "cancelled", outcome: "resized", attempt: 1 }),
    bar(["n1:0"], 2, 3, { id: `${now.id}.2`, ref: now.ref, state: "lost", outcome: "lost", attempt: 2 })]);
  assert.deepEqual([...model.bars.values()].map(({ look }) => look), ["running", "done", "failed"]);
  model.update([`${now.id}.1`]);
  assert.equal(model.bars.size, 2);
});

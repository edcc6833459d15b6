import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job, JobDetails } from "../src/api/types";
import { session } from "../src/state";
import { verbsOf } from "../src/pages/actions";
import { doneRatio, placeText, spans } from "../src/pages/JobParts";
import { stretchesOf } from "../src/pages/Life";
import { few, inOrder } from "../src/pages/Mine";
import { strokes } from "../src/pages/Use";
import { backOf } from "../src/pages/Why";

const NONE = { p10: null, p50: null, p90: null };

export function job(changes: Partial<JobDetails> = {}): JobDetails {
  return {
    id: 1, name: "train", user: "ada", project: null, class: "batch", kind: null, array_id: null, array_index: null,
    array: null, state: "queued", reason: null, reason_text: null, reason_numbers: null,
    gpus: { min: 2, want: 2, max: 2, now: 0 }, where: [], submitted_at: 1000, started_at: null, ended_at: null,
    attempt: 0, exit_code: null, progress: null, limit_s: 3600, start: NONE, end: NONE, next_try_at: null,
    attempts: [], cpus: 2, mem_bytes: 1, nodes_max: 1, pool: null, gpu_types: null, after: [], priority: 0, not_before_at: null,
    reservation: null, promise: false, promised_at: null, restarts: 0, save_s: null, gpus_wish: null, workdir: null,
    log: null, error_log: null, command: null, pid: null, queued_s: null, scheduling_s: null, ...changes,
  };
}

const at = (p50: number, p90: number | null = null) => ({ p10: null, p50, p90 });

test("GPUs are named by their spans", () => {
  assert.equal(spans([3, 1, 0, 2, 7]), "0-3,7");
  assert.equal(spans([5]), "5");
  assert.equal(spans([]), "");
  assert.equal(placeText([{ node: "n1", gpus: [0, 1] }, { node: "n2", gpus: null }]), "n1:0-1 n2");
});

test("a button is offered to those who may press it, where it makes sense", () => {
  const signIn = (user: string, scope: "read" | "submit" | "admin") =>
    (session.value = { user, scope, admin: scope === "admin", workdir: null, zone: "UTC", public: false });
  signIn("ada", "submit");
  assert.deepEqual(verbsOf(job()), ["hold", "cancel"]);
  assert.deepEqual(verbsOf(job({ state: "held" })), ["release", "cancel"]);
  assert.deepEqual(verbsOf(job({ state: "running" })), ["requeue", "cancel"]);
  assert.deepEqual(verbsOf(job({ state: "completed" })), []);
  assert.deepEqual(verbsOf(job({ user: "bob" })), []);
  signIn("root", "admin");
  assert.deepEqual(verbsOf(job({ user: "bob" })), ["hold", "cancel"]);
  signIn("ada", "read");
  assert.deepEqual(verbsOf(job()), []);
  session.value = null;
  assert.deepEqual(verbsOf(job()), []);
});

test("what a job says of its progress comes before the share of its time", () => {
  assert.equal(doneRatio(job(), 1500), null);
  const running = job({ state: "running", started_at: 1000, end: at(2000) });
  assert.equal(doneRatio(running, 1500), 0.5);
  assert.equal(doneRatio(running, 5000), 1);
  assert.equal(doneRatio({ ...running, progress: 0.9 }, 1500), 0.9);
  assert.equal(doneRatio({ ...running, end: NONE }, 1500), null);
});

test("a life has no gaps and ends with the late end of the forecast", () => {
  const kinds = (of: Job, now: number) => stretchesOf(of, now).map(({ kind, from, to }) => `${kind} ${from}-${to}`);
  assert.deepEqual(kinds(job({ start: at(2000), end: at(3000, 3500) }), 1200),
    ["waited 1000-1200", "waits 1200-2000", "runs 2000-3000", "late 3000-3500"]);
  assert.deepEqual(kinds(job({ state: "running", started_at: 1500, end: at(3000) }), 2000),
    ["waited 1000-1500", "ran 1500-2000", "runs 2000-3000"]);
  assert.deepEqual(kinds(job({ state: "completed", started_at: 1500, ended_at: 1800 }), 9000), ["waited 1000-1500", "ran 1500-1800"]);
  assert.deepEqual(kinds(job({ state: "cancelled", ended_at: 1300 }), 9000), ["waited 1000-1300"]);
  assert.deepEqual(kinds(job(), 1700), ["waited 1000-1700"]);
  assert.deepEqual(kinds(job({ start: at(1100), end: at(1200) }), 1700), ["waited 1000-1100"], "a forecast that is over says nothing");
});

test("running jobs come first, then those that start soonest, then those held", () => {
  const list = [
    job({ id: 1, state: "held" }),
    job({ id: 2, start: at(900) }),
    job({ id: 3, start: at(500) }),
    job({ id: 4, state: "running", started_at: 1, gpus: { min: 1, want: 1, max: 1, now: 1 }, end: at(9000) }),
    job({ id: 5 }),
  ];
  assert.deepEqual(inOrder(list).map(({ id }) => id), [4, 3, 2, 5, 1]);
});

test("a change that was chosen can be taken back where its keys are known", () => {
  const elastic = job({ gpus: { min: 2, want: 4, max: 8, now: 0 }, limit_s: 7200.4 });
  assert.deepEqual(backOf(elastic, { gpus: 3 }), { gpus: "2-8" });
  assert.deepEqual(backOf(job(), { gpus: 1, limit: "1h" }), { gpus: 2, limit: "3600s" });
  assert.deepEqual(backOf(job({ limit_s: null }), { limit: "1h" }), { limit: null });
  assert.deepEqual(backOf(job({ gpu_types: ["A100"] }), { gpu_type: "V100" }), { gpu_type: ["A100"] });
  assert.equal(backOf(job(), { cpus: 4 }), null);
});

test("at first few jobs are shown, and arrays stand for their elements", () => {
  const elements = [1, 2, 3].map((index) => job({ id: 10 + index, array_id: 10, array_index: index }));
  const jobs = Array.from({ length: 9 }, (_, i) => job({ id: 20 + i }));
  assert.deepEqual(few([...elements, ...jobs]).map(({ id }) => id), [20, 21, 22, 23, 24, 25]);
});

test("what was measured is drawn, and what was not is a gap", () => {
  assert.equal(strokes([1, 0.5, null, 0]), "M0 0h.01L1 10h.01M3 20h.01");
  assert.equal(strokes([null]), "");
});

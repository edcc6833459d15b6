import assert from "node:assert/strict";
import { test } from "node:test";
import type { Curve, Gpu, Node, Report, ReportRow } from "../src/api/types";
import { csvOf } from "../src/pages/csv";
import { measuredCounts, scaleOf, seriesOf } from "../src/pages/Curve";
import { byPool, matches, totals } from "../src/pages/Nodes";
import { csvOfReport } from "../src/pages/Reports";

test("a cell is quoted where it must be and is never a formula", () => {
  assert.equal(csvOf(["a", "b"], [["x,y", 'say "hi"'], ["two\nlines", 1.5], [null, undefined], ["=1+1", "@x"], ["-1", -1]]),
    'a,b\r\n"x,y","say ""hi"""\r\n"two\nlines",1.5\r\n,\r\n\'=1+1,\'@x\r\n\'-1,-1\r\n');
});

function node(changes: Partial<Node>): Node {
  return { name: "n1", pool: "main", state: "up", drain_at: null, gpu_type: "A100", gpus: 8, gpus_free: 3, gpu_mem_bytes: null,
    cpus: 1, cpus_free: 1, mem_bytes: 1, mem_free_bytes: 1, jobs: [], ...changes };
}

test("GPUs of nodes that take no jobs are not counted as free", () => {
  const nodes = [node({}), node({ name: "n2", state: "drained", gpus_free: 8 }), node({ name: "n3", gpu_type: "V100", gpus: 4, gpus_free: 4 }),
    node({ name: "cpu1", gpu_type: null, gpus: 0, gpus_free: 0 })];
  assert.deepEqual(totals(nodes), [{ type: "A100", gpus: 16, free: 3 }, { type: "V100", gpus: 4, free: 4 }]);
});

test("pools keep the order in which nodes are told", () => {
  const nodes = [node({}), node({ name: "n2", pool: "spare" }), node({ name: "n3" })];
  assert.deepEqual(byPool(nodes).map(([pool, list]) => [pool, list.map(({ name }) => name)]), [["main", ["n1", "n3"]], ["spare", ["n2"]]]);
});

test("a node is found by what it is and by who is on it", () => {
  const gpu = { user: "Ada" } as Gpu;
  const one = node({ jobs: [17] });
  for (const words of ["", " ", "N1", "a100", "ada", "17", "main"]) assert.ok(matches(one, [gpu], words), words);
  assert.ok(!matches(one, [gpu], "bob"));
});

test("a report is a table with a row for each, under the names of the daemon", () => {
  const row = { user: "ada, lovelace", jobs: 3, gpu_hours: 12.5, share_ratio: 0.5, wait_p50_s: null } as ReportRow;
  assert.equal(csvOfReport({ rows: [row], total: row } as Report),
    'user,jobs,gpu_hours,share_ratio,wait_p50_s\r\n"ada, lovelace",3,12.5,0.5,\r\n');
  assert.equal(csvOfReport({ rows: [] as ReportRow[] } as Report), "\r\n");
});

function count(gpus: number, speed: number, changes: Partial<Curve["counts"][number]> = {}): Curve["counts"][number] {
  return { gpu_type: "A100", gpus, nodes: 1, speed, gain: 1, rate: null, rate_low: null, rate_high: null, trusted: true, within_reach: true, ...changes };
}

test("a curve has a line for each GPU type, and its range fits into the picture", () => {
  const counts = [count(4, 3, { rate: 30, rate_low: 20, rate_high: 40 }), count(2, 1), count(2, 1, { gpu_type: "V100" })];
  const curve: Curve = { application: "a", source: "learnt", counts, work: null, finished: 0, points: [
    { gpu_type: "A100", gpus: 2, nodes: 1, local_batch: null, iteration_s: 1, measured: 5 },
    { gpu_type: "A100", gpus: 2, nodes: 2, local_batch: null, iteration_s: 1, measured: 2 },
    { gpu_type: "V100", gpus: 4, nodes: 1, local_batch: null, iteration_s: 1, measured: 9 }] };
  const [first, second] = seriesOf(curve);
  assert.deepEqual(first?.counts.map(({ gpus }) => gpus), [2, 4]);
  assert.deepEqual(second?.counts.map(({ gpus }) => gpus), [2]);
  assert.deepEqual([...measuredCounts(curve, "A100")], [[2, 7]]);
  const { x, y } = scaleOf(first!.counts, 100, 50);
  assert.deepEqual([x(2), x(4)], [0, 100]);
  assert.ok(y(4) >= 0 && y(4) < y(3) && y(0) === 50, "the high end of the range, 4 times the least, is inside");
});

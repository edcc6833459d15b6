import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job } from "../src/api/types";
import { startingSoon } from "../src/timeline/starting";

const NOW = 1_796_000_000;
const job = (id: number, seconds: number | null): Job =>
  ({ id, name: `job ${id}`, start: seconds === null ? null : { p10: null, p50: NOW + seconds, p90: null } }) as Job;

test("a job is told of once when it starts within five minutes", () => {
  const jobs = [job(1, 299), job(2, 301), job(3, 20), job(4, -5), job(5, null), job(6, 100)];
  const found = startingSoon(jobs, NOW, new Set([6])).map(({ job: one, minutes }) => [one.id, minutes]);
  assert.deepEqual(found, [[1, 5], [3, 1]]);
});

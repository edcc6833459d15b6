// The JSON of docs/api.md, as far as the page reads it. Times: *_s seconds, *_at seconds since the epoch.

/** An instant with its uncertainty; p10 and p90 are null where only one plan is known. */
export interface Range {
  p10: number | null;
  p50: number | null;
  p90: number | null;
  from?: "limits" | "median" | "runs";
}

export type JobState =
  | "held" | "waiting" | "queued" | "starting" | "running" | "resizing" | "stopping"
  | "completed" | "failed" | "cancelled" | "timeout" | "lost";

export interface ReasonNumbers {
  job: number | null;
  need: number | null;
  have: number | null;
  at: number | null;
}

export interface Place {
  node: string;
  gpus: number[] | null;
}

export interface ArrayCounts {
  indices: string;
  elements: number;
  pending: number;
  running: number;
  done: number;
  failed: number;
  cancelled: number;
  running_max: number | null;
}

export interface Job {
  id: number;
  name: string;
  user: string;
  project: string | null;
  class: "interactive" | "batch" | "preemptible";
  kind: string | null;
  array_id: number | null;
  array_index: number | null;
  array: ArrayCounts | null;
  state: JobState;
  reason: string | null;
  reason_text: string | null;
  reason_numbers: ReasonNumbers | null;
  gpus: { min: number; want: number; max: number; now: number };
  where: Place[];
  submitted_at: number;
  started_at: number | null;
  ended_at: number | null;
  attempt: number;
  exit_code: number | null;
  progress: number | null;
  limit_s: number | null;
  start: Range | null;
  end: Range | null;
  next_try_at: number | null;
}

/** One run of a job. */
export interface Attempt {
  attempt: number;
  /** What became of it; null while it goes on. */
  outcome: "preempted" | "resized" | "requeued" | "lost" | "start_failed" | "failed" | "completed" | "cancelled" | "timeout" | null;
  reason: string | null;
  reason_text: string | null;
  reason_numbers: ReasonNumbers | null;
  started_at: number | null;
  ended_at: number | null;
  gpus: number;
  where: Place[];
}

/** What the GPUs of a job do, or why that is not known. */
export interface Use {
  every_s: number | null;
  at: number[];
  gpus: { node: string; gpu: number; utilization: (number | null)[]; mem_used_bytes: (number | null)[]; mem_bytes: number | null }[];
  reason: string | null;
  reason_text: string | null;
}

export interface JobDetails extends Job {
  attempts: Attempt[];
  cpus: number;
  mem_bytes: number;
  nodes_max: number | null;
  pool: string | null;
  gpu_types: string[] | null;
  after: { job: number; kind: string }[];
  priority: number;
  not_before_at: number | null;
  reservation: string | null;
  promise: boolean;
  promised_at: number | null;
  restarts: number;
  save_s: number | null;
  gpus_wish: number | null;
  workdir: string | null;
  log: string | null;
  error_log: string | null;
  command: string[] | string | null;
  pid: number | null;
  queued_s: number | null;
  scheduling_s: number | null;
}

export interface Neighbour {
  id: number;
  user: string;
  state: JobState;
  gpus: number;
  until: number | null;
}

/** A change of the job that would make it start earlier. */
export interface Instead {
  set: Record<string, unknown>;
  /** The same as a flag of `baleen run`; null where there is none. */
  flags: string | null;
  start: Range;
  now: boolean;
  before: string | null;
}

export interface Why {
  id: number;
  state: JobState;
  gpus: number;
  reason: string | null;
  reason_text: string | null;
  reason_numbers: ReasonNumbers | null;
  next_try_at: number | null;
  running: Neighbour[];
  running_count: number;
  ahead: Neighbour[];
  ahead_count: number;
  nodes: { name: string; state: string; drain_at: number | null; gpus: number; gpus_free: number }[];
  after: { job: number; kind: string; state: JobState }[];
  start: Range | null;
  end: Range | null;
  instead?: Instead[] | null;
}

export interface Node {
  name: string;
  pool: string;
  state: string;
  drain_at: number | null;
  gpu_type: string | null;
  gpus: number;
  gpus_free: number;
  gpu_mem_bytes: number | null;
  cpus: number;
  cpus_free: number;
  mem_bytes: number;
  mem_free_bytes: number;
  jobs: number[];
}

export interface Gpu {
  node: string;
  gpu: number;
  type: string | null;
  mem_bytes: number | null;
  uuid: string | null;
  state: "free" | "busy" | "down" | string;
  job: number | null;
  user: string | null;
  utilization: number | null;
  mem_used_bytes: number | null;
  temperature_c: number | null;
  power_w: number | null;
}

export interface Curve {
  application: string | null;
  source: "given" | "learnt" | "none";
  points: { gpu_type: string | null; gpus: number; nodes: number; local_batch: number | null;
    iteration_s: number; measured: number }[];
  counts: { gpu_type: string | null; gpus: number; nodes: number; speed: number; gain: number | null;
    rate: number | null; rate_low: number | null; rate_high: number | null;
    trusted: boolean; within_reach: boolean }[];
  work: number | null;
  finished: number;
}

export interface Plan {
  duration: Range | null;
  start: Range | null;
  end: Range | null;
  runs: number;
  now: boolean;
  waits_for: { reason: string | null; reason_text: string | null; reason_numbers: ReasonNumbers | null } | null;
  /** `by_s` null: it would never start. */
  delays: { id: number; user: string; name: string | null; by_s: number | null }[];
  delayed_count: number;
}

export interface Token {
  id: number;
  name: string | null;
  user: string;
  scope: "read" | "submit" | "admin";
  created_at: number;
  expires_at: number | null;
}

export type ReportBy = "user" | "project" | "kind" | "class" | "node-type";

export interface ReportRow {
  user?: string | null;
  project?: string | null;
  kind?: string | null;
  class?: string | null;
  node_type?: string | null;
  jobs: number;
  submitted: number;
  started: number;
  completed: number;
  failed: number;
  cancelled: number;
  timeout: number;
  lost: number;
  preemptions: number;
  gpu_hours: number;
  share_ratio: number | null;
  cost: number | null;
  wait_mean_s: number | null;
  wait_p50_s: number | null;
  wait_p90_s: number | null;
  bounded_slowdown: number | null;
  reserved_gpu_hours: number | null;
  reserved_used_gpu_hours: number | null;
  reserved_idle_gpu_hours: number | null;
}

export interface Report {
  from: number;
  to: number;
  by: string[];
  complete: boolean;
  whole_since: number | null;
  rows: ReportRow[];
  total: ReportRow;
}

/** How good what was told of starts and ends came to be. */
export interface EtaScore {
  policy: string;
  basis: "limits" | "median" | "runs";
  told: "first" | "last";
  of: "start" | "end";
  horizon_from_s: number | null;
  /** null: of all. */
  horizon_to_s: number | null;
  count: number;
  coverage_ratio: number | null;
  error_median_s: number | null;
}

/** Who the page acts as. */
export interface Session {
  user: string | null;
  scope: "read" | "submit" | "admin" | null;
  admin: boolean;
  /** The daemon's time zone. */
  zone: string;
  /** Where the user's jobs begin. */
  workdir: string | null;
  /** Nobody signed in; the daemon shows its state to everybody. */
  public: boolean;
}

export interface Lane {
  id: string;
  node: string;
  pool: string;
  gpu: number | null;
  gpus: number;
  type: string | null;
  mem_bytes: number | null;
}

export interface Bar {
  id: string;
  kind: "job" | "reservation" | "clearing" | "down" | "outside";
  ref: string | number;
  lanes: string[];
  gpus: number;
  start_at: number | null;
  end_at: number | null;
  end_p90_at: number | null;
  state: string | null;
  user: string | null;
  project: string | null;
  label: string | null;
  /** Of jobs alone; `kind` is what the bar is. */
  class: string | null;
  job_kind: string | null;
  /** Of which run it is; null of a job that waits. */
  attempt: number | null;
  /** What became of that run, as of `Attempt`. */
  outcome: string | null;
}

export interface Timeline {
  seq: number;
  zone: string;
  lanes: Lane[];
  bars: Bar[];
  left_out: number;
}

// Lanes and bars, and for each lane its bars in order of time. Lanes never change their order, so a
// bar on neighbouring lanes is one block, whatever is folded or hidden on the screen.
import type { Lane as ApiLane, Bar as WireBar } from "../api/types";
import { type Look, LOOK_INDEX, lookOf } from "./looks";
import { cut, visible } from "../ui/visible";
import { packLane } from "./pack";

type OfJobs = "class" | "job_kind" | "attempt" | "outcome";
/** A bar as the daemon tells it; older daemons tell less of jobs, newer ones may know more kinds. */
export type ApiBar = Omit<WireBar, "kind" | OfJobs> & Partial<Pick<WireBar, OfJobs>> & { kind: string };

/** One row: a GPU, or one place of a node that only counts its GPUs, or of what has no place yet. */
export interface Lane {
  id: string;
  node: string;
  pool: string;
  name: string;
  type: string | null;
  memory: number;
  isQueue: boolean;
}

export interface Bar extends ApiBar {
  look: Look;
  start: number; // -Infinity: before all that is known
  end: number; // Infinity: not known
  late: number; // p90 of the end, or the end
  memory: number; // of all its GPUs, bytes
  title: string; // its name as it may be drawn
  owner: string; // the same of whose it is
  haystack: string; // for the free text filter
  blocks: Block[];
}

/** A bar on neighbouring lanes of one node. */
export interface Block {
  bar: Bar;
  first: number; // lanes, both included
  last: number;
  mark: number; // the last drawing that had it
}

interface Row {
  blocks: Block[]; // by start
  reach: Float64Array | null; // the latest end of all blocks up to here
}

/** Rows of what waits without a place, at most. */
const QUEUE_ROWS = 8;
/** Rows of a node that only counts its GPUs, at most. */
const COUNTED_ROWS = 16;

const TITLE_LENGTH = 100;

const COUNTED = ["look", "user", "project", "class", "job_kind"] as const;
export type Counted = (typeof COUNTED)[number];

interface Shared {
  first: number;
  rows: number;
  perRow: number; // GPUs
  bars: Set<Bar>;
}

const natural = new Intl.Collator("en", { numeric: true });

function compareLanes(a: ApiLane, b: ApiLane): number {
  return natural.compare(a.pool, b.pool) || natural.compare(a.node, b.node) || (a.gpu ?? 0) - (b.gpu ?? 0);
}

export class Model {
  readonly lanes: Lane[] = [];
  readonly bars = new Map<string, Bar>();
  /** How many bars there are of each look, user and so on. */
  readonly counts = Object.fromEntries(COUNTED.map((what) => [what, new Map()])) as Record<Counted, Map<string, number>>;
  /** What changed since somebody took it: where these blocks are, or were. */
  #touched: Block[] = [];
  #rows: Row[] = [];
  readonly #byId = new Map<string, number>();
  readonly #shared = new Map<string, Shared>();

  constructor(lanes: readonly ApiLane[] = [], bars: readonly ApiBar[] = []) {
    for (const lane of [...lanes].sort(compareLanes)) this.#addLane(lane);
    this.#addShared("", QUEUE_ROWS, 0, {
      id: "",
      node: "",
      pool: "",
      name: "",
      type: null,
      memory: 0,
      isQueue: true,
    });
    this.#rows = this.lanes.map(() => ({ blocks: [], reach: null }));
    const read = bars.map((bar) => this.#read(bar));
    for (const bar of read) this.#take(bar);
    for (const shared of this.#shared.values()) this.#repack(shared);
    for (const row of this.#rows) row.blocks.sort((a, b) => a.bar.start - b.bar.start);
    this.#touched = [];
  }

  #addLane(lane: ApiLane): void {
    const made: Lane = {
      id: lane.id,
      node: lane.node,
      pool: lane.pool,
      name: lane.gpu === null ? "" : String(lane.gpu),
      type: lane.type,
      memory: lane.mem_bytes ?? 0,
      isQueue: false,
    };
    if (lane.gpu === null) {
      const rows = Math.min(Math.max(1, lane.gpus), COUNTED_ROWS);
      this.#addShared(lane.id, rows, Math.max(1, lane.gpus) / rows, made);
    } else {
      this.#byId.set(lane.id, this.lanes.length);
      this.lanes.push(made);
    }
  }

  #addShared(id: string, rows: number, perRow: number, lane: Lane): void {
    this.#shared.set(id, { first: this.lanes.length, rows, perRow, bars: new Set() });
    for (let i = 0; i < rows; i++) this.lanes.push({ ...lane });
  }

  #read(bar: ApiBar): Bar {
    const start = bar.start_at ?? -Infinity;
    const end = Math.max(bar.end_at ?? Infinity, start);
    return {
      ...bar,
      look: lookOf(bar),
      start,
      end,
      late: Math.max(bar.end_p90_at ?? end, end),
      memory: bar.kind === "job" || bar.kind === "reservation" ? this.#memoryOf(bar) : 0,
      title: shown(bar.label || String(bar.ref)),
      owner: shown(bar.user ?? ""),
      haystack: [bar.ref, bar.label, bar.user, bar.project, bar.state, bar.outcome, bar.job_kind, bar.class, ...bar.lanes].join(" ").toLowerCase(),
      blocks: [],
    };
  }

  #memoryOf(bar: ApiBar): number {
    let sum = 0;
    for (const id of bar.lanes) {
      const at = this.#byId.get(id);
      const shared = this.#shared.get(id);
      if (at !== undefined) sum += this.lanes[at]!.memory;
      else if (shared) sum += (this.lanes[shared.first]!.memory * bar.gpus) / bar.lanes.length;
    }
    return sum;
  }

  /** Puts the bar's blocks into the index, unsorted; lanes that are shared are packed later. */
  #take(bar: Bar): Shared[] {
    const own: number[] = [];
    const touched: Shared[] = [];
    for (const id of bar.lanes.length > 0 ? bar.lanes : [""]) {
      const at = this.#byId.get(id);
      const shared = this.#shared.get(id);
      if (at !== undefined) own.push(at);
      else if (shared) {
        shared.bars.add(bar);
        touched.push(shared);
      }
    }
    for (const block of this.#blocksOf(bar, own)) this.#put(block);
    this.bars.set(bar.id, bar);
    this.#count(bar, 1);
    return touched;
  }

  #count(bar: Bar, by: number): void {
    for (const what of COUNTED) {
      const name = bar[what];
      if (!name) continue;
      const count = (this.counts[what].get(name) ?? 0) + by;
      if (count > 0) this.counts[what].set(name, count);
      else this.counts[what].delete(name);
    }
  }

  #blocksOf(bar: Bar, lanes: number[]): Block[] {
    const blocks: Block[] = [];
    for (const lane of lanes.sort((a, b) => a - b)) {
      const last = blocks.at(-1);
      if (last && last.last + 1 === lane && this.lanes[lane]!.node === this.lanes[last.last]!.node) last.last = lane;
      else if (last?.last !== lane) blocks.push({ bar, first: lane, last: lane, mark: 0 });
    }
    return blocks;
  }

  #put(block: Block): void {
    block.bar.blocks.push(block);
    this.#touched.push(block);
    for (let lane = block.first; lane <= block.last; lane++) {
      const row = this.#rows[lane]!;
      row.blocks.push(block);
      row.reach = null;
    }
  }

  #sortRows(block: Block): void {
    for (let lane = block.first; lane <= block.last; lane++) {
      this.#rows[lane]!.blocks.sort((a, b) => a.bar.start - b.bar.start);
    }
  }

  #drop(block: Block): void {
    this.#touched.push(block);
    for (let lane = block.first; lane <= block.last; lane++) {
      const row = this.#rows[lane]!;
      const at = row.blocks.indexOf(block);
      if (at >= 0) row.blocks.splice(at, 1);
      row.reach = null;
    }
  }

  #repack(shared: Shared): void {
    for (const bar of shared.bars) {
      const gone = bar.blocks.filter((block) => block.first >= shared.first && block.first < shared.first + shared.rows);
      gone.forEach((block) => this.#drop(block));
      bar.blocks = bar.blocks.filter((block) => !gone.includes(block));
    }
    for (const [bar, rows] of packLane([...shared.bars], shared.rows, shared.perRow)) {
      const blocks = this.#blocksOf(bar, rows.map((row) => shared.first + row));
      blocks.forEach((block) => this.#put(block));
      blocks.forEach((block) => this.#sortRows(block));
    }
  }

  /** Takes changes in their order: bars that are new or otherwise now, and ids of those that are gone. */
  update(changes: readonly (ApiBar | string)[]): void {
    const dirty = new Set<Shared>();
    for (const change of changes) {
      this.#remove(typeof change === "string" ? change : change.id, dirty);
      if (typeof change !== "string") this.#insert(change, dirty);
    }
    dirty.forEach((shared) => this.#repack(shared));
  }

  takeTouched(): Block[] {
    const touched = this.#touched;
    this.#touched = [];
    return touched;
  }

  #insert(bar: ApiBar, dirty: Set<Shared>): void {
    const read = this.#read(bar);
    this.#take(read).forEach((shared) => dirty.add(shared));
    read.blocks.forEach((block) => this.#sortRows(block));
  }

  #remove(id: string, dirty: Set<Shared>): void {
    const bar = this.bars.get(id);
    if (!bar) return;
    this.bars.delete(id);
    this.#count(bar, -1);
    bar.blocks.forEach((block) => this.#drop(block));
    for (const shared of this.#shared.values()) if (shared.bars.delete(bar)) dirty.add(shared);
  }

  /** Calls back for each block on the lane that may have any instant in [from, to), the last first: what
   * runs may go on behind the end that is foreseen. */
  each(lane: number, from: number, to: number, seen: (block: Block) => void): void {
    const row = this.#rows[lane];
    if (!row || row.blocks.length === 0) return;
    const reach = (row.reach ??= reachesOf(row.blocks));
    for (let i = firstFrom(row.blocks, to) - 1; i >= 0 && reach[i]! > from; i--) {
      if (reachOf(row.blocks[i]!.bar) > from) seen(row.blocks[i]!);
    }
  }

  /** The start of the next bar of this kind of room on the lane, at or after an instant. */
  nextStart(lane: number, at: number, but: Bar): number {
    const blocks = this.#rows[lane]!.blocks;
    for (let i = firstFrom(blocks, at); i < blocks.length; i++) if (blocks[i]!.bar !== but) return blocks[i]!.bar.start;
    return Infinity;
  }

  /** How many of the rows for what has no GPU are used. */
  queueRows(): number {
    const { first, rows } = this.#shared.get("")!;
    let used = rows;
    while (used > 0 && this.#rows[first + used - 1]!.blocks.length === 0) used--;
    return used;
  }

  /** The lanes of a bar that are there. */
  lanesOf(bar: ApiBar): Lane[] {
    return bar.lanes.map((id) => this.lanes[this.laneIndex(id)]).filter((lane): lane is Lane => lane !== undefined);
  }

  laneIndex(id: string): number {
    return this.#byId.get(id) ?? this.#shared.get(id)?.first ?? -1;
  }
}

/** A name as it may be drawn. */
function shown(name: string): string {
  return visible(cut(name, TITLE_LENGTH));
}

/** An end or a start that has passed, of what is not over or has not begun, means any moment. */
export function endAt(bar: Bar, now: number): number {
  if (bar.look === "running") return bar.end === Infinity ? now : Math.max(bar.end, now);
  return bar.end === Infinity && bar.look !== "down" ? Math.max(now, bar.start) : bar.end;
}

export function startAt(bar: Bar, now: number): number {
  return bar.look === "planned" ? Math.max(bar.start, now) : bar.start;
}

/** How far a bar may be drawn, whatever the present is: what runs, until it is said to be over. */
export function reachOf(bar: Bar): number {
  return bar.look === "running" ? Infinity : Math.max(bar.late, bar.end);
}

function reachesOf(blocks: Block[]): Float64Array {
  const reach = new Float64Array(blocks.length);
  let latest = -Infinity;
  blocks.forEach((block, i) => (reach[i] = latest = Math.max(latest, reachOf(block.bar))));
  return reach;
}

/** The first block that starts at `at` or later. */
function firstFrom(blocks: Block[], at: number): number {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (blocks[middle]!.bar.start < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

const BELOW = ["down", "reservation", "clearing", "outside"];

/** What uses GPUs lies above what keeps them. */
export function drawOrder({ bar }: Block): number {
  return bar.kind === "job" ? BELOW.length + LOOK_INDEX[bar.look] : BELOW.indexOf(bar.kind);
}

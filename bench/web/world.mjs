// A large site: 1,000 GPUs, 10,000 bars in 14 days, always the same.
export const GPUS = 1000;
export const BARS = 10000;
export const DAYS = 14;
const PER_NODE = 8;

/** Mulberry32: the same numbers on every machine. */
export function dice(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function laneOf(gpu) {
  const node = `n${String(Math.floor(gpu / PER_NODE) + 1).padStart(3, "0")}`;
  return { id: `${node}:${gpu % PER_NODE}`, node, pool: "main", gpu: gpu % PER_NODE, gpus: 1, type: "A100", mem_bytes: 80 * 2 ** 30 };
}

/** Bars one behind the other on each run of lanes, half before and half behind the present. */
function makeBars(lanes, now) {
  const random = dice(1);
  const free = new Float64Array(GPUS).fill(now - (DAYS / 2) * 86400);
  const bars = [];
  for (let id = 1; bars.length < BARS; id++) {
    const gpus = [1, 1, 1, 1, 2, 4][Math.floor(random() * 6)];
    const node = Math.floor(random() * (GPUS / PER_NODE)) * PER_NODE;
    const first = node + Math.floor((random() * PER_NODE) / gpus) * gpus;
    const taken = Array.from({ length: gpus }, (_, i) => first + i);
    const start = Math.max(...taken.map((gpu) => free[gpu])) + random() * 3600;
    const end = start + 1800 + random() * random() * 40 * 3600;
    if (start > now + (DAYS / 2) * 86400) continue;
    for (const gpu of taken) free[gpu] = end;
    const state = end < now ? (random() < 0.1 ? "failed" : "completed") : start < now ? "running" : "queued";
    bars.push({
      kind: "job", id: `job-${id}`, ref: String(id), state, user: `user${Math.floor(random() * 40)}`, project: `p${Math.floor(random() * 12)}`,
      label: `train-${id}`, gpus, lanes: taken.map((gpu) => lanes[gpu].id), start_at: start, end_at: end,
      end_p90_at: end < now ? null : end + random() * 3600, mem_bytes: 0, class: "batch",
    });
  }
  return bars;
}

export function makeWorld() {
  const now = Math.floor(Date.now() / 1000);
  const lanes = Array.from({ length: GPUS }, (_, gpu) => laneOf(gpu));
  return { now, lanes, bars: makeBars(lanes, now) };
}
